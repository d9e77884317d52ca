use axum::extract::State;
use stockroom_service::Error;
use stockroom_service::auth::LoginRequest;

use crate::answer::{Answer, Problem};
use crate::request::{Client, SessionCookie, SmallJsonBody};
use crate::schema::{Login, LoginBody};
use crate::state::AppState;

/// Log in
///
/// Returns a token for a user name and password. With `cookie`, a browser gets the token in a cookie
/// instead. It sends the cookie with each request of pages of this server, scripts cannot read it,
/// and it is renewed while it is used.
#[utoipa::path(
    post, path = "/rest/auth/login", tag = "Authentication", operation_id = "login",
    request_body = LoginBody,
    responses((status = 200, description = "The user and a token", body = Login)),
)]
pub(super) async fn handle(
    Client(client): Client,
    cookie: SessionCookie,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let request = LoginRequest::read(&body).map_err(Error::from)?;
    let cookie = request.cookie.then_some(&cookie);
    if let Some(cookie) = cookie {
        cookie.check_site()?;
    }
    let login = state.service.login(&request, &client).await?;
    Ok(super::answer(&login, cookie))
}
