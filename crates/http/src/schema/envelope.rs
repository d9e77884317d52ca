use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// A page of a list
#[derive(ToSchema)]
pub(crate) struct List<T> {
    results: Vec<Listed<T>>,
    /// Results in this page
    #[schema(minimum = 0)]
    count: i64,
    /// All that match; null if that was not asked
    #[schema(minimum = 0, required = true)]
    total: Option<i64>,
    parameters: ParametersEcho,
    pager: Pager,
    pagination: Pagination,
    /// Doubtful but legal
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// On lists of objects that were asked with `explain=true`
    #[schema(required = false)]
    explain: Option<Explain>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// How a list was found, for people who ask why it takes as long as it does
#[derive(Serialize, ToSchema)]
pub(crate) struct Explain {
    /// The plan, in words that may change from release to release
    #[schema(example = "scan of objects by id where 1 types, total known")]
    pub(crate) plan: String,
    /// How many rows the statements gave
    #[schema(example = 10)]
    pub(crate) rows: u64,
    /// How long it took, without the time in queues
    #[schema(example = 0.4)]
    pub(crate) milliseconds: f64,
}

/// A record, or with `projection` parts of it
#[derive(ToSchema)]
#[serde(untagged)]
pub(crate) enum Listed<T> {
    Whole(T),
    Projected(Projected),
}

/// Parts of a record
#[derive(ToSchema)]
pub(crate) struct Projected(BTreeMap<String, Value>);

/// What was asked, defaults filled in
#[derive(ToSchema)]
struct ParametersEcho {
    limit: i64,
    sort: String,
    order: i64,
    page: i64,
    filter: Map<String, Value>,
    #[schema(required = false)]
    projection: Option<Value>,
    /// The view, and what was sent of `active`, `after`, `total` and `projection`
    optional: Map<String, Value>,
}

/// Where the page stands
#[derive(ToSchema)]
struct Pager {
    page: i64,
    /// 0 means everything in one page
    page_size: i64,
    #[schema(required = true)]
    total_pages: Option<i64>,
    /// With the parameter `after`: what it takes to ask for the next page; null on the last one
    #[schema(required = false)]
    after: Option<String>,
}

/// Absolute URLs of this and other pages
#[derive(ToSchema)]
struct Pagination {
    current: String,
    first: String,
    /// Null where pages are by cursor
    #[schema(required = true)]
    prev: Option<String>,
    /// Where pages are by cursor the URL with the next one, null on the last page
    #[schema(required = true)]
    next: Option<String>,
    #[schema(required = true)]
    last: Option<String>,
}

/// One record
#[derive(ToSchema)]
pub(crate) struct Single<T> {
    result: T,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// Records without pages
#[derive(ToSchema)]
pub(crate) struct Results<T> {
    results: Vec<T>,
    /// Doubtful but legal
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// A record that was inserted
#[derive(ToSchema)]
pub(crate) struct Inserted<T> {
    /// The new id; the identifier of a setting
    result_id: Value,
    raw: T,
    /// Doubtful but legal
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: InsertResponse,
    model: Model,
    time: String,
}

/// A record that was changed
#[derive(ToSchema)]
pub(crate) struct Updated<T> {
    result: T,
    /// Doubtful but legal
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: UpdateResponse,
    model: Model,
    time: String,
}

/// What was removed
#[derive(ToSchema)]
pub(crate) struct Deleted<T> {
    deleted_entry: T,
    /// Doubtful but legal
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: DeleteResponse,
    model: Model,
    time: String,
}

#[derive(ToSchema)]
enum GetResponse {
    #[serde(rename = "GET")]
    Get,
}

#[derive(ToSchema)]
enum InsertResponse {
    #[serde(rename = "INSERT")]
    Insert,
}

#[derive(ToSchema)]
enum UpdateResponse {
    #[serde(rename = "UPDATE")]
    Update,
}

#[derive(ToSchema)]
enum DeleteResponse {
    #[serde(rename = "DELETE")]
    Delete,
}

/// What an envelope holds
#[derive(ToSchema)]
enum Model {
    User,
    Group,
    Right,
    #[serde(rename = "Security-Level")]
    SecurityLevel,
    UserSetting,
    Object,
    Type,
    Category,
}

/// One fault and where it stands
#[derive(ToSchema)]
pub(crate) struct Fault {
    /// JSON Pointer into the body, or the parameter's name
    pointer: String,
    detail: String,
}

/// An error (RFC 9457)
#[derive(ToSchema)]
pub(crate) struct ProblemDocument {
    r#type: String,
    title: String,
    status: i64,
    /// What was wrong and what would be right
    detail: String,
    instance: String,
    request_id: String,
    #[schema(required = false)]
    errors: Vec<Fault>,
}

/// JSON Merge Patch (RFC 7396): members to change; null removes one
#[derive(ToSchema)]
pub(crate) struct MergePatch(Map<String, Value>);
