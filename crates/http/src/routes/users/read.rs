use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::Authenticated;
use stockroom_model::UserId;
use stockroom_service::user;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{RecordId, Single, User};
use crate::state::AppState;

/// Read a user
///
/// Users may always read themselves.
#[utoipa::path(
    get, path = "/rest/users/{public_id}", tag = "Users", operation_id = "read_user",
    params(RecordId),
    responses((status = 200, description = "The user", body = Single<User>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<Authenticated>,
    Id(id): Id<UserId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = user::read_user(&permit, id).await?;
    Ok(known.answer(document.revision, || {
        Answer::single_text(Model::User, &document.value, state.now())
    }))
}
