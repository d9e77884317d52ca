use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::GroupAdd;
use stockroom_service::group;

use crate::envelope::{Answer, Model};
use crate::extract::{JsonBody, Origin, Permit};
use crate::problem::Problem;
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
    Ok(
        state.inserted(StatusCode::CREATED, Model::Group, &written, |id| {
            origin.url(&format!("/rest/groups/{id}"))
        }),
    )
}
