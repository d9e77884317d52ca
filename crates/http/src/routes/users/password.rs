use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Client, Id, IfMatch, Origin, Permit, SmallJsonBody};
use crate::schema::{PasswordBody, RecordId, Updated, User};
use crate::state::AppState;

/// Change a password
///
/// This ends all sessions of the user, and its API tokens only with `revoke_tokens`. Changing your
/// own password requires the old one. Service accounts have no password. The caller
/// must hold everything that the user's group holds: its rights, and its grants in the access lists
/// of types. A caller who may edit types counts as holding these grants.
#[utoipa::path(
    patch, path = "/rest/users/{public_id}/password", tag = "Users",
    operation_id = "change_password",
    params(RecordId), request_body = PasswordBody,
    responses((status = 202, description = "The user as stored", body = Updated<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(id): Id<UserId>,
    IfMatch(precondition): IfMatch,
    Client(client): Client,
    origin: Origin,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let written = user::change_password(&permit, id, &body, precondition, &client).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::User,
        &written,
        state.now(),
        &origin.url(&format!("/rest/users/{id}")),
    ))
}
