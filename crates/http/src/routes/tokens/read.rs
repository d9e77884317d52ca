use axum::extract::State;
use stockroom_access::permission::LoggedIn;
use stockroom_model::TokenId;
use stockroom_service::token;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, Permit};
use crate::schema::{RecordId, Single, Token};
use crate::state::AppState;

/// Read an API token
///
/// One of the caller. With the right to edit users, one of any user. Nobody can read its secret.
#[utoipa::path(
    get, path = "/rest/tokens/{public_id}", tag = "Tokens", operation_id = "read_token",
    params(RecordId),
    responses((status = 200, description = "The token", body = Single<Token>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    Id(id): Id<TokenId>,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let document = token::read_token(&permit, id).await?;
    Ok(Answer::single(Model::Token, &document.value, state.now()))
}
