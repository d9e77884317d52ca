use stockroom_access::permission::Authenticated;
use stockroom_service::auth;

use crate::envelope::Answer;
use crate::extract::Permit;
use crate::problem::Problem;
use crate::schema::LoggedOut;

/// Log out
///
/// This ends the token of the request.
#[utoipa::path(post, path = "/rest/auth/logout", tag = "Authentication", operation_id = "logout",
    responses((status = 200, description = "The token has ended", body = LoggedOut)))]
pub(super) async fn handle(Permit(permit): Permit<Authenticated>) -> Result<Answer, Problem> {
    auth::logout(&permit).await?;
    Ok(Answer::bare("{}".to_owned()))
}
