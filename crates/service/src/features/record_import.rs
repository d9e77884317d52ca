//! `POST /imports/records`: types, categories and groups of a file become those of this inventory,
//! all of them or none (`docs/guide/src/imports.md`).
//!
//! | step | file | what happens |
//! |---|---|---|
//! | read | `file.rs` | the body becomes lists of records |
//! | find | `names.rs` | names find the records here; new ones get ids |
//! | translate | `translate.rs` | ids of the file become ids of this inventory |
//! | write | `write.rs` | the inserts and updates of each resource |

mod file;
mod names;
mod translate;
mod write;

use std::sync::Arc;

use serde::Serialize;
use stockroom_access::permission::TypeImport;
use stockroom_model::json::Value;
use stockroom_model::{Problem, pattern};
use stockroom_store::WriteTx;
use utoipa::ToSchema;

use self::file::File;
use self::write::Writer;
use crate::{Error, Permit, RequestContext};

/// What became of the records of a file.
#[derive(Debug)]
pub struct ImportedRecords {
    /// Groups, types and categories, each in the order of the body.
    pub results: Vec<ImportedRecord>,
    /// Findings that do not refuse the request.
    pub warnings: Vec<Problem>,
}

/// What became of a record
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportedRecord {
    /// What it is
    pub resource: ImportedResource,
    /// Its name
    pub name: String,
    /// Its id here
    #[schema(minimum = 1)]
    pub public_id: i64,
    /// What was done
    pub action: Action,
}

/// What records of a file are
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportedResource {
    /// Users hold their rights through it.
    Group,
    /// It defines objects.
    Type,
    /// It organises types.
    Category,
}

/// What was done with a record of a file
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RecordImportAction)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// There was none of its name.
    New,
    /// There was one, which is changed.
    Update,
    /// There was one, which is the same.
    Unchanged,
}

/// Imports the records of a body. Each needs the rights that it needs alone.
///
/// # Errors
///
/// [`Error::Invalid`] with all problems of all records; [`Error::Forbidden`] names the first record
/// that the caller may not write.
pub async fn import(permit: &Permit<TypeImport>, body: Value) -> Result<ImportedRecords, Error> {
    let file = Arc::new(File::read(body)?);
    compile_patterns(permit, &file).await?;
    let mut caller = permit.caller().clone();
    // Warnings are final only after the last record.
    caller.request = RequestContext {
        strict: false,
        ..caller.request
    };
    let (caller, outer) = (Arc::new(caller), permit.clone());
    permit
        .write(move |tx: &mut WriteTx<'_>| {
            let mut imported = Writer::new(&caller, &file).run(tx)?;
            imported.warnings = outer.warn(imported.warnings)?;
            Ok(imported)
        })
        .await
}

/// Expressions of a file may take as much as those of this many types.
const PATTERNS_OF_TYPES: usize = 4;

/// Compiles the regular expressions of all types before the transaction, which then finds them in
/// the cache.
async fn compile_patterns(permit: &Permit<TypeImport>, file: &Arc<File>) -> Result<(), Error> {
    let limits = permit.service().records();
    let each = limits.pattern_bytes;
    let all = limits.type_pattern_bytes.saturating_mul(PATTERNS_OF_TYPES);
    let file = Arc::clone(file);
    let compile = move || {
        let mut sum = 0_usize;
        for source in file.patterns() {
            // What is wrong with one is reported with its type.
            sum = sum.saturating_add(pattern::check(source, each).unwrap_or_default());
            if sum > all {
                return false;
            }
        }
        true
    };
    if permit.caller().run_blocking(compile).await? {
        return Ok(());
    }
    let detail = format!(
        "the regular expressions of these types take more than {} KiB when compiled; send fewer types at once",
        all / 1_024
    );
    Err(Error::invalid("/types", detail))
}
