//! Exports of objects as files (`docs/guide/src/exports.md`). A thread reads one snapshot and
//! writes the file, while the client reads it.

mod archive;
mod columns;
mod documents;
mod file;
mod pipe;
mod rows;
mod saved_view;
mod sheet;
mod table;
mod thread;

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, TypeId, ViewId};
use stockroom_store::{ObjectQuery, ReadTx, Restriction, Want, Window};

use self::columns::Wanted;
use self::file::File;
use self::rows::Rows;
use self::thread::{Begun, Exporting, Failure, Sink};
use crate::core::caller::Authorization;
use crate::records::object::list::{ListRead, ObjectListRequest, PastList};
use crate::records::object::past::PastView;
use crate::{Error, Permit};

pub use self::archive::all;
pub use self::pipe::{Broken, PipeReader};

/// The most rows of a sheet, which has a row of names, too.
const MAX_SHEET_ROWS: usize = 1_048_576 - 1;

/// A file for objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A table of one type, as text.
    Csv {
        /// The ASCII character between two cells.
        separator: u8,
        /// Whether the file begins with a byte order mark.
        bom: bool,
    },
    /// A table of one type, for spreadsheets.
    Xlsx,
    /// A JSON list of native documents.
    Json,
    /// A native document on each line.
    Ndjson,
}

impl Format {
    /// The end of file names.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv { .. } => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    const fn is_table(self) -> bool {
        matches!(self, Self::Csv { .. } | Self::Xlsx)
    }
}

/// The request of an export.
#[derive(Debug, Clone)]
pub struct ObjectExport {
    /// Which objects, in which order.
    pub list: ObjectListRequest,
    /// The filter as it was sent, for the log.
    pub filter: String,
    /// The saved view that says the same, unless the request does.
    pub view: Option<ViewId>,
    /// The format of the file.
    pub format: Format,
    /// The names of the columns; `None` for all.
    pub columns: Option<Vec<String>>,
    /// Whether a table shows labels in place of ids and names.
    pub labels: bool,
    /// Whether only the name of the file is wanted.
    pub is_head: bool,
}

/// A file that is being written.
pub struct ExportFile {
    /// Its name.
    pub name: String,
    /// Its content; `None` if only the name was wanted.
    pub content: Option<PipeReader>,
}

/// The objects that the caller may see.
///
/// # Errors
///
/// Nothing of the file was sent.
pub async fn objects(
    permit: &Permit<ObjectView>,
    mut request: ObjectExport,
) -> Result<ExportFile, Error> {
    if request.labels && !request.format.is_table() {
        let detail = "needs the format csv or xlsx; documents have no labels";
        return Err(Error::invalid("labels", detail));
    }
    let mut wanted = Wanted::new(request.columns.take());
    if let Some(view) = request.view {
        saved_view::apply(permit, view, &mut request.list.list, &mut wanted).await?;
    }
    let is_head = request.is_head;
    let job = Job::new(permit, request, wanted).await?;
    if is_head {
        let begun = permit.read(move |tx| job.begin(tx)).await?;
        return Ok(ExportFile {
            name: begun.name,
            content: None,
        });
    }
    thread::start(permit, job).await
}

/// An export, prepared for its snapshot.
struct Job {
    authorization: Authorization,
    read: ListRead,
    past: Option<Past>,
    format: Format,
    wanted: Wanted,
    labels: bool,
    filter: String,
}

/// The matches at a time.
struct Past {
    view: Arc<PastView>,
    ids: Vec<ObjectId>,
}

/// What an export found when it began.
struct PreparedExport {
    scope: Arc<Scope>,
    rows: Rows,
    file: File,
}

impl Job {
    async fn new(
        permit: &Permit<ObjectView>,
        request: ObjectExport,
        wanted: Wanted,
    ) -> Result<Self, Error> {
        let none = Restriction::None;
        let (read, past) = match request.list.as_of {
            Some(_) if request.list.search.is_some() => {
                return Err(Error::invalid("q", "cannot stand beside `as_of`"));
            }
            Some(at) => {
                let list = PastList::find(permit, request.list, none, at).await?;
                let (read, view, ids) = list.into_parts();
                (read, Some(Past { view, ids }))
            }
            None => (ListRead::new(permit, request.list, none, None)?, None),
        };
        Ok(Self {
            authorization: permit.authorization(),
            read,
            past,
            format: request.format,
            wanted,
            labels: request.labels,
            filter: request.filter,
        })
    }

    /// Refuses more rows than a sheet has.
    fn check_rows(
        &self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        query: &ObjectQuery,
    ) -> Result<(), Error> {
        if self.format != Format::Xlsx {
            return Ok(());
        }
        let count = if let Some(past) = &self.past {
            past.ids.len()
        } else {
            let page = tx.list(scope, query, &Window::everything(), Want::Total)?;
            page.total.unwrap_or_default()
        };
        if count > MAX_SHEET_ROWS {
            let detail = format!(
                "{count} objects match, and a sheet has {MAX_SHEET_ROWS} rows: use a filter, or csv"
            );
            return Err(Error::invalid("format", detail));
        }
        Ok(())
    }
}

impl Exporting for Job {
    type Prepared = PreparedExport;

    fn describe(&self) -> (&'static str, &str) {
        (self.format.extension(), &self.filter)
    }

    fn begin(&self, tx: &mut ReadTx<'_>) -> Result<Begun<PreparedExport>, Error> {
        let access = self.authorization.access(tx)?;
        let past = self.past.as_ref().map(|past| &past.view);
        let scope = past.map_or_else(|| access.scope.clone(), |past| past.scope(&access));
        let catalog = past.map_or_else(|| tx.catalog(), |past| &past.catalog);
        let query = self.read.query(catalog, &scope);
        let mut warnings = self.read.names.warnings(catalog, &scope);
        let types = catalog.types_of_list(&scope, &query)?;
        let only = only_type(types, || {
            let all = catalog.types().map(|entry| entry.record.public_id);
            all.filter(|id| scope.sees(*id)).take(2).collect()
        });
        let entry = only.and_then(|id| catalog.type_entry(id)).cloned();
        let columns = self
            .wanted
            .resolve(catalog, &scope, self.format, entry.as_deref())?;
        let (query, warning) = self.read.searched(tx, &scope, query)?;
        warnings.extend(warning);
        if !warnings.is_empty() {
            return Err(Error::no_place_for(warnings));
        }
        self.check_rows(tx, &scope, &query)?;
        let rows = match &self.past {
            Some(past) => Rows::of_past(&past.ids, past.view.at),
            None => Rows::Walk(tx.walk_list(&scope, &query)?),
        };
        let base = entry.as_ref().map_or("objects", |entry| &entry.record.name);
        let time = past.map_or_else(|| self.authorization.now(), |past| past.at);
        let name = thread::file_name(base, time, self.format.extension());
        let at = past.map(|past| past.at);
        let templates = self.read.templates(tx);
        let file = File::new(
            self.format,
            columns,
            entry.as_deref(),
            self.labels,
            (templates, at),
        );
        let found = PreparedExport { scope, rows, file };
        Ok(Begun { name, found })
    }

    fn write(
        self,
        tx: &mut ReadTx<'_>,
        found: PreparedExport,
        sink: &Sink,
    ) -> Result<usize, Failure> {
        let PreparedExport {
            scope,
            mut rows,
            file,
        } = found;
        let mut count = 0;
        let mut writing = file.open(sink)?;
        let written = loop {
            let read = rows.next(tx, &scope, &self.authorization);
            let chunk = match read {
                Ok(chunk) if chunk.is_empty() => break Ok(()),
                Ok(chunk) => chunk,
                Err(error) => break Err(error.into()),
            };
            count += chunk.len();
            if let Err(error) = writing.rows(tx, &scope, chunk) {
                break Err(error);
            }
        };
        match written.and_then(|()| writing.end()) {
            Ok(()) => Ok(count),
            Err(error) => {
                // Before the writer of an archive is dropped: it would write its end.
                sink.close();
                Err(error)
            }
        }
    }
}

/// The only type that objects may have, if there is just one.
fn only_type(types: Option<Vec<TypeId>>, all: impl FnOnce() -> Vec<TypeId>) -> Option<TypeId> {
    match types.unwrap_or_else(all).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
