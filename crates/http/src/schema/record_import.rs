use serde::Serialize;
use serde_json::{Map, Value};
use stockroom_model::Problem as Fault;
use stockroom_service::open_transaction::Effects;
use stockroom_service::record_import::ImportedRecord;
use utoipa::ToSchema;

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
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportedRecords {
    /// Groups, types and categories, each in the order of the body
    pub(crate) results: Vec<ImportedRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub(crate) effects: Option<Effects>,
}
