use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use stockroom_guide::File;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::answer::Problem;
use crate::state::AppState;

/// The pages load everything from this server; their script only reads the search index.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Browsers cache the files but revalidate them, because a new release has the same names.
const CACHE_CONTROL: &str = "no-cache";

/// The guide. Its files are in the binary, so that it works offline.
pub(super) fn pages(base_path: &str) -> Router<AppState> {
    let policy = SetResponseHeaderLayer::overriding(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(CONTENT_SECURITY_POLICY),
    );
    Router::new()
        .route(&format!("{base_path}/docs/guide"), get(root))
        .route(&format!("{base_path}/docs/guide/"), get(index))
        .route(&format!("{base_path}/docs/guide/{{file}}"), get(page))
        .layer(policy)
}

/// The links of the first page are relative to its folder.
async fn root(State(state): State<AppState>) -> Redirect {
    Redirect::temporary(&format!("{}/docs/guide/", state.config.base_path))
}

async fn index(headers: HeaderMap) -> Response {
    answer(stockroom_guide::INDEX, &headers)
}

async fn page(Path(name): Path<String>, headers: HeaderMap) -> Response {
    answer(&name, &headers)
}

/// The file of this name, or 304 if the browser has it.
fn answer(name: &str, headers: &HeaderMap) -> Response {
    let Some(file) = stockroom_guide::file(name) else {
        return Problem::not_found().into_response();
    };
    let tag = tag(file);
    let caching = [
        (header::CACHE_CONTROL, CACHE_CONTROL.to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if knows(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, file.content_type)];
    (caching, content_type, file.text).into_response()
}

/// A weak tag, because the bytes sent depend on the coding.
fn tag(file: &File) -> String {
    format!("W/\"{}\"", file.digest)
}

/// Whether `If-None-Match` contains the tag.
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let sent = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = sent
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim);
    tags.any(|known| known == "*" || known == tag)
}
