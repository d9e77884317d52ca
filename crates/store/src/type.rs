//! Types and the stable ids of their fields.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use stockroom_model::{Revision, Type, TypeId};

use crate::Error;
use crate::catalog::TypeEntry;
use crate::record::{Statements, Stored};
use crate::transaction::{ReadTx, Resource, WriteTx};

const SELECT_ONE: &str = "SELECT revision, doc FROM type WHERE public_id = ?1";
const SELECT_ALL: &str = "SELECT revision, doc FROM type ORDER BY public_id";
const SELECT_ID_BY_NAME: &str = "SELECT public_id FROM type WHERE name = ?1";
const SELECT_FIELDS: &str = "SELECT name, field_id FROM type_field WHERE type_id = ?1";
const INSERT_FIELD: &str = "INSERT INTO type_field (type_id, field_id, name) VALUES (?1, ?2, ?3)";
const STATEMENTS: Statements = Statements {
    resource: Resource::Type,
    insert: "INSERT INTO type (public_id, revision, doc, name) VALUES (?1, ?2, ?3, ?4)",
    update: "UPDATE type SET revision = ?2, doc = ?3, name = ?4 WHERE public_id = ?1",
    delete: "DELETE FROM type WHERE public_id = ?1",
};

impl ReadTx<'_> {
    /// The type of that id.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn r#type(&mut self, id: TypeId) -> Result<Option<Stored<Type>>, Error> {
        self.one_record(SELECT_ONE, &[id.get().into()])
    }

    /// All types by id.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn types(&mut self) -> Result<Vec<Stored<Type>>, Error> {
        self.all_records(SELECT_ALL, &[])
    }

    /// The id of the type of that name.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn type_id_by_name(&mut self, name: &str) -> Result<Option<i64>, Error> {
        self.first(SELECT_ID_BY_NAME, &[name.into()], |row| row.int(0))
    }

    /// The names of all fields that a type has or once had.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn known_field_names(&mut self, id: TypeId) -> Result<HashSet<String>, Error> {
        let names = self.all(SELECT_FIELDS, &[id.get().into()], |row| {
            Ok(row.text(0)?.to_owned())
        })?;
        Ok(names.into_iter().collect())
    }
}

impl WriteTx<'_> {
    /// The type as this commit sees it; from memory as long as the commit changed no type.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn type_entry(&mut self, id: TypeId) -> Result<Option<Arc<TypeEntry>>, Error> {
        if self.is_touched(Resource::Type) {
            return Ok(self
                .r#type(id)?
                .map(|stored| Arc::new(TypeEntry::new(stored))));
        }
        Ok(self.catalog().type_entry(id).cloned())
    }

    /// Inserts a type under a free id and a free name.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn insert_type(&mut self, revision: Revision, r#type: Type) -> Result<Stored<Type>, Error> {
        self.name_fields(&r#type)?;
        let name = r#type.name.clone();
        self.insert_record(
            &STATEMENTS,
            r#type.public_id.get(),
            revision,
            r#type,
            &[name.as_str().into()],
        )
    }

    /// Replaces a type.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn update_type(&mut self, stored: Revision, r#type: Type) -> Result<Stored<Type>, Error> {
        self.name_fields(&r#type)?;
        let name = r#type.name.clone();
        self.update_record(
            &STATEMENTS,
            r#type.public_id.get(),
            stored,
            r#type,
            &[name.as_str().into()],
        )
    }

    /// Removes a type.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn delete_type(&mut self, id: TypeId, stored: Revision) -> Result<(), Error> {
        self.delete_record(&STATEMENTS, id.get(), stored)
    }

    /// Gives every new field name an id.
    fn name_fields(&mut self, r#type: &Type) -> Result<(), Error> {
        let type_id = r#type.public_id.get();
        let known: HashMap<String, i64> = self
            .all(SELECT_FIELDS, &[type_id.into()], |row| {
                Ok((row.text(0)?.to_owned(), row.int(1)?))
            })?
            .into_iter()
            .collect();
        let fields = r#type.fields().iter();
        let new = fields.filter(|field| !known.contains_key(&field.name));
        let free = known.values().max().map_or(1, |highest| highest + 1);
        for (id, field) in (free..).zip(new) {
            self.run_one(
                INSERT_FIELD,
                &[type_id.into(), id.into(), field.name.as_str().into()],
            )?;
        }
        Ok(())
    }
}
