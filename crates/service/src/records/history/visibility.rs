//! The changes that a caller may see: those of records that it may see now.

use std::collections::HashMap;

use stockroom_access::permission::{
    CategoryView, GroupView, ObjectImport, ObjectView, TypeEdit, TypeView, UserEdit, UserView,
};
use stockroom_model::{ObjectId, TypeId};
use stockroom_store::{
    Catalog, HistoryEntry, HistoryPosition, HistoryRange, ReadTx, RecordKey, Resource,
};

use super::views::has_audience;
use crate::Error;
use crate::core::access::Access;

/// The changes that a caller may see.
pub(crate) struct HistoryScope {
    pub(super) access: Access,
}

impl HistoryScope {
    pub(crate) const fn new(access: Access) -> Self {
        Self { access }
    }

    /// Whether objects of a type may be seen, also of a type that no longer exists. Its access list
    /// is gone with it, so only those may see them who could have changed the list.
    pub(crate) fn sees_type(&self, catalog: &Catalog, type_id: Option<TypeId>) -> bool {
        match type_id {
            Some(id) if catalog.type_entry(id).is_some() => self.access.scope.sees(id),
            _ => self.sees_deleted_types(),
        }
    }

    /// Whether objects of types that no longer exist may be seen.
    pub(crate) fn sees_deleted_types(&self) -> bool {
        self.access.holds::<TypeEdit>() && self.access.covers_all()
    }

    /// Checks that the caller may see the history of a record, which must have one.
    pub(super) fn check_record(
        &self,
        tx: &mut ReadTx<'_>,
        record: &RecordKey,
    ) -> Result<(), Error> {
        self.check_resource(record)?;
        if has_audience(record.resource) {
            return self.check_state_now(tx, record);
        }
        let range = HistoryRange::Record(record.clone());
        let newest = tx.history(&range, HistoryPosition::START, 1)?;
        let newest = self.visible(tx, newest)?.pop();
        match newest {
            Some((_, Some(_))) => Ok(()),
            Some((_, None)) => Err(Error::Forbidden(format!(
                "the ACL of its type does not grant READ on {} {} to your group",
                record.resource.as_str(),
                record.id
            ))),
            None if record.resource == Resource::Setting => Err(Error::NotFound(format!(
                "user {} never had a setting {:?}",
                record.id, record.name
            ))),
            None => Err(Error::NotFound(format!(
                "there never was a {} {}",
                record.resource.as_str(),
                record.id
            ))),
        }
    }

    /// Names the right that is missing for a record.
    pub(super) fn check_resource(&self, record: &RecordKey) -> Result<(), Error> {
        match record.resource {
            Resource::RevokedToken => Ok(()),
            Resource::Type => self.access.check::<TypeView>(),
            Resource::Category => self.access.check::<CategoryView>(),
            Resource::Group => self.access.check::<GroupView>(),
            Resource::Object | Resource::View => self.access.check::<ObjectView>(),
            Resource::Source => self.access.check::<ObjectImport>(),
            // Their owners see them in their lists; who made and revoked them is for those who
            // manage users.
            Resource::Token => self.access.check::<UserEdit>(),
            Resource::User | Resource::Setting
                if self.access.owns_itself() && self.access.user_id.get() == record.id =>
            {
                Ok(())
            }
            Resource::User | Resource::Setting => self.access.check::<UserView>(),
        }
    }

    /// All changes by position, without those that the caller may not see.
    pub(super) fn visible(
        &self,
        tx: &mut ReadTx<'_>,
        mut entries: Vec<HistoryEntry>,
    ) -> Result<Vec<(HistoryPosition, Option<HistoryEntry>)>, Error> {
        add_types(tx, &mut entries)?;
        let states = self.visible_changes(tx, &entries)?;
        let catalog = tx.catalog();
        Ok(entries
            .into_iter()
            .map(|entry| {
                let sees = match entry.record.resource {
                    Resource::Object => {
                        self.access.holds::<ObjectView>() && self.sees_type(catalog, entry.type_id)
                    }
                    resource if has_audience(resource) => {
                        states.contains(&(entry.record.clone(), entry.revision.0))
                    }
                    _ => self.check_resource(&entry.record).is_ok(),
                };
                (entry.position, sees.then_some(entry))
            })
            .collect())
    }
}

/// Adds the types of objects that changed before the history held types.
fn add_types(tx: &mut ReadTx<'_>, entries: &mut [HistoryEntry]) -> Result<(), Error> {
    let lacks_type =
        |entry: &HistoryEntry| entry.record.resource == Resource::Object && entry.type_id.is_none();
    let ids: Vec<ObjectId> = entries
        .iter()
        .filter(|entry| lacks_type(entry))
        .filter_map(|entry| ObjectId::new(entry.record.id))
        .collect();
    if ids.is_empty() {
        return Ok(());
    }
    // Decides visibility itself.
    let everything = stockroom_access::Scope::for_integrity_check();
    let types: HashMap<ObjectId, TypeId> = tx.types_of_objects(&everything, &ids)?;
    for entry in entries.iter_mut().filter(|entry| lacks_type(entry)) {
        entry.type_id = ObjectId::new(entry.record.id).and_then(|id| types.get(&id).copied());
    }
    Ok(())
}
