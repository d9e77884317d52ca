use stockroom_access::permission::LoggedIn;
use stockroom_service::auth;

use crate::answer::{Answer, Problem};
use crate::request::{NoParameters, Permit, UsedCookie};
use crate::schema::LoggedOut;

/// Log out
///
/// This ends the token of the request, and removes its cookie.
#[utoipa::path(post, path = "/rest/auth/logout", tag = "Authentication", operation_id = "logout",
    responses((status = 200, description = "The token has ended", body = LoggedOut)))]
pub(super) async fn handle(
    Permit(permit): Permit<LoggedIn>,
    _: NoParameters,
    UsedCookie(cookie): UsedCookie,
) -> Result<Answer, Problem> {
    auth::logout(&permit).await?;
    let removed = cookie.and_then(|cookie| cookie.removed());
    Ok(Answer::bare("{}".to_owned()).cookie(removed))
}
