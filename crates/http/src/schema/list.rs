use utoipa::IntoParams;

/// The parameters of every list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParameters {
    /// Path to sort by; equal values are sorted by `public_id`
    #[param(required = false, example = "public_id")]
    sort: String,
    /// 1 sorts ascending, any other value descending
    #[param(required = false, example = 1)]
    order: i64,
    /// Page number
    #[param(required = false, minimum = 1, example = 1)]
    page: i64,
    /// Results per page; 0 means all
    #[param(required = false, minimum = 0, example = 10)]
    limit: i64,
    /// JSON object in the MongoDB query language. By default it has at most 16 regular expressions,
    /// each of at most 256 KiB when compiled
    #[param(required = false, example = "{}")]
    filter: String,
    /// Members to show or hide: `{"path": 1}`, `{"path": 0}` or a list of paths
    #[param(required = false)]
    projection: String,
    /// Pages by cursor: empty for the first page, then `pager.after` of the previous page, with the
    /// same `sort` and `order`. The page begins after the end of the previous one, even if records
    /// were inserted or deleted meanwhile, and is as fast as the first. It excludes `page`; trees
    /// have no cursors
    #[param(required = false)]
    after: String,
    /// `false` skips the count: `total`, `total_pages` and `last` are null, and `X-Total-Count` is
    /// missing
    #[param(required = false)]
    total: bool,
}

/// The id in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RecordId {
    /// Id of the record
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    public_id: i64,
}

/// The view of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TreeViewParameter {
    /// As a list or as a tree. In a tree, `filter`, `sort` and `projection` apply to categories at
    /// every depth. A node is kept if its category or a descendant matches, and siblings are
    /// sorted. `limit` and `page` apply to the roots
    #[param(required = false, inline)]
    view: TreeView,
}

#[derive(utoipa::ToSchema)]
enum TreeView {
    #[serde(rename = "list")]
    List,
    #[serde(rename = "tree")]
    Tree,
}
