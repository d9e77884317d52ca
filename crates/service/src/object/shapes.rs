//! Types prepared for rendering, as long as they stay as they are.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use stockroom_model::{RecordLimits, TypeId};
use stockroom_render::Shape;
use stockroom_store::{Catalog, ObjectRow, TypeEntry};

use super::world::entry;
use crate::Service;

/// The shapes of the newest catalog that was rendered with.
#[derive(Default)]
pub(crate) struct ShapeCache(RwLock<Option<Arc<Shapes>>>);

impl ShapeCache {
    /// The shapes of the types of a catalog; types that did not change keep theirs.
    fn of(&self, catalog: &Arc<Catalog>, limits: &RecordLimits) -> Arc<Shapes> {
        let last = {
            let last = self.0.read().unwrap_or_else(PoisonError::into_inner);
            last.clone()
        };
        if let Some(last) = &last
            && Arc::ptr_eq(&last.catalog, catalog)
        {
            return Arc::clone(last);
        }
        let shapes = Arc::new(Shapes::new(catalog, last.as_deref(), limits));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&shapes));
        shapes
    }
}

impl Service {
    /// The shapes of the types of a catalog.
    pub(super) fn shapes(&self, catalog: &Arc<Catalog>) -> Arc<Shapes> {
        self.shapes.of(catalog, self.records())
    }

    /// The shapes that rows need: those at hand, or the newest, if another node has made a type since.
    pub(super) fn shapes_of(&self, at_hand: &Arc<Shapes>, rows: &[ObjectRow]) -> Arc<Shapes> {
        if rows.iter().all(|row| entry(&at_hand.catalog, row).is_ok()) {
            Arc::clone(at_hand)
        } else {
            self.shapes(&self.store.catalog())
        }
    }
}

/// The shapes of one catalog, each made when it is first asked for.
pub(crate) struct Shapes {
    pub(crate) catalog: Arc<Catalog>,
    limits: RecordLimits,
    types: HashMap<TypeId, Arc<Lazy>>,
}

struct Lazy {
    entry: Arc<TypeEntry>,
    shape: OnceLock<Shape>,
}

impl Shapes {
    fn new(catalog: &Arc<Catalog>, last: Option<&Self>, limits: &RecordLimits) -> Self {
        let lazy = |entry: &Arc<TypeEntry>| {
            let known = last.and_then(|last| last.types.get(&entry.record.public_id));
            let same = known.filter(|known| Arc::ptr_eq(&known.entry, entry));
            same.map_or_else(
                || {
                    Arc::new(Lazy {
                        entry: Arc::clone(entry),
                        shape: OnceLock::new(),
                    })
                },
                Arc::clone,
            )
        };
        Self {
            types: catalog
                .types()
                .map(|entry| (entry.record.public_id, lazy(entry)))
                .collect(),
            catalog: Arc::clone(catalog),
            limits: limits.clone(),
        }
    }

    /// The shape of the type of that id.
    pub(crate) fn get(&self, id: TypeId) -> Option<&Shape> {
        let lazy = self.types.get(&id)?;
        Some(
            lazy.shape
                .get_or_init(|| Shape::new(&lazy.entry.record, &self.limits)),
        )
    }
}
