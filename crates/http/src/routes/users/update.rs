use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Client, Id, IfMatch, Origin, Permit};
use crate::schema::{RecordId, Updated, User, UserReplacement};
use crate::state::AppState;

/// Replace a user
///
/// Without the right to edit users, you may change your own `email`, `image`, `first_name`,
/// `last_name` and password, and nothing else. Changing your own password requires the old one. The
/// caller must hold everything that the user's group holds, before and after: its rights, and its
/// grants in the access lists of types. A caller who may edit types counts as holding these grants.
#[utoipa::path(
    method(put, patch), path = "/rest/users/{public_id}", tag = "Users",
    operation_id = "replace_user",
    params(RecordId), request_body = UserReplacement,
    responses((status = 202, description = "The user as stored", body = Updated<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(id): Id<UserId>,
    IfMatch(precondition): IfMatch,
    Client(client): Client,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = user::update(&permit, id, change, precondition, &client).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::User,
        &written,
        state.now(),
        &origin.url(&format!("/rest/users/{id}")),
    ))
}
