use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use stockroom_model::Problem as Fault;
use stockroom_service::object::aggregate::Group;
use stockroom_service::object::labels::Label;
use stockroom_service::open_transaction::Effects;
use stockroom_service::search::{Facet, Hit};
use utoipa::ToSchema;

use super::{Setting, Token};
use crate::answer::{Model, SearchPager};

/// A page of a list
#[derive(ToSchema)]
pub(crate) struct List<T> {
    /// Records, or with `projection` parts of them: then each member may be missing
    results: Vec<T>,
    /// Number of results in this page
    #[schema(minimum = 0)]
    count: i64,
    /// Number of matches; null with `total=false`
    #[schema(minimum = 0, required = true)]
    total: Option<i64>,
    parameters: ParametersEcho,
    pager: Pager,
    pagination: Pagination,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only in lists of objects with `labels=true`: the referenced objects that you may see, by id.
    /// Of one page at most 10,000
    #[schema(required = false)]
    labels: Option<BTreeMap<String, Label>>,
    /// Only in lists of objects with `explain=true`
    #[schema(required = false)]
    explain: Option<Explain>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// How a list was found, to explain its duration
#[derive(Serialize, ToSchema)]
pub(crate) struct Explain {
    /// The plan; its wording may change between releases
    #[schema(example = "scan of objects by id where 1 types, total known")]
    pub(crate) plan: String,
    /// Number of rows that the statements returned
    #[schema(example = 10)]
    pub(crate) rows: u64,
    /// The duration, without the time in queues
    #[schema(example = 0.4)]
    pub(crate) milliseconds: f64,
}

/// The parameters of the request, with defaults
#[derive(ToSchema)]
struct ParametersEcho {
    limit: i64,
    sort: String,
    order: i64,
    page: i64,
    filter: Map<String, Value>,
    #[schema(required = false)]
    projection: Option<Value>,
    /// The view, and `active`, `after`, `total`, `projection` and `labels` if they were sent
    optional: Map<String, Value>,
}

/// The position of the page
#[derive(ToSchema)]
struct Pager {
    page: i64,
    /// 0 means all results in one page
    page_size: i64,
    #[schema(required = true)]
    total_pages: Option<i64>,
    /// Only in pages by cursor: the cursor of the next page; null on the last page
    #[schema(required = false)]
    after: Option<String>,
}

/// Absolute URLs of pages
#[derive(ToSchema)]
struct Pagination {
    current: String,
    first: String,
    /// Null in pages by cursor
    #[schema(required = true)]
    prev: Option<String>,
    /// In pages by cursor, null on the last page
    #[schema(required = true)]
    next: Option<String>,
    #[schema(required = true)]
    last: Option<String>,
}

/// A single record
#[derive(ToSchema)]
pub(crate) struct Single<T> {
    result: T,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// Records without paging
#[derive(ToSchema)]
pub(crate) struct Results<T> {
    results: Vec<T>,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// Objects in groups
#[derive(ToSchema)]
pub(crate) struct Aggregate {
    /// The first groups
    results: Vec<Group>,
    /// Number of results
    #[schema(minimum = 0)]
    count: i64,
    /// Number of all groups
    #[schema(minimum = 0)]
    total: i64,
    /// Number of objects in all groups
    #[schema(minimum = 0)]
    objects: i64,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// What was found
#[derive(ToSchema)]
pub(crate) struct SearchResults {
    /// The results, the best ones first
    results: Vec<Hit>,
    /// Number of results on this page
    #[schema(minimum = 0)]
    count: i64,
    /// Number of all results; at most 500 objects are counted
    #[schema(minimum = 0)]
    total: i64,
    /// Whether there may be further objects, which are not counted
    more: bool,
    /// The counted objects by type; the types with most objects first
    facets: Vec<Facet>,
    pager: SearchPager<'static>,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    response_type: GetResponse,
    model: Model,
    time: String,
}

/// A record that was inserted
#[derive(ToSchema)]
pub(crate) struct Inserted<T> {
    /// The new id
    #[schema(minimum = 1)]
    result_id: i64,
    raw: T,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
    response_type: InsertResponse,
    model: Model,
    time: String,
}

/// A setting that was inserted
#[derive(ToSchema)]
pub(crate) struct InsertedSetting {
    /// The identifier
    result_id: String,
    raw: Setting,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
    response_type: InsertResponse,
    model: Model,
    time: String,
}

/// A token that was made
#[derive(ToSchema)]
pub(crate) struct InsertedToken {
    /// The new id
    result_id: i64,
    raw: Token,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
    response_type: InsertResponse,
    model: Model,
    time: String,
    /// For the header `Authorization: Bearer …`. No other answer has it
    #[schema(example = "stk_q2Yt…")]
    token: String,
}

/// A record that was changed
#[derive(ToSchema)]
pub(crate) struct Updated<T> {
    result: T,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
    response_type: UpdateResponse,
    model: Model,
    time: String,
}

/// The removed record or records
#[derive(ToSchema)]
pub(crate) struct Deleted<T> {
    deleted_entry: T,
    /// Findings that do not refuse the request
    #[schema(required = false)]
    warnings: Vec<Fault>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
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

/// An error (RFC 9457)
#[derive(ToSchema)]
pub(crate) struct ProblemDocument {
    r#type: String,
    title: String,
    status: i64,
    /// What is wrong, and what would be right
    detail: String,
    instance: String,
    request_id: String,
    #[schema(required = false)]
    errors: Vec<Fault>,
    /// Only with 409: the changes that would be overwritten
    #[schema(required = false)]
    conflicts: Option<Vec<Value>>,
    /// 409: the object with the values that only one object may have, if the caller may read it
    #[schema(required = false)]
    holder: i64,
    /// 412: the revision of the record
    #[schema(required = false)]
    current_revision: i64,
    /// 412: the id of the user who made the last change
    #[schema(required = false)]
    changed_by: i64,
    /// 412: when the last change was made
    #[schema(required = false)]
    changed_at: String,
    /// 412: how many objects match the filter
    #[schema(required = false, minimum = 0)]
    matching: i64,
    /// In a batch, the index of the operation that failed
    #[schema(required = false, minimum = 0)]
    operation: i64,
}

/// JSON Merge Patch (RFC 7396): members to change; null removes a member. Items of the `fields` of an
/// object are matched by their names, and the value `{"$inc": number}` adds to the stored number
#[derive(ToSchema)]
pub(crate) struct MergePatch(Map<String, Value>);
