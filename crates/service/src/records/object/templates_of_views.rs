//! The templates that a view of the store needs.

use std::sync::Arc;

use stockroom_store::{Catalog, ObjectRow};

use super::entry;
use crate::Service;
use crate::core::type_templates::TypeTemplates;

impl Service {
    pub(crate) fn templates(&self, catalog: &Arc<Catalog>) -> Arc<TypeTemplates> {
        self.templates.of(catalog, self.records())
    }

    /// The templates of all types of a view: the current ones, or the newest if another node has
    /// added a type since.
    pub(crate) fn newest_templates(
        &self,
        at_hand: &Arc<TypeTemplates>,
        view: &Catalog,
    ) -> Arc<TypeTemplates> {
        let mut types = view.types().map(|entry| entry.record.public_id);
        if types.all(|id| at_hand.has(id)) {
            Arc::clone(at_hand)
        } else {
            self.templates(&self.store.catalog())
        }
    }

    /// The templates of types as they were. Types that have not changed since share theirs.
    pub(crate) fn templates_as_of(&self, past: &Arc<Catalog>) -> Arc<TypeTemplates> {
        let now = self.templates(&self.store.catalog());
        Arc::new(TypeTemplates::new(past, Some(&now), self.records()))
    }

    /// The templates that these rows need: the current ones, or the newest if another node has
    /// added a type since.
    pub(crate) fn templates_for(
        &self,
        at_hand: &Arc<TypeTemplates>,
        rows: &[ObjectRow],
    ) -> Arc<TypeTemplates> {
        if rows.iter().all(|row| entry(&at_hand.catalog, row).is_ok()) {
            Arc::clone(at_hand)
        } else {
            self.templates(&self.store.catalog())
        }
    }
}
