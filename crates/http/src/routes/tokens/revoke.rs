use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LoggedIn;
use stockroom_model::TokenId;
use stockroom_service::token;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Deleted, RecordId, Token};
use crate::state::AppState;

/// Revoke an API token
///
/// It ends at once. A token of another user needs the right to edit users, and everything that the
/// user's group holds.
#[utoipa::path(
    delete, path = "/rest/tokens/{public_id}", tag = "Tokens", operation_id = "revoke_token",
    params(RecordId),
    responses((status = 202, description = "The revoked token", body = Deleted<Token>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    Id(id): Id<TokenId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let revoked = token::revoke(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::Token,
        &revoked,
        state.now(),
    ))
}
