use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::GroupId;
use stockroom_service::{group, history::RestoreRequest};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{Group, RecordId, RestoreBody, Updated};
use crate::state::AppState;

/// Restore an earlier state of a group
///
/// A deleted group gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/groups/{public_id}/restore", tag = "Groups",
    operation_id = "restore_group",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The group as stored", body = Updated<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<GroupId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,

    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = group::restore(&permit, id, request, precondition).await?;
    let url = origin.url(&format!("/rest/groups/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Group,
        &written,
        state.now(),
        &url,
    ))
}
