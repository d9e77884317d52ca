//! The common part of the small collections: a table of documents with id and revision.

use serde::Serialize;
use serde::de::DeserializeOwned;
use stockroom_model::Revision;

use crate::Error;
use crate::engine::driver::Param;
use crate::records::image::Before;
use crate::records::stored::{Stored, stored};
use crate::resource::Resource;
use crate::transaction::{Action, Change, ReadTx, WriteContext, WriteTx};

/// A record that can be updated.
pub(crate) trait Record: Serialize {
    /// Records editor and edit time, if the record has them.
    fn record_edit(&mut self, _: &WriteContext) {}

    /// Whether it equals the stored record, so that nothing needs to be written.
    fn is_same(&self, stored: &Self) -> Result<bool, Error> {
        Ok(serde_json::to_value(self)? == serde_json::to_value(stored)?)
    }
}

impl ReadTx<'_> {
    pub(crate) fn one_record<T: DeserializeOwned>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Option<Stored<T>>, Error> {
        self.first(sql, params, |row| stored(row, 0))
    }

    pub(crate) fn all_records<T: DeserializeOwned>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<Vec<Stored<T>>, Error> {
        self.all(sql, params, |row| stored(row, 0))
    }
}

/// The statements of a small collection. Parameters: `?1` is the id, `?2` the revision, `?3` the
/// document; then come the `columns`.
pub(crate) struct Statements {
    pub(crate) resource: Resource,
    /// Selects the document.
    pub(crate) document: &'static str,
    pub(crate) insert: &'static str,
    pub(crate) update: &'static str,
    pub(crate) delete: &'static str,
}

impl WriteTx<'_> {
    pub(crate) fn insert_record<T: Serialize>(
        &mut self,
        statements: &Statements,
        id: i64,
        revision: Revision,
        record: T,
        columns: &[Param<'_>],
    ) -> Result<Stored<T>, Error> {
        self.write_record(
            statements,
            statements.insert,
            id,
            revision,
            &record,
            columns,
        )?;
        Ok(Stored { record, revision })
    }

    /// Replaces a record; writes nothing if it is unchanged.
    pub(crate) fn update_record<T: Record>(
        &mut self,
        statements: &Statements,
        id: i64,
        stored: Stored<T>,
        record: T,
        columns: &[Param<'_>],
    ) -> Result<Stored<T>, Error> {
        if record.is_same(&stored.record)? {
            return Ok(stored);
        }
        self.replace_record(statements, id, stored.revision, record, columns)
    }

    pub(crate) fn replace_record<T: Record>(
        &mut self,
        statements: &Statements,
        id: i64,
        stored: Revision,
        mut record: T,
        columns: &[Param<'_>],
    ) -> Result<Stored<T>, Error> {
        record.record_edit(self.context());
        let revision = stored.next();
        self.write_record(
            statements,
            statements.update,
            id,
            revision,
            &record,
            columns,
        )?;
        Ok(Stored { record, revision })
    }

    pub(crate) fn delete_record(
        &mut self,
        statements: &Statements,
        id: i64,
        stored: Revision,
    ) -> Result<(), Error> {
        let before = self.document(statements, id)?.unwrap_or_default();
        self.run_one(statements.delete, &[id.into()])?;
        self.add_record_change(
            statements,
            id,
            stored.next(),
            Action::Delete,
            Before::Removed(&before),
        )
    }

    fn write_record<T: Serialize>(
        &mut self,
        statements: &Statements,
        sql: &'static str,
        id: i64,
        revision: Revision,
        record: &T,
        columns: &[Param<'_>],
    ) -> Result<(), Error> {
        let before = self.document(statements, id)?;
        let after = serde_json::to_string(record)?;
        self.record_document(&after);
        let mut params = vec![id.into(), revision.0.into(), after.as_str().into()];
        params.extend_from_slice(columns);
        self.run_one(sql, &params)?;
        let (action, before) = match &before {
            None => (Action::Insert, Before::Nothing),
            Some(before) => {
                let after = &after;
                (Action::Update, Before::Document { before, after })
            }
        };
        self.add_record_change(statements, id, revision, action, before)
    }

    /// The document as stored. A record that was read and written again may be spelled differently.
    fn document(&mut self, statements: &Statements, id: i64) -> Result<Option<String>, Error> {
        self.first(statements.document, &[id.into()], |row| {
            Ok(row.text(0)?.to_owned())
        })
    }

    fn add_record_change(
        &mut self,
        statements: &Statements,
        id: i64,
        revision: Revision,
        action: Action,
        before: Before<'_>,
    ) -> Result<(), Error> {
        self.add_change(&Change {
            resource: statements.resource,
            id,
            name: "",
            type_id: None,
            revision,
            action,
            before,
        })
    }
}
