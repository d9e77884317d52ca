//! Every route answers with and without a slash at its end (`docs/guide/src/http.md`).

use axum::extract::Request;
use axum::http::Uri;

/// The request without the slash at the end of its path.
pub(super) fn without_trailing_slash(mut request: Request) -> Request {
    let uri = request.uri();
    let path = uri.path();
    let is_rest = |path: &&str| path.ends_with("/rest") || path.contains("/rest/");
    let Some(path) = path.strip_suffix('/').filter(is_rest) else {
        return request;
    };
    let target = uri
        .query()
        .map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut parts = uri.clone().into_parts();
    if let Ok(target) = target.try_into() {
        parts.path_and_query = Some(target);
    }
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
    }
    request
}
