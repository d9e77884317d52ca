use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::GroupAdd;
use stockroom_service::group;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Group, GroupBody, Inserted};
use crate::state::AppState;

/// Insert a group
#[utoipa::path(
    post, path = "/rest/groups", tag = "Groups", operation_id = "insert_group",
    request_body = GroupBody,
    responses((status = 201, description = "The group as stored", body = Inserted<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<GroupAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = group::insert(&permit, &body).await?;
    Ok(Answer::of_insert(
        StatusCode::CREATED,
        Model::Group,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/groups/{id}")),
    ))
}
