use serde_json::{Map, Value};
use stockroom_model::view::Visibility;
use utoipa::ToSchema;

/// A view to store. By default a user has at most 500 views, of 2 MiB in total
#[derive(ToSchema)]
pub(crate) struct ViewBody {
    /// On PUT, the id in the path; on POST, an id that no view ever had
    #[schema(required = false)]
    public_id: Option<i64>,
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    #[schema(required = false, max_length = 2000)]
    description: Option<String>,
    /// All types by default
    #[schema(required = false)]
    type_id: Option<i64>,
    /// `private` by default
    #[schema(required = false)]
    visibility: Option<Visibility>,
    /// Only with `visibility` `group`: the group, by default that of the caller
    #[schema(required = false)]
    group_id: Option<i64>,
    /// False by default; at most one for a type and the same people
    #[schema(required = false)]
    is_default: Option<bool>,
    /// Any JSON object of at most 64 KiB. `filter` in it must be one that lists accept
    #[schema(required = false)]
    definition: Option<Map<String, Value>>,
}
