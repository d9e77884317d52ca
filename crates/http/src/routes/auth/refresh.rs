use stockroom_access::permission::LoggedIn;
use stockroom_service::auth;

use crate::answer::{Answer, Problem};
use crate::request::{Client, NoParameters, Permit, UsedCookie};
use crate::schema::Login;

/// Refresh the token
///
/// Exchanges the token of the request for a new one, within the maximum lifetime of the session. If
/// the request has a cookie, the new token is in a cookie, too.
#[utoipa::path(
    post, path = "/rest/auth/refresh", tag = "Authentication", operation_id = "refresh",
    responses(
        (
            status = 200,
            description = "The user and a new token; the old one has ended",
            body = Login,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    _: NoParameters,
    Client(client): Client,
    UsedCookie(cookie): UsedCookie,
) -> Result<Answer, Problem> {
    let login = auth::refresh(&permit, client).await?;
    Ok(super::answer(&login, cookie.as_deref()))
}
