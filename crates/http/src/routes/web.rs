//! The web UI. Its addresses are those of its screens, so every unknown address is the page itself.

use std::borrow::Cow;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::answer::Problem;
use crate::answer::compression::{AcceptEncoding, Coding};
use crate::state::AppState;

/// The name changes with the content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The first segments of paths that belong to the API and its pages, not to the UI.
const NOT_SCREENS: [&str; 6] = ["rest", "docs", "assets", "healthz", "readyz", "metrics"];

/// The UI below a base path. It answers unknown paths, too.
pub(crate) fn pages(base_path: &str) -> Router<AppState> {
    let pages = Router::new()
        .route(&format!("{base_path}/"), get(index))
        .route(&format!("{base_path}/assets/{{name}}"), get(asset))
        .fallback(screen_or_not_found);
    if base_path.is_empty() {
        pages
    } else {
        pages.route(base_path, get(root))
    }
}

/// The page's links are relative to its folder.
async fn root(State(state): State<AppState>) -> Redirect {
    Redirect::temporary(&format!("{}/", state.config.base_path))
}

async fn index(State(state): State<AppState>, headers: HeaderMap) -> Response {
    state.web_page.answer(&headers)
}

async fn screen_or_not_found(
    State(state): State<AppState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let is_read = method == Method::GET || method == Method::HEAD;
    let is_screen = is_screen(state.below_base(uri.path()));
    if is_read && is_screen && wants_html(&headers) {
        return state.web_page.answer(&headers);
    }
    if is_screen {
        let detail = "there is nothing at this path; the API is below /rest, as in /rest/objects";
        return Problem::new(StatusCode::NOT_FOUND, detail).into_response();
    }
    Problem::not_found().into_response()
}

fn is_screen(path: &str) -> bool {
    let mut segments = path.split('/');
    let is_absolute = segments.next() == Some("");
    is_absolute
        && segments
            .next()
            .is_some_and(|first| !NOT_SCREENS.contains(&first))
}

/// A browser that opens an address says so; programs get a 404.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = stockroom_web::asset(&name) else {
        return Problem::not_found().into_response();
    };
    let fixed = [
        (header::CACHE_CONTROL, FOR_EVER),
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(asset.content_type),
        ),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let accepted = AcceptEncoding::of(&headers);
    match asset.brotli {
        Some(bytes) if accepted.accepts(Coding::Brotli) => {
            let coding = [(header::CONTENT_ENCODING, Coding::Brotli.name())];
            (fixed, coding, body(bytes)).into_response()
        }
        _ => (fixed, body(asset.bytes)).into_response(),
    }
}

fn body(bytes: Cow<'static, [u8]>) -> Bytes {
    match bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }
}
