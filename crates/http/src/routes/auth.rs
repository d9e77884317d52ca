//! `/auth` (`docs/guide/src/authentication.md`)

mod login;
mod logout;
mod me;
mod refresh;
mod sessions;

use serde_json::json;
use stockroom_service::auth::Login;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::Answer;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(login::handle))
        .routes(routes!(logout::handle))
        .routes(routes!(refresh::handle))
        .routes(routes!(me::handle))
        .routes(routes!(sessions::list, sessions::end_all))
        .routes(routes!(sessions::end))
}

fn answer(login: &Login) -> Answer {
    let document = json!({
        "user": login.user,
        "token": login.token,
        "token_issued_at": login.issued_at,
        "token_expire": login.expires_at,
    });
    Answer::bare(document.to_string())
}
