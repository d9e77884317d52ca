//! Types and the stable ids of their fields.

pub(crate) mod layout;

use std::collections::BTreeMap;
use std::sync::Arc;

use stockroom_model::{Revision, Type, TypeId};

use crate::Error;
use crate::records::catalog::TypeEntry;
use crate::records::catalog::load;
use crate::records::record::{Record, Statements};
use crate::records::stored::Stored;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteContext, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM type WHERE public_id = ?1";
const SELECT_ALL: &str = "SELECT revision, doc FROM type ORDER BY public_id";
const SELECT_ID_BY_NAME: &str = "SELECT public_id FROM type WHERE name = ?1";
const STATEMENTS: Statements = Statements {
    resource: Resource::Type,
    document: "SELECT doc FROM type WHERE public_id = ?1",
    insert: "INSERT INTO type (public_id, revision, doc, name) VALUES (?1, ?2, ?3, ?4)",
    update: "UPDATE type SET revision = ?2, doc = ?3, name = ?4 WHERE public_id = ?1",
    delete: "DELETE FROM type WHERE public_id = ?1",
};

impl Record for Type {
    fn record_edit(&mut self, context: &WriteContext) {
        self.last_edit_time = Some(context.now.to_iso());
        self.editor_id = Some(context.actor);
    }
}

impl ReadTx<'_> {
    /// The type of that id.
    pub fn r#type(&mut self, id: TypeId) -> Result<Option<Stored<Type>>, Error> {
        self.one_record(SELECT_ONE, &[id.get().into()])
    }

    /// All types by id.
    pub fn types(&mut self) -> Result<Vec<Stored<Type>>, Error> {
        self.all_records(SELECT_ALL, &[])
    }

    /// The id of the type of that name.
    pub fn type_id_by_name(&mut self, name: &str) -> Result<Option<i64>, Error> {
        self.first(SELECT_ID_BY_NAME, &[name.into()], |row| row.int(0))
    }
}

impl WriteTx<'_> {
    /// The type as this commit sees it: from the catalog, unless the commit changed a type.
    pub fn type_entry(&mut self, id: TypeId) -> Result<Option<Arc<TypeEntry>>, Error> {
        if self.is_touched(Resource::Type) {
            return self.changed_type_entry(id);
        }
        Ok(self.catalog().type_entry(id).cloned())
    }

    /// Reads a type once until this commit changes it: a type may name another one a thousand times.
    fn changed_type_entry(&mut self, id: TypeId) -> Result<Option<Arc<TypeEntry>>, Error> {
        if let Some(known) = self.changed_types().get(&id) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(stored) = self.r#type(id)? else {
            return Ok(None);
        };
        let (layout, enforced) = (self.layout(id)?, self.enforced_rules_of(id)?);
        let entry = Arc::new(TypeEntry::new(stored, layout, &enforced));
        self.changed_types().insert(id, Arc::clone(&entry));
        Ok(Some(entry))
    }

    /// All types as this commit sees them.
    pub(crate) fn type_entries(&mut self) -> Result<Vec<Arc<TypeEntry>>, Error> {
        if !self.is_touched(Resource::Type) {
            return Ok(self.catalog().types().cloned().collect());
        }
        let types = self.types()?;
        let (layouts, enforced) = (self.layouts()?, self.enforced_rules()?);
        Ok(load::types(types, layouts, &enforced, &BTreeMap::new())
            .into_values()
            .collect())
    }

    /// Inserts a type under a free id and a free name.
    pub fn insert_type(
        &mut self,
        revision: Revision,
        definition: Type,
    ) -> Result<Stored<Type>, Error> {
        self.sync_columns(&definition)?;
        self.begin_rules_of_new(&definition)?;
        let (id, name) = (definition.public_id, definition.name.clone());
        let columns = [name.as_str().into()];
        let stored = self.insert_record(&STATEMENTS, id.get(), revision, definition, &columns)?;
        self.changed_types().remove(&id);
        Ok(stored)
    }

    /// Replaces a type and adapts the index of its objects; writes nothing if the type is
    /// unchanged.
    pub fn update_type(
        &mut self,
        stored: Stored<Type>,
        definition: Type,
    ) -> Result<Stored<Type>, Error> {
        self.sync_columns(&definition)?;
        self.record_search_type(&stored.record, &definition)?;
        let (id, name) = (definition.public_id, definition.name.clone());
        let columns = [name.as_str().into()];
        let stored = self.update_record(&STATEMENTS, id.get(), stored, definition, &columns)?;
        self.changed_types().remove(&id);
        Ok(stored)
    }

    /// Removes a type.
    pub fn delete_type(&mut self, id: TypeId, stored: Revision) -> Result<(), Error> {
        self.end_unique_rules(id, &[])?;
        self.changed_types().remove(&id);
        self.delete_record(&STATEMENTS, id.get(), stored)
    }
}
