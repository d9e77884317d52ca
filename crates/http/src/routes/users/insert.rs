use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::UserAdd;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Inserted, User, UserBody};
use crate::state::AppState;

/// Insert a user
///
/// The caller must hold everything that the user's group holds: its rights, and its grants in the
/// access lists of types. A caller who may edit types counts as holding these grants.
#[utoipa::path(
    post, path = "/rest/users", tag = "Users", operation_id = "insert_user",
    request_body = UserBody,
    responses((status = 201, description = "The user as stored", body = Inserted<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<UserAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = user::insert(&permit, &body).await?;
    Ok(Answer::of_insert(
        StatusCode::CREATED,
        Model::User,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/users/{id}")),
    ))
}
