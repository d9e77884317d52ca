use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::UserDelete;
use stockroom_model::UserId;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Deleted, RecordId, User};
use crate::state::AppState;

/// Delete a user and its settings
///
/// The caller must hold everything that the user's group holds: its rights, and its grants in the
/// access lists of types. A caller who may edit types counts as holding these grants.
#[utoipa::path(
    delete, path = "/rest/users/{public_id}", tag = "Users", operation_id = "delete_user",
    params(RecordId),
    responses((status = 202, description = "The removed user", body = Deleted<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<UserDelete>,
    Id(id): Id<UserId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = user::delete(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::User,
        &removed,
        state.now(),
    ))
}
