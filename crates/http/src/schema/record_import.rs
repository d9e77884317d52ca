use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::envelope::{Effects, Fault};

/// Records as lists of them answer them; members that a record lacks stay as they are here
#[derive(ToSchema)]
pub(crate) struct RecordsToImport {
    /// At most 1,000
    #[schema(required = false)]
    types: Option<Vec<Map<String, Value>>>,
    /// At most 1,000
    #[schema(required = false)]
    categories: Option<Vec<Map<String, Value>>>,
    /// At most 1,000
    #[schema(required = false)]
    groups: Option<Vec<Map<String, Value>>>,
}

/// What became of the records of a file
#[derive(ToSchema)]
pub(crate) struct ImportedRecords {
    /// Groups, types and categories, each in the order of the body
    results: Vec<ImportedRecord>,
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
}

/// What became of a record
#[derive(ToSchema)]
struct ImportedRecord {
    resource: ImportedResource,
    name: String,
    /// Its id here
    #[schema(minimum = 1)]
    public_id: i64,
    action: RecordImportAction,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ImportedResource {
    Group,
    Type,
    Category,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum RecordImportAction {
    New,
    Update,
    Unchanged,
}
