//! Types prepared for rendering, cached while they stay unchanged.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use stockroom_model::{RecordLimits, TypeId};
use stockroom_render::TypeTemplate;
use stockroom_store::{Catalog, TypeEntry};

/// The templates of the newest catalog that rendering has used.
#[derive(Default)]
pub(crate) struct TypeTemplateCache(RwLock<Option<Arc<TypeTemplates>>>);

impl TypeTemplateCache {
    /// The templates of a catalog; types that did not change keep theirs.
    pub(crate) fn of(&self, catalog: &Arc<Catalog>, limits: &RecordLimits) -> Arc<TypeTemplates> {
        let last = {
            let last = self.0.read().unwrap_or_else(PoisonError::into_inner);
            last.clone()
        };
        if let Some(last) = &last
            && Arc::ptr_eq(&last.catalog, catalog)
        {
            return Arc::clone(last);
        }
        let templates = Arc::new(TypeTemplates::new(catalog, last.as_deref(), limits));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&templates));
        templates
    }
}

/// The templates of one catalog, each made on first use.
pub(crate) struct TypeTemplates {
    pub(crate) catalog: Arc<Catalog>,
    limits: RecordLimits,
    types: HashMap<TypeId, Arc<Lazy>>,
}

struct Lazy {
    entry: Arc<TypeEntry>,
    template: OnceLock<TypeTemplate>,
}

impl TypeTemplates {
    pub(crate) fn new(catalog: &Arc<Catalog>, last: Option<&Self>, limits: &RecordLimits) -> Self {
        let lazy = |entry: &Arc<TypeEntry>| {
            let known = last.and_then(|last| last.types.get(&entry.record.public_id));
            let same = known.filter(|known| Arc::ptr_eq(&known.entry, entry));
            same.map_or_else(
                || {
                    Arc::new(Lazy {
                        entry: Arc::clone(entry),
                        template: OnceLock::new(),
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

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.types.contains_key(&id)
    }

    pub(crate) fn get(&self, id: TypeId) -> Option<&TypeTemplate> {
        let lazy = self.types.get(&id)?;
        Some(
            lazy.template
                .get_or_init(|| TypeTemplate::new(&lazy.entry.record, &self.limits)),
        )
    }
}
