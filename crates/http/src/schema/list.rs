use utoipa::IntoParams;

/// What every list takes.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParameters {
    /// Path to sort by; ties are broken by `public_id`
    #[param(required = false, example = "public_id")]
    sort: String,
    /// 1 ascending, any other value descending
    #[param(required = false, example = 1)]
    order: i64,
    /// Page number
    #[param(required = false, minimum = 1, example = 1)]
    page: i64,
    /// Results per page; 0 means all
    #[param(required = false, minimum = 0, example = 10)]
    limit: i64,
    /// Query in the MongoDB language, a JSON object, by default with at most 16 regular expressions of 256 KiB each when compiled
    #[param(required = false, example = "{}")]
    filter: String,
    /// Parts of the results: `{"path": 1}`, `{"path": 0}` or a list of paths
    #[param(required = false, example = "{}")]
    projection: String,
    /// Pages by cursor: empty for the first page, then `pager.after` of the page before, with the same `sort` and `order`. The page begins
    /// after that one ended, however many records came or went meanwhile, and is as cheap as the first. It cannot stand beside `page`; trees have no cursors
    #[param(required = false)]
    after: String,
    /// `false` skips the count: `total`, `total_pages` and `last` are null, and there is no `X-Total-Count`
    #[param(required = false)]
    total: bool,
}

/// The record of the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct RecordId {
    /// Id of the record
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    public_id: i64,
}

/// How a list is shown.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TreeViewParameter {
    /// As a list or as a tree. In a tree `filter`, `sort` and `projection` are about the categories at every depth: a node stays if its category or
    /// one below it matches, siblings sort, and `limit` and `page` cut the roots
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
