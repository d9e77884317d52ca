use serde_json::{Map, Value};
use stockroom_model::source::{Missing, Policy};
use utoipa::{IntoParams, ToSchema};

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
    policy: Option<Policy>,
    /// `keep` by default; all others need `external_key`
    #[schema(required = false)]
    missing: Option<Missing>,
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
