use serde_json::Value;
use utoipa::ToSchema;

use stockroom_service::open_transaction::Effects;

/// Writes that are done together
#[derive(ToSchema)]
pub(crate) struct BatchBody {
    /// 1 to 1,000 by default, done in their order
    operations: Vec<BatchOperation>,
    /// The reason for the writes, for their history; by default that in `X-Comment`
    #[schema(required = false, max_length = 1024)]
    comment: Option<String>,
}

/// A write
#[derive(ToSchema)]
struct BatchOperation {
    method: BatchMethod,
    /// Path and query below `/rest`, of an operation whose `x-write` is `operation`. `{$result:0}`
    /// stands for the id that operation 0 gave, if it is a number
    #[schema(example = "/objects/{$result:0}")]
    path: String,
    /// The body of the write. `{"$result": 0}` stands for the id that operation 0 gave
    #[schema(required = false)]
    body: Value,
    /// The value of the header, or a revision
    #[schema(required = false)]
    if_match: Value,
}

#[derive(ToSchema)]
enum BatchMethod {
    #[serde(rename = "POST")]
    Post,
    #[serde(rename = "PUT")]
    Put,
    #[serde(rename = "PATCH")]
    Patch,
    #[serde(rename = "DELETE")]
    Delete,
}

/// The answers to the operations of a batch, in their order
#[derive(ToSchema)]
pub(crate) struct BatchResults {
    results: Vec<BatchResult>,
    /// Only with `dry_run`
    #[schema(required = false)]
    effects: Option<Effects>,
}

/// The answer to an operation
#[derive(ToSchema)]
struct BatchResult {
    status: i64,
    /// The body as the write alone would have it
    body: Value,
    /// The entity tag of the record
    #[schema(required = false)]
    etag: String,
}
