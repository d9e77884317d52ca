use stockroom_access::permission::Authenticated;
use stockroom_service::auth;

use crate::answer::{Answer, Problem, to_text};
use crate::request::Permit;
use crate::schema::Me;

/// Features that this release adds to the first version of the API.
const FEATURES: [&str; 13] = [
    "aggregate",
    "cursors",
    "entity-tags",
    "labels",
    "merge-patch",
    "password-fields",
    "rename",
    "search",
    "strict",
    "tokens",
    "type-preview",
    "views",
    "warnings",
];

/// Read the caller
///
/// The answer has the user, its group and rights, its permissions on objects of each type, and the
/// release of the server.
#[utoipa::path(get, path = "/rest/auth/me", tag = "Authentication", operation_id = "me",
    responses((status = 200, description = "The caller", body = Me)))]
pub(super) async fn handle(Permit(permit): Permit<Authenticated>) -> Result<Answer, Problem> {
    let me = Me {
        me: auth::me(&permit).await?,
        version: env!("CARGO_PKG_VERSION"),
        features: &FEATURES,
    };
    Ok(Answer::bare(to_text(&me)))
}
