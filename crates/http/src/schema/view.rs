use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A saved way to look at objects
#[derive(ToSchema)]
pub(crate) struct View {
    public_id: i64,
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// The type whose objects it shows; null for all types
    #[schema(required)]
    type_id: Option<i64>,
    visibility: ViewVisibility,
    /// The user who made it; null once that user is deleted
    #[schema(required)]
    owner_id: Option<i64>,
    /// The group that sees it; null unless `visibility` is `group`
    #[schema(required)]
    group_id: Option<i64>,
    /// Whether it opens first for its type and those who see it
    is_default: bool,
    /// Columns, filter, sort and so on
    definition: Map<String, Value>,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    creation_time: String,
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    last_edit_time: Option<String>,
}

/// Who sees a view beside its owner: nobody, a group, or everybody
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum ViewVisibility {
    Private,
    Group,
    All,
}

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
    visibility: Option<ViewVisibility>,
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
