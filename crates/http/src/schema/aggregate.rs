use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Which objects to count, and how to group and measure them
#[derive(ToSchema)]
pub(crate) struct AggregateBody {
    /// The objects, in the MongoDB query language; by default all
    #[schema(required = false)]
    filter: Option<Map<String, Value>>,
    /// True counts active objects only
    #[schema(required = false)]
    active: Option<bool>,
    /// What the objects of a group have in common; without any, all objects are one group
    #[schema(required = false, max_items = 3)]
    group_by: Option<Vec<Grouping>>,
    /// What to compute of each group
    #[schema(required = false, max_items = 5)]
    measures: Option<Vec<Measure>>,
    /// By `count`, the default, or by `key`; equal counts are sorted by ascending keys
    #[schema(required = false)]
    sort: Option<GroupSort>,
    /// 1 sorts ascending, any other value descending. By default counts are descending and keys
    /// ascending
    #[schema(required = false)]
    order: Option<i64>,
    /// The most groups to answer; 100 by default
    #[schema(required = false, minimum = 1, maximum = 1_000)]
    limit: Option<i64>,
}

/// A value that the objects of a group have in common
#[derive(ToSchema)]
struct Grouping {
    /// `fields.<name>`, `type_id`, `active`, `author_id`, `creation_time` or `last_edit_time`
    #[schema(example = "creation_time")]
    field: String,
    /// Takes dates of the same day, month or year (UTC) for the same
    #[schema(required = false)]
    by: Option<Period>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum Period {
    Day,
    Month,
    Year,
}

/// A result for each group
#[derive(ToSchema)]
struct Measure {
    function: Function,
    /// `fields.<name>`, `creation_time` or `last_edit_time`
    #[schema(example = "fields.cores")]
    field: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum Function {
    Min,
    Max,
    Sum,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
enum GroupSort {
    Count,
    Key,
}
