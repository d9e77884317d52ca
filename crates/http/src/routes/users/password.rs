use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::user;

use crate::envelope::{Answer, Model};
use crate::extract::{Client, Id, IfMatch, Origin, Permit, SmallJsonBody};
use crate::problem::Problem;
use crate::schema::{PasswordBody, RecordId, Updated, User};
use crate::state::AppState;

/// Change a password, which ends all tokens of the user; one's own needs the old password
///
/// The caller must hold all that the group of the user holds: its rights, and what access lists of types grant it. Who may edit types
/// counts as holding those.
#[utoipa::path(patch, path = "/rest/users/{public_id}/password", tag = "Users", operation_id = "change_password", params(RecordId), request_body = PasswordBody,
    responses((status = 202, description = "The user as stored", body = Updated<User>)))]
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
    Ok(state.updated(
        StatusCode::ACCEPTED,
        Model::User,
        &written,
        &origin.url(&format!("/rest/users/{id}")),
    ))
}
