use stockroom_access::permission::Authenticated;
use stockroom_service::auth;

use crate::envelope::Answer;
use crate::extract::{Client, Permit};
use crate::problem::Problem;
use crate::schema::Login;

/// Refresh the token
///
/// Exchanges the token of the request for a new one, within the maximum lifetime of the session.
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
    Permit(permit): Permit<Authenticated>,
    Client(client): Client,
) -> Result<Answer, Problem> {
    Ok(super::answer(&auth::refresh(&permit, client).await?))
}
