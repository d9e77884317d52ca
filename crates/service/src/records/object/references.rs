//! Whether what an object refers to exists, may be read by the caller, and is of an allowed type.

use std::collections::{HashMap, HashSet};

use stockroom_access::Scope;
use stockroom_model::body::Report;
use stockroom_model::object::{Reference, listed};
use stockroom_model::{ObjectId, TypeId};
use stockroom_store::{Catalog, ReadTx, WriteTx};

use super::type_title;
use crate::Error;

/// The types of referenced objects, asked for many references at once.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    asked: HashSet<ObjectId>,
    /// Only of objects that the caller may see.
    types: HashMap<ObjectId, TypeId>,
}

impl Targets {
    /// Reads the types of what the references name, unless they are known, and keeps others from
    /// removing it before the references are written.
    pub(crate) fn read<'r>(
        &mut self,
        tx: &mut WriteTx<'_>,
        scope: &Scope,
        references: impl IntoIterator<Item = &'r Reference>,
    ) -> Result<(), Error> {
        let new = self.not_asked(references);
        if !new.is_empty() {
            self.types.extend(tx.types_of_targets(scope, &new)?);
        }
        Ok(())
    }

    /// The types of what the references of a body name that is refused anyway.
    pub(crate) fn of_refused<'r>(
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        references: impl IntoIterator<Item = &'r Reference>,
    ) -> Result<Self, Error> {
        let mut targets = Self::default();
        let new = targets.not_asked(references);
        targets.types = tx.types_of_objects(scope, &new)?;
        Ok(targets)
    }

    /// What the references name, unless it was asked for.
    fn not_asked<'r>(
        &mut self,
        references: impl IntoIterator<Item = &'r Reference>,
    ) -> Vec<ObjectId> {
        let named = references.into_iter().map(|reference| reference.target);
        named.filter(|id| self.asked.insert(*id)).collect()
    }

    /// Adds an object that the transaction is about to insert, or that it takes for granted.
    pub(crate) fn add(&mut self, scope: &Scope, id: ObjectId, type_id: TypeId) {
        self.asked.insert(id);
        if scope.sees(type_id) {
            self.types.insert(id, type_id);
        }
    }

    /// Reports references to other objects than the fields take. The answer does not tell hidden
    /// objects from missing ones.
    pub(crate) fn check(
        &self,
        catalog: &Catalog,
        scope: &Scope,
        references: &[Reference],
        report: &Report,
    ) {
        for reference in references {
            let Some(type_id) = self.types.get(&reference.target).map(|id| id.get()) else {
                let detail = format!(
                    "{} names an object, and there is no object {} that you may read",
                    reference.field, reference.target
                );
                report.problem(&reference.pointer, detail);
                continue;
            };
            let title = |id: i64| type_title(catalog, scope, id);
            if !reference.ref_types.is_empty() && !reference.ref_types.contains(&type_id) {
                let allowed = reference.ref_types.iter().map(|id| title(*id));
                let allowed: Vec<String> = allowed.collect();
                let detail = format!(
                    "{} takes objects of the type {}; object {} is of the type {}",
                    reference.field,
                    listed(allowed.iter().map(String::as_str)),
                    reference.target,
                    title(type_id)
                );
                report.problem(&reference.pointer, detail);
            } else if let Some(shown) = reference.shown_type.filter(|shown| *shown != type_id) {
                let detail = format!(
                    "the section of {} shows objects of the type {}; object {} is of the type {} and is shown without values",
                    reference.field,
                    title(shown),
                    reference.target,
                    title(type_id)
                );
                report.warning(&reference.pointer, detail);
            }
        }
    }
}
