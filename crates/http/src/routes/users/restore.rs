use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::UserId;
use stockroom_service::{history::RestoreRequest, user};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Client, Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{RecordId, RestoreBody, Updated, User};
use crate::state::AppState;

/// Restore an earlier state of a user
///
/// The password stays. A deleted user gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/users/{public_id}/restore", tag = "Users",
    operation_id = "restore_user",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The user as stored", body = Updated<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<UserId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    Client(client): Client,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = user::restore(&permit, id, request, precondition, &client).await?;
    let url = origin.url(&format!("/rest/users/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::User,
        &written,
        state.now(),
        &url,
    ))
}
