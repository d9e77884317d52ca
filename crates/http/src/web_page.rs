//! The page that starts the web UI, made once for a base path.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// Nothing is loaded from elsewhere, and no text becomes a script (`docs/design/web.md`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
     worker-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'";

/// The page that starts the UI.
pub(crate) struct WebPage {
    html: Bytes,
    tag: HeaderValue,
}

impl WebPage {
    pub(crate) fn new(base_path: &str) -> Self {
        let html = stockroom_web::index(base_path);
        let mut hasher = DefaultHasher::new();
        html.hash(&mut hasher);
        let tag = HeaderValue::try_from(format!("W/\"{:x}\"", hasher.finish()));
        Self {
            html: html.into(),
            tag: tag.unwrap_or(HeaderValue::from_static("W/\"\"")),
        }
    }

    /// The page, or 304 if the browser has it.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let caching = [
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::ETAG, self.tag.clone()),
        ];
        if headers.get(header::IF_NONE_MATCH) == Some(&self.tag) {
            return (StatusCode::NOT_MODIFIED, caching).into_response();
        }
        let fixed = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
            (header::REFERRER_POLICY, "same-origin"),
        ];
        (caching, fixed, self.html.clone()).into_response()
    }
}
