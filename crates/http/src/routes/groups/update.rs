use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::GroupEdit;
use stockroom_model::GroupId;
use stockroom_service::group;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{Group, GroupBody, RecordId, Updated};
use crate::state::AppState;

/// Replace a group
#[utoipa::path(
    method(put, patch), path = "/rest/groups/{public_id}", tag = "Groups",
    operation_id = "replace_group",
    params(RecordId), request_body = GroupBody,
    responses((status = 202, description = "The group as stored", body = Updated<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<GroupEdit>,
    Id(id): Id<GroupId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = group::update(&permit, id, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Group,
        &written,
        state.now(),
        &origin.url(&format!("/rest/groups/{id}")),
    ))
}
