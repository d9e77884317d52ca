use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LoggedIn;
use stockroom_service::token;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Origin, Permit, SmallJsonBody};
use crate::schema::{InsertedToken, TokenBody};
use crate::state::AppState;

/// Make an API token
///
/// It may do what its user may do at the time, within its own limits. Only this answer has the
/// secret, `token`. A token for another user needs the right to edit users, and everything that the
/// user's group holds. An API token cannot make another one.
#[utoipa::path(
    post, path = "/rest/tokens", tag = "Tokens", operation_id = "insert_token",
    request_body = TokenBody,
    responses((status = 201, description = "The token and its secret", body = InsertedToken)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    origin: Origin,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let made = token::insert(&permit, body).await?;
    let answer = Answer::of_insert(
        StatusCode::CREATED,
        Model::Token,
        &made.written,
        state.now(),
        |id| origin.url(&format!("/rest/tokens/{id}")),
    );
    Ok(answer.with_token(&made.token))
}
