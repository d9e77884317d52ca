//! An archive of everything that the caller may see: types, categories, and the objects of each
//! type.

use std::io::Write as _;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_access::permission::{CategoryView, ObjectView, TypeView};
use stockroom_filter::{Checked, Order, Parsed, Sort};
use stockroom_model::json::Value;
use stockroom_model::{Type, TypeId};
use stockroom_store::{ObjectQuery, ReadTx, Restriction};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::ExportFile;
use super::rows::Rows;
use super::thread::{self, Begun, Exporting, Failure, Sink};
use crate::core::caller::Authorization;
use crate::records::object::list::PATHS;
use crate::{Error, Permit, category, r#type};

const EXTENSION: &str = "zip";
const LEVEL: i64 = 1;
/// What stands before the name of a type.
const FOLDER: &str = "objects/";

type Archive<'p> = ZipWriter<StreamWriter<&'p Sink>>;

/// Everything that the caller may see.
///
/// # Errors
///
/// Nothing of the file was sent.
pub async fn all(permit: &Permit<ObjectView>, is_head: bool) -> Result<ExportFile, Error> {
    if is_head {
        let name = thread::file_name("everything", permit.now(), EXTENSION);
        return Ok(ExportFile {
            name,
            content: None,
        });
    }
    let authorization = permit.authorization();
    thread::start(permit, Everything { authorization }).await
}

struct Everything {
    authorization: Authorization,
}

/// What the archive has.
struct Contents {
    scope: Arc<Scope>,
    /// The documents of types; `None` without the right to see them.
    types: Option<Vec<Value>>,
    categories: Option<Vec<Value>>,
    /// The types whose objects the caller may see, with the names of their files.
    files: Vec<(TypeId, String)>,
}

impl Exporting for Everything {
    type Prepared = Contents;

    fn describe(&self) -> (&'static str, &str) {
        (EXTENSION, "{}")
    }

    fn begin(&self, tx: &mut ReadTx<'_>) -> Result<Begun<Contents>, Error> {
        let access = self.authorization.access(tx)?;
        let entries = || tx.catalog().types().map(|entry| &entry.record);
        let types = access.holds::<TypeView>();
        let seen = entries().filter(|record| access.scope.sees(record.public_id));
        let files = seen.map(|record| (record.public_id, file_of(record)));
        let found = Contents {
            types: types.then(|| entries().map(r#type::answer).collect()),
            files: files.collect(),
            categories: access
                .holds::<CategoryView>()
                .then(|| category::documents(tx))
                .transpose()?,
            scope: access.scope,
        };
        let name = thread::file_name("everything", self.authorization.now(), EXTENSION);
        Ok(Begun { name, found })
    }

    fn write(self, tx: &mut ReadTx<'_>, found: Contents, sink: &Sink) -> Result<usize, Failure> {
        let mut archive = ZipWriter::new_stream(sink);
        match self.fill(&mut archive, tx, found) {
            Ok(count) => {
                archive.finish()?;
                Ok(count)
            }
            Err(error) => {
                // Before the writer is dropped, which writes an end.
                sink.close();
                Err(error)
            }
        }
    }
}

impl Everything {
    fn fill(
        &self,
        archive: &mut Archive<'_>,
        tx: &mut ReadTx<'_>,
        contents: Contents,
    ) -> Result<usize, Failure> {
        let lists = [
            ("types.json", contents.types),
            ("categories.json", contents.categories),
        ];
        for (name, documents) in lists {
            if let Some(documents) = documents {
                archive.start_file(name, options())?;
                serde_json::to_writer(&mut *archive, &documents)?;
            }
        }
        let mut count = 0;
        for (id, name) in contents.files {
            archive.start_file(name, options())?;
            count += self.objects(archive, tx, &contents.scope, id)?;
        }
        Ok(count)
    }

    /// Writes the objects of a type by id, one on each line.
    fn objects(
        &self,
        archive: &mut Archive<'_>,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        id: TypeId,
    ) -> Result<usize, Failure> {
        let query = ObjectQuery {
            filter: of_type(self.authorization.service().limits(), id)?,
            sort: Sort::objects("public_id", Order::Ascending),
            active_only: false,
            restriction: Restriction::None,
        };
        let mut rows = Rows::Walk(tx.walk_list(scope, &query)?);
        let mut count = 0;
        let mut text = String::new();
        loop {
            let chunk = rows.next(tx, scope, &self.authorization)?;
            if chunk.is_empty() {
                return Ok(count);
            }
            count += chunk.len();
            for row in chunk {
                row.write_native(&mut text);
                text.push('\n');
            }
            archive.write_all(text.as_bytes())?;
            text.clear();
        }
    }
}

fn of_type(limits: &stockroom_filter::Limits, id: TypeId) -> Result<Checked, Error> {
    let filter = serde_json::json!({ "type_id": id });
    let parsed = Parsed::from_value(&filter, limits).and_then(|parsed| parsed.check(&PATHS));
    parsed.map_err(crate::core::error::parameter("filter"))
}

/// The name of the file of a type. Names of types are unique.
fn file_of(definition: &Type) -> String {
    let name = definition.name.replace(['/', '\\'], "_");
    format!("{FOLDER}{name}.ndjson")
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .large_file(true)
}
