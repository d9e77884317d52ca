//! `/auth` (`docs/guide/src/authentication.md`)

mod login;
mod logout;
mod me;
mod refresh;
mod sessions;

use stockroom_service::auth::Login;

use crate::answer::{Answer, to_text};
use crate::request::SessionCookie;
use crate::routing::{Routes, routes};
use crate::schema;

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(login::handle).vital().open())
        .routes(routes!(logout::handle).vital())
        .routes(routes!(refresh::handle).vital())
        .routes(routes!(me::handle).vital())
        .routes(routes!(sessions::list, sessions::end_all).vital())
        .routes(routes!(sessions::end).vital())
        .private()
}

/// The answer with a new token, which is in the cookie if there is one.
fn answer(login: &Login, cookie: Option<&SessionCookie>) -> Answer {
    let lifetime = login.expires_at - login.issued_at;
    let set = cookie.and_then(|cookie| cookie.set(&login.token, lifetime));
    let document = to_text(&schema::Login {
        user: &login.user,
        token: cookie.is_none().then_some(&login.token),
        token_issued_at: login.issued_at,
        token_expire: login.expires_at,
    });
    Answer::bare(document).cookie(set)
}
