//! Sources of imports.

use stockroom_model::{ImportId, Revision, Source, SourceId, Timestamp, TypeId};

use crate::Error;
use crate::engine::driver::{Param, Row};
use crate::records::record::{Record, Statements};
use crate::records::stored::{Stored, stored};
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteContext, WriteTx};

pub(crate) const SELECT_ONE: &str = "SELECT revision, doc FROM source WHERE public_id = ?1";
const SELECT_KNOWN: &str =
    "SELECT revision, doc, last_import_id, last_import_at FROM source WHERE public_id = ?1";
const SELECT_ALL: &str =
    "SELECT revision, doc, last_import_id, last_import_at FROM source ORDER BY public_id";
const SELECT_NAMED: &str = "SELECT revision, doc FROM source WHERE name = ?1";
const SELECT_OF_TYPE: &str =
    "SELECT revision, doc FROM source WHERE type_id = ?1 ORDER BY public_id";
const COUNT: &str = "SELECT COUNT(*) FROM source";
const NOTE_IMPORT: &str =
    "UPDATE source SET last_import_id = ?2, last_import_at = ?3 WHERE public_id = ?1";
const STATEMENTS: Statements = Statements {
    resource: Resource::Source,
    document: "SELECT doc FROM source WHERE public_id = ?1",
    insert: "INSERT INTO source (public_id, revision, doc, name, type_id, last_import_id, last_import_at) VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL)",
    update: "UPDATE source SET revision = ?2, doc = ?3, name = ?4, type_id = ?5 WHERE public_id = ?1",
    delete: "DELETE FROM source WHERE public_id = ?1",
};

/// A source, and what is known of its imports.
#[derive(Debug, Clone)]
pub struct KnownSource {
    /// The record.
    pub source: Stored<Source>,
    /// The last import that wrote, which may be deleted.
    pub last_import: Option<ImportId>,
    /// When that began.
    pub last_import_at: Option<Timestamp>,
}

/// The columns that repeat members of the document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) name: String,
    pub(crate) type_id: i64,
}

impl Columns {
    pub(crate) fn of(source: &Source) -> Self {
        Self {
            name: source.name.clone(),
            type_id: source.type_id.get(),
        }
    }

    fn params(&self) -> [Param<'_>; 2] {
        [self.name.as_str().into(), self.type_id.into()]
    }
}

impl Record for Source {
    fn record_edit(&mut self, context: &WriteContext) {
        self.last_edit_time = Some(context.now.to_iso());
    }
}

fn known(row: &dyn Row) -> Result<KnownSource, Error> {
    Ok(KnownSource {
        source: stored(row, 0)?,
        last_import: row.opt_int(2)?.and_then(ImportId::new),
        last_import_at: row.opt_int(3)?.map(Timestamp),
    })
}

impl ReadTx<'_> {
    /// The source of that id.
    pub fn source(&mut self, id: SourceId) -> Result<Option<KnownSource>, Error> {
        self.first(SELECT_KNOWN, &[id.get().into()], known)
    }

    /// The source of that name.
    pub fn source_named(&mut self, name: &str) -> Result<Option<Stored<Source>>, Error> {
        self.one_record(SELECT_NAMED, &[name.into()])
    }

    /// All sources, by id.
    pub fn sources(&mut self) -> Result<Vec<KnownSource>, Error> {
        self.all(SELECT_ALL, &[], known)
    }

    /// The sources of a type.
    pub fn sources_of_type(&mut self, type_id: TypeId) -> Result<Vec<Stored<Source>>, Error> {
        self.all_records(SELECT_OF_TYPE, &[type_id.into()])
    }

    /// The number of sources.
    pub fn count_sources(&mut self) -> Result<usize, Error> {
        let count = self.first(COUNT, &[], |row| row.int(0))?;
        Ok(count
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or_default())
    }
}

impl WriteTx<'_> {
    /// Inserts a source under a free id.
    pub fn insert_source(
        &mut self,
        revision: Revision,
        source: Source,
    ) -> Result<Stored<Source>, Error> {
        let columns = Columns::of(&source);
        let id = source.public_id.get();
        self.insert_record(&STATEMENTS, id, revision, source, &columns.params())
    }

    /// Replaces a source; writes nothing if it is unchanged.
    pub fn update_source(
        &mut self,
        stored: Stored<Source>,
        source: Source,
    ) -> Result<Stored<Source>, Error> {
        let columns = Columns::of(&source);
        let id = source.public_id.get();
        self.update_record(&STATEMENTS, id, stored, source, &columns.params())
    }

    /// Removes a source with its links.
    pub fn delete_source(&mut self, id: SourceId, stored: Revision) -> Result<(), Error> {
        self.delete_source_links(id)?;
        self.delete_record(&STATEMENTS, id.get(), stored)
    }

    /// Notes that an import of a source begins to write.
    pub fn record_import_of_source(&mut self, id: SourceId, import: ImportId) -> Result<(), Error> {
        let now = self.context().now.0;
        let params = [id.get().into(), import.get().into(), now.into()];
        self.run(NOTE_IMPORT, &params).map(drop)
    }
}
