use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::UserAdd;
use stockroom_service::user;

use crate::envelope::{Answer, Model};
use crate::extract::{JsonBody, Origin, Permit};
use crate::problem::Problem;
use crate::schema::{Inserted, User, UserBody};
use crate::state::AppState;

/// Insert a user
///
/// The caller must hold all that the group of the user holds: its rights, and what access lists of types grant it. Who may edit types
/// counts as holding those.
#[utoipa::path(post, path = "/rest/users", tag = "Users", operation_id = "insert_user", request_body = UserBody,
    responses((status = 201, description = "The user as stored", body = Inserted<User>)))]
pub(super) async fn handle(
    Permit(permit): Permit<UserAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = user::insert(&permit, &body).await?;
    Ok(
        state.inserted(StatusCode::CREATED, Model::User, &written, |id| {
            origin.url(&format!("/rest/users/{id}"))
        }),
    )
}
