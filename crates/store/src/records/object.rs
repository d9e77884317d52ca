//! Objects, one row each, and their index.

pub(crate) mod as_of;
pub(crate) mod batch;
mod delete;
pub(crate) mod edit;
pub(crate) mod index;
pub(crate) mod irregular;
pub(crate) mod list;
pub(crate) mod prepared;
pub(crate) mod read;
mod target_locks;
pub(crate) mod write;

use std::collections::HashMap;
use std::fmt::Write as _;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, Revision, TypeId};

use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::engine::driver::{Param, Row};
use crate::engine::statement::Statement;
use crate::transaction::ReadTx;

/// A stored object. Only callers that may see the object get it.
#[derive(Debug, Clone)]
pub struct ObjectRow {
    /// Its id.
    pub public_id: ObjectId,
    /// The id of its type.
    pub type_id: TypeId,
    /// Its revision.
    pub revision: Revision,
    /// Its view count; `None` if the document contains its own.
    pub views: Option<i64>,
    /// Encrypted values of password fields by field name, a JSON object of texts.
    pub secrets: Option<String>,
    /// The native document without `views`, as JSON text.
    pub document: String,
}

impl ObjectRow {
    /// The document, parsed.
    pub fn object(&self) -> Result<Object, Error> {
        Ok(Object::from_document(serde_json::from_str(&self.document)?))
    }

    /// Appends the native document, `views` included, without parsing it.
    pub fn write_native(&self, out: &mut String) {
        match (self.views, self.document.strip_suffix('}')) {
            (Some(views), Some(open)) => {
                let comma = if open.ends_with('{') { "" } else { "," };
                out.push_str(open);
                // Writing to a String cannot fail.
                let _ = write!(out, "{comma}\"views\":{views}}}");
            }
            _ => out.push_str(&self.document),
        }
    }

    /// The native document as JSON text, `views` included, without copying the stored text.
    #[must_use]
    pub fn into_native(mut self) -> String {
        if let Some(views) = self.views
            && self.document.ends_with('}')
        {
            self.document.pop();
            let comma = if self.document.ends_with('{') {
                ""
            } else {
                ","
            };
            // Writing to a String cannot fail.
            let _ = write!(self.document, "{comma}\"views\":{views}}}");
        }
        self.document
    }

    /// The memory of its texts, in bytes.
    pub fn bytes(&self) -> usize {
        self.document.len() + self.secrets.as_ref().map_or(0, String::len)
    }

    /// The native document, `views` included.
    pub fn native(&self) -> Result<Object, Error> {
        let mut object = self.object()?;
        if let Some(views) = self.views {
            object.set("views", Value::from(views));
        }
        Ok(object)
    }
}

/// A record as a caller may see it.
#[derive(Debug)]
pub enum Visibility<T> {
    /// The record exists and the caller may see it.
    Visible(T),
    /// It exists, but the ACL of its type hides it.
    Hidden,
    /// The record does not exist.
    Missing,
}

/// Capacity for the views in a native document.
const VIEWS: usize = 32;

pub(crate) const COLUMNS: &str = "public_id, type_id, revision, views, secrets, doc";
const SELECT_ONE: &str =
    "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id = ?1";
// Joined in this order, the engine walks the ids; for a subquery of `IN` it would first sort them
// into a temporary table.
pub(crate) const SELECT_SOME: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM rarray(?1) AS wanted CROSS JOIN object WHERE public_id = wanted.value";
const SELECT_TYPES: &str =
    "SELECT public_id, type_id FROM object WHERE public_id IN (SELECT value FROM rarray(?1))";
// Both engines know the length without reading the text.
const BYTES_OF_TYPE: &str =
    "SELECT COALESCE(SUM(OCTET_LENGTH(doc)), 0) FROM object WHERE type_id = ?1";
const COUNT_OF_TYPE: &str = "SELECT COUNT(*) FROM object WHERE type_id = ?1";
pub(crate) const SELECT_CHUNK: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE type_id = ?1 AND public_id > ?2 ORDER BY public_id LIMIT ?3";

pub(crate) fn object_row(row: &dyn Row) -> Result<ObjectRow, Error> {
    Ok(ObjectRow {
        public_id: row.id(0)?,
        type_id: row.id(1)?,
        revision: Revision(row.int(2)?),
        views: row.opt_int(3)?,
        secrets: row.opt_text(4)?.map(str::to_owned),
        document: with_room(row.text(5)?),
    })
}

/// A copy with capacity for the views.
fn with_room(document: &str) -> String {
    let mut copy = String::with_capacity(document.len() + VIEWS);
    copy.push_str(document);
    copy
}

impl ObjectRow {
    /// The statement that reads an object by its id.
    #[must_use]
    pub fn statement(id: ObjectId) -> Statement<Option<Self>> {
        Statement::new(Sql::of_id(SELECT_ONE, id), |rows| {
            let mut found = None;
            rows(&mut |row| {
                found = Some(object_row(row)?);
                Ok(())
            })?;
            Ok(found)
        })
    }
}

impl Visibility<ObjectRow> {
    /// An object as a caller with this scope may see it.
    #[must_use]
    pub fn of(row: Option<ObjectRow>, scope: &Scope) -> Self {
        match row {
            Some(row) if scope.sees(row.type_id) => Self::Visible(row),
            Some(_) => Self::Hidden,
            None => Self::Missing,
        }
    }
}

impl ReadTx<'_> {
    /// The object of that id, if the caller may see it.
    pub fn object(&mut self, scope: &Scope, id: ObjectId) -> Result<Visibility<ObjectRow>, Error> {
        let row = self.first(SELECT_ONE, &[id.into()], object_row)?;
        Ok(Visibility::of(row, scope))
    }

    /// The types of those objects that exist and that the caller may see, by object id.
    pub fn types_of_objects(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
    ) -> Result<HashMap<ObjectId, TypeId>, Error> {
        self.types_by(SELECT_TYPES, scope, ids)
    }

    /// Runs a statement of the form of [`SELECT_TYPES`].
    fn types_by(
        &mut self,
        sql: &str,
        scope: &Scope,
        ids: &[ObjectId],
    ) -> Result<HashMap<ObjectId, TypeId>, Error> {
        let numbers: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        let mut types = HashMap::with_capacity(ids.len());
        self.each(sql, &[Param::Ints(&numbers)], |row| {
            let type_id = row.id(1)?;
            if scope.sees(type_id) {
                types.insert(row.id(0)?, type_id);
            }
            Ok(())
        })?;
        Ok(types)
    }

    /// How many objects of a type the caller may see.
    pub fn count_objects_of_type(&mut self, scope: &Scope, type_id: TypeId) -> Result<i64, Error> {
        if !scope.sees(type_id) {
            return Ok(0);
        }
        let count = self.first(COUNT_OF_TYPE, &[type_id.into()], |row| row.int(0))?;
        Ok(count.unwrap_or(0))
    }

    /// The bytes of all documents of a type, of hidden ones too.
    pub fn bytes_of_type(&mut self, type_id: TypeId) -> Result<usize, Error> {
        let bytes = self.first(BYTES_OF_TYPE, &[type_id.into()], |row| row.int(0))?;
        Ok(usize::try_from(bytes.unwrap_or(0)).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
pub(crate) mod tests;
