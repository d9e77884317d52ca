use axum::extract::State;
use stockroom_access::permission::ObjectView;
use stockroom_service::object::aggregate;

use crate::answer::{Answer, Problem};
use crate::request::{JsonBody, Parameters, Permit};
use crate::schema::{Aggregate, AggregateBody};
use crate::state::AppState;

/// Count objects in groups
///
/// The answer has the number of the matching objects that the caller may see, and the minimum,
/// maximum or sum of fields, for each group of objects with the same values.
#[utoipa::path(
    post, path = "/rest/objects/aggregate", tag = "Objects", operation_id = "aggregate_objects",
    request_body = AggregateBody,
    responses((status = 200, description = "The first groups", body = Aggregate)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    parameters: Parameters,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let (found, mut warnings) = aggregate::aggregate(&permit, body).await?;
    warnings.splice(0..0, parameters.warnings().iter().cloned());
    Ok(Answer::aggregate(&found, &warnings, state.now()))
}
