use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::import::ImportPolicy;

/// A saved mapping of imports
#[derive(ToSchema)]
pub(crate) struct Source {
    public_id: i64,
    #[schema(example = "vcenter")]
    name: String,
    /// The type of its objects
    type_id: i64,
    /// Where the columns go, by their names
    columns: Map<String, Value>,
    /// The columns whose values identify a record
    external_key: Vec<String>,
    /// The fields by which an object is found that the source does not know yet
    key: Vec<String>,
    policy: ImportPolicy,
    missing: SourceMissing,
    /// How many percent of the known objects may be missing at once
    #[schema(minimum = 0, maximum = 100)]
    missing_limit: i64,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    creation_time: String,
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_edit_time: Option<String>,
    /// Id of the last import that wrote; it may be deleted
    #[schema(required)]
    last_import: Option<i64>,
    /// When that began
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_import_at: Option<String>,
    /// Number of objects that belong to a record
    #[schema(minimum = 0)]
    linked_objects: i64,
    /// Number of those whose records are missing
    #[schema(minimum = 0)]
    missing_objects: i64,
}

/// A source as it was, without its imports
#[derive(ToSchema)]
pub(crate) struct PastSource {
    public_id: i64,
    name: String,
    type_id: i64,
    columns: Map<String, Value>,
    external_key: Vec<String>,
    key: Vec<String>,
    policy: ImportPolicy,
    missing: SourceMissing,
    #[schema(minimum = 0, maximum = 100)]
    missing_limit: i64,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    creation_time: String,
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_edit_time: Option<String>,
}

/// What happens to objects whose records are missing: nothing; the source notes since when; they
/// become inactive, too; they are deleted
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum SourceMissing {
    Keep,
    Flag,
    Deactivate,
    Delete,
}

/// A source to store
#[derive(ToSchema)]
pub(crate) struct SourceBody {
    /// On PUT, the id in the path; on POST, an id that no source ever had
    #[schema(required = false)]
    public_id: Option<i64>,
    /// No other source has it
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The type of its objects, which never changes
    type_id: i64,
    /// As in the body of a run, by the names of columns: the name of a field, `public_id` or
    /// `active`; or for a reference `{"field": …, "by": …}`. At most 64 KiB
    columns: Map<String, Value>,
    /// The columns whose values identify a record, at most 10. Without any, nothing is tracked
    #[schema(required = false)]
    external_key: Option<Vec<String>>,
    /// The fields by which an object is found that the source does not know yet. Without any, a new
    /// object is made
    #[schema(required = false)]
    key: Option<Vec<String>>,
    /// `stop` by default
    #[schema(required = false)]
    policy: Option<ImportPolicy>,
    /// `keep` by default; all others need `external_key`
    #[schema(required = false)]
    missing: Option<SourceMissing>,
    /// 20 by default. If more of the known objects are missing, none of them is touched
    #[schema(required = false, minimum = 0, maximum = 100)]
    missing_limit: Option<i64>,
}

/// The parameters of a page of objects.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SourceObjectsParameters {
    /// Only objects whose records are missing
    #[param(required = false)]
    missing: bool,
    /// How many objects, at most 500
    #[param(required = false, example = 100)]
    limit: i64,
    /// The cursor of the page before, from `pager.after`
    #[param(required = false)]
    after: String,
}

/// An object that belongs to a record of a source
#[derive(ToSchema)]
pub(crate) struct SourceObject {
    object_id: i64,
    /// The values of the columns that identify the record
    external_key: Vec<String>,
    /// When an import saw the record last
    #[schema(example = "2026-01-31T12:00:00.000000")]
    last_seen_at: String,
    /// Since when the record is missing
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    missing_since: Option<String>,
}

/// A source to whose record an object belongs
#[derive(ToSchema)]
pub(crate) struct ObjectSource {
    source_id: i64,
    #[schema(example = "vcenter")]
    source_name: String,
    object_id: i64,
    /// The values of the columns that identify the record
    external_key: Vec<String>,
    /// When an import saw the record last
    #[schema(example = "2026-01-31T12:00:00.000000")]
    last_seen_at: String,
    /// Since when the record is missing
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    missing_since: Option<String>,
    /// Whether the source made the object inactive
    deactivated: bool,
    /// Id of the last import that saw the record or missed it; it may be deleted
    #[schema(required)]
    last_import: Option<i64>,
}
