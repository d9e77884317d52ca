use axum::extract::State;
use stockroom_service::Error;
use stockroom_service::auth::LoginRequest;

use crate::envelope::Answer;
use crate::extract::{Client, SmallJsonBody};
use crate::problem::Problem;
use crate::schema::{Login, LoginBody};
use crate::state::AppState;

/// Log in
///
/// Returns a token for a user name and password.
#[utoipa::path(
    post, path = "/rest/auth/login", tag = "Authentication", operation_id = "login",
    request_body = LoginBody,
    responses((status = 200, description = "The user and a token", body = Login)),
)]
pub(super) async fn handle(
    Client(client): Client,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let request = LoginRequest::read(&body).map_err(Error::from)?;
    let login = state.service.login(&request, &client).await?;
    Ok(super::answer(&login))
}
