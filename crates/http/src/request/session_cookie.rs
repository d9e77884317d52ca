//! The session of a browser: a token in a cookie that scripts cannot read
//! (`docs/guide/src/authentication.md`).

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use stockroom_service::{Caller, auth};

use crate::answer::Problem;
use crate::request::{is_https, own_origin};
use crate::state::AppState;

/// What the browser says about the page that sends a request.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The cookie of this installation, as it is for a request.
pub(crate) struct SessionCookie {
    name: String,
    /// Whether the browser reaches this server by HTTPS.
    is_secure: bool,
    path: String,
    refusal: Option<&'static str>,
}

impl SessionCookie {
    pub(crate) fn of(parts: &Parts, state: &AppState) -> Self {
        let is_secure = is_https(parts, state);
        // Browsers send a cookie to every port of a host, so each installation has its own name.
        let instance = state.service.key_id().chars();
        let instance: String = instance
            .filter(char::is_ascii_alphanumeric)
            .take(8)
            .collect();
        let base_path = state.config.base_path.as_str();
        Self {
            // With this prefix, browsers accept it only by HTTPS, and from no other host.
            name: if is_secure {
                format!("__Host-stockroom-{instance}")
            } else {
                format!("stockroom-{instance}")
            },
            is_secure,
            path: if is_secure || base_path.is_empty() {
                "/".to_owned()
            } else {
                base_path.to_owned()
            },
            refusal: refusal(parts, state),
        }
    }

    /// The token in the cookie.
    pub(crate) fn token<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|text| text.split(';'));
        pairs.find_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            (name == self.name).then_some(value)
        })
    }

    /// Refuses requests that a page of another site may have caused: browsers add cookies to them,
    /// too.
    pub(crate) fn check_site(&self) -> Result<(), Problem> {
        match self.refusal {
            Some(detail) => Err(Problem::new(StatusCode::FORBIDDEN, detail)),
            None => Ok(()),
        }
    }

    /// The header that stores a token for its lifetime.
    pub(crate) fn set(&self, token: &str, lifetime_seconds: i64) -> Option<HeaderValue> {
        self.header(token, lifetime_seconds.max(0))
    }

    /// The header that removes the cookie.
    pub(crate) fn removed(&self) -> Option<HeaderValue> {
        self.header("", 0)
    }

    fn header(&self, value: &str, seconds: i64) -> Option<HeaderValue> {
        let Self { name, path, .. } = self;
        let secure = if self.is_secure { "; Secure" } else { "" };
        let text = format!(
            "{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        );
        let mut header = HeaderValue::from_str(&text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }
}

impl FromRequestParts<AppState> for SessionCookie {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        Ok(Self::of(parts, state))
    }
}

/// The cookie that has authenticated a request, if one has.
#[derive(Clone)]
pub(crate) struct UsedCookie(pub(crate) Option<Arc<SessionCookie>>);

impl FromRequestParts<AppState> for UsedCookie {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        Ok(parts.extensions.get().cloned().unwrap_or(Self(None)))
    }
}

impl UsedCookie {
    /// Prolongs the session of a request that the cookie has authenticated, and keeps its answer
    /// out of the caches of a browser that others may use.
    pub(crate) async fn complete(&self, caller: &Arc<Caller>, response: &mut Response) {
        let Some(cookie) = &self.0 else {
            return;
        };
        let headers = response.headers_mut();
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
        if headers.contains_key(header::SET_COOKIE) {
            return;
        }
        match auth::renew(caller).await {
            Ok(Some(issued)) => {
                let lifetime = issued.expires_at - issued.issued_at;
                let renewed = cookie.set(&issued.token, lifetime);
                headers.extend(renewed.map(|value| (header::SET_COOKIE, value)));
            }
            // The session goes on until the token expires.
            Ok(None) => {}
            Err(error) => tracing::debug!(%error, "a session was not renewed"),
        }
    }
}

/// Why a request must not use a cookie.
fn refusal(parts: &Parts, state: &AppState) -> Option<&'static str> {
    let text = |name| {
        let value = parts.headers.get(name)?;
        Some(value.to_str().unwrap_or_default())
    };
    let is_safe = matches!(parts.method, Method::GET | Method::HEAD);
    let is_own = match text(SEC_FETCH_SITE) {
        Some(site) => site == "same-origin" || is_safe && site == "none",
        // Browsers leave it out on HTTP, but not the origin of a write.
        None => is_safe || text(header::ORIGIN.as_str()) == Some(&own_origin(parts, state)),
    };
    (!is_own).then_some(
        "a cookie is only for pages of this server; other programs send a token in the header Authorization",
    )
}
