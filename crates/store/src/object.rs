//! Objects: one row each, and the index of who references whom.

pub(crate) mod list;
mod lower;
pub(crate) mod query;

use std::fmt::Write as _;

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, Revision, TypeId};

use crate::Error;
use crate::driver::{Param, Row, one_of};
use crate::transaction::{ChangeKind, ReadTx, Resource, WriteTx};

/// An object as it is stored. It is only ever given to callers who may see it.
#[derive(Debug, Clone)]
pub struct ObjectRow {
    /// Its id.
    pub public_id: i64,
    /// The id of its type.
    pub type_id: i64,
    /// Its revision.
    pub revision: Revision,
    /// How often it was looked at; `None` where the document carries its own count.
    pub views: Option<i64>,
    /// Encrypted values of password fields by field name, a JSON object of texts.
    pub secrets: Option<String>,
    /// The native document without `views`, as JSON text.
    pub document: String,
}

impl ObjectRow {
    /// The document, parsed.
    ///
    /// # Errors
    ///
    /// It is damaged.
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

    /// The native document, `views` included.
    ///
    /// # Errors
    ///
    /// It is damaged.
    pub fn native(&self) -> Result<Object, Error> {
        let mut object = self.object()?;
        if let Some(views) = self.views {
            object.set("views", Value::from(views));
        }
        Ok(object)
    }
}

/// What a caller gets to know of a record.
#[derive(Debug)]
pub enum Visibility<T> {
    /// It is there.
    Visible(T),
    /// It exists, but the ACL of its type hides it.
    Hidden,
    /// There is none.
    Missing,
}

/// What is written of an object.
#[derive(Debug, Clone)]
pub struct NewObject {
    /// The document without `views`; its `public_id` and `type_id` are those of the row.
    pub object: Object,
    /// Encrypted values of password fields.
    pub secrets: Option<String>,
    /// The objects that its reference fields name.
    pub references: Vec<i64>,
}

pub(crate) const COLUMNS: &str = "public_id, type_id, revision, views, secrets, doc";
const SELECT_ONE: &str =
    "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id = ?1";
const COUNT_OF_TYPE: &str = "SELECT COUNT(*) FROM object WHERE type_id = ?1";
const SELECT_CHUNK: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE type_id = ?1 AND public_id > ?2 ORDER BY public_id LIMIT ?3";
const INSERT: &str = "INSERT INTO object (public_id, type_id, active, revision, views, secrets, doc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const UPDATE: &str =
    "UPDATE object SET active = ?2, revision = ?3, secrets = ?4, doc = ?5 WHERE public_id = ?1";
const DELETE: &str = "DELETE FROM object WHERE public_id = ?1";
const ADD_VIEWS: &str = "UPDATE object SET views = views + ?2 WHERE public_id = ?1";
const INSERT_REFERENCE: &str = "INSERT INTO object_reference (target_id, object_id) VALUES (?1, ?2) ON CONFLICT (target_id, object_id) DO NOTHING";
const DELETE_REFERENCES: &str = "DELETE FROM object_reference WHERE object_id = ?1";

pub(crate) fn object_row(row: &dyn Row) -> Result<ObjectRow, Error> {
    Ok(ObjectRow {
        public_id: row.int(0)?,
        type_id: row.int(1)?,
        revision: Revision(row.int(2)?),
        views: row.opt_int(3)?,
        secrets: row.opt_text(4)?.map(str::to_owned),
        document: row.text(5)?.to_owned(),
    })
}

impl ReadTx<'_> {
    /// The object of that id, if the caller may see it.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn object(&mut self, scope: &Scope, id: ObjectId) -> Result<Visibility<ObjectRow>, Error> {
        Ok(
            match self.first(SELECT_ONE, &[id.get().into()], object_row)? {
                Some(row) if scope.sees(row.type_id) => Visibility::Visible(row),
                Some(_) => Visibility::Hidden,
                None => Visibility::Missing,
            },
        )
    }

    /// The objects of those ids: first the ones that the caller may see, in the order of `ids`, then the ids of hidden ones.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn objects(
        &mut self,
        scope: &Scope,
        ids: &[i64],
    ) -> Result<(Vec<ObjectRow>, Vec<i64>), Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM object WHERE {}",
            one_of("public_id", 1)
        );
        let mut rows = self.all(&sql, &[Param::Ints(ids)], object_row)?;
        let hidden = rows
            .iter()
            .filter(|row| !scope.sees(row.type_id))
            .map(|row| row.public_id)
            .collect();
        rows.retain(|row| scope.sees(row.type_id));
        let place: std::collections::HashMap<i64, usize> = ids
            .iter()
            .enumerate()
            .map(|(place, id)| (*id, place))
            .collect();
        rows.sort_by_key(|row| place.get(&row.public_id).copied());
        Ok((rows, hidden))
    }

    /// The objects that name one of `targets` in a reference field.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn referrers(&mut self, scope: &Scope, targets: &[i64]) -> Result<Vec<ObjectRow>, Error> {
        let sql = format!(
            "SELECT DISTINCT object_id FROM object_reference WHERE {}",
            one_of("target_id", 1)
        );
        let mut ids = self.all(&sql, &[Param::Ints(targets)], |row| row.int(0))?;
        ids.sort_unstable();
        Ok(self.objects(scope, &ids)?.0)
    }

    /// How many objects of a type the caller may see.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn count_objects_of_type(&mut self, scope: &Scope, r#type: TypeId) -> Result<i64, Error> {
        if !scope.sees(r#type.get()) {
            return Ok(0);
        }
        let count = self.first(COUNT_OF_TYPE, &[r#type.get().into()], |row| row.int(0))?;
        Ok(count.unwrap_or(0))
    }

    /// Objects of a type in the order of their ids, from after `after` on.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn objects_of_type(
        &mut self,
        scope: &Scope,
        r#type: TypeId,
        after: i64,
        limit: i64,
    ) -> Result<Vec<ObjectRow>, Error> {
        if !scope.sees(r#type.get()) {
            return Ok(Vec::new());
        }
        self.all(
            SELECT_CHUNK,
            &[r#type.get().into(), after.into(), limit.into()],
            object_row,
        )
    }
}

impl WriteTx<'_> {
    /// Inserts an object under a free id.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn insert_object(
        &mut self,
        revision: Revision,
        views: i64,
        new: &NewObject,
    ) -> Result<ObjectRow, Error> {
        self.insert_document(revision, Some(views), new)
    }

    /// Inserts a document below validation: old data may have shapes that no body may have, `views` that are no number among them.
    ///
    /// # Errors
    ///
    /// The engine failed, or the document has no ids.
    pub fn insert_old_document(&mut self, mut object: Object) -> Result<ObjectRow, Error> {
        let id = object
            .public_id()
            .ok_or_else(|| Error::Damaged("a document without public_id".to_owned()))?;
        let revision = self.claim_id(Resource::Object, id.get())?;
        let views = object.take_integer("views");
        self.insert_document(
            revision,
            views,
            &NewObject {
                object,
                secrets: None,
                references: Vec::new(),
            },
        )
    }

    fn insert_document(
        &mut self,
        revision: Revision,
        views: Option<i64>,
        new: &NewObject,
    ) -> Result<ObjectRow, Error> {
        let row = row_of(new, revision, views)?;
        let params = [
            row.public_id.into(),
            row.type_id.into(),
            i64::from(new.object.active()).into(),
            revision.0.into(),
            views.into(),
            row.secrets.as_deref().into(),
            row.document.as_str().into(),
        ];
        self.run_one(INSERT, &params)?;
        self.insert_references(row.public_id, &new.references)?;
        self.note_change(
            Resource::Object,
            row.public_id,
            None,
            revision,
            ChangeKind::Insert,
        )?;
        Ok(row)
    }

    /// Replaces an object that the caller was allowed to see.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn update_object(
        &mut self,
        stored: &ObjectRow,
        new: &NewObject,
    ) -> Result<ObjectRow, Error> {
        let row = row_of(new, stored.revision.next(), stored.views)?;
        let params = [
            stored.public_id.into(),
            i64::from(new.object.active()).into(),
            row.revision.0.into(),
            row.secrets.as_deref().into(),
            row.document.as_str().into(),
        ];
        self.run_one(UPDATE, &params)?;
        self.replace_references(stored, &new.references)?;
        self.note_change(
            Resource::Object,
            stored.public_id,
            None,
            row.revision,
            ChangeKind::Update,
        )?;
        Ok(row)
    }

    /// Removes an object that the caller was allowed to see; those that reference it keep their values.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn delete_object(&mut self, stored: &ObjectRow) -> Result<(), Error> {
        self.run_one(DELETE, &[stored.public_id.into()])?;
        self.run(DELETE_REFERENCES, &[stored.public_id.into()])?;
        self.note_change(
            Resource::Object,
            stored.public_id,
            None,
            stored.revision.next(),
            ChangeKind::Delete,
        )
    }

    /// Notes anew what an object references, without a change of the object: after its type changed.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn replace_references(
        &mut self,
        stored: &ObjectRow,
        references: &[i64],
    ) -> Result<(), Error> {
        self.run(DELETE_REFERENCES, &[stored.public_id.into()])?;
        self.insert_references(stored.public_id, references)
    }

    fn insert_references(&mut self, object: i64, references: &[i64]) -> Result<(), Error> {
        for target in references {
            self.run(INSERT_REFERENCE, &[(*target).into(), object.into()])?;
        }
        Ok(())
    }

    /// Adds to the count of views; outside of revisions and history. Objects that are gone meanwhile are passed over.
    ///
    /// # Errors
    ///
    /// The engine failed.
    pub fn add_views(&mut self, id: i64, count: i64) -> Result<(), Error> {
        self.run(ADD_VIEWS, &[id.into(), count.into()]).map(drop)
    }
}

fn row_of(new: &NewObject, revision: Revision, views: Option<i64>) -> Result<ObjectRow, Error> {
    let id = |key: &str| {
        new.object
            .integer(key)
            .ok_or_else(|| Error::Damaged(format!("a document without {key}")))
    };
    Ok(ObjectRow {
        public_id: id("public_id")?,
        type_id: id("type_id")?,
        revision,
        views,
        secrets: new.secrets.clone(),
        document: serde_json::to_string(new.object.members())?,
    })
}
