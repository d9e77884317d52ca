use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::Config;

use crate::answer::Problem;
use crate::state::AppState;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| crate::document().to_string());

/// The page loads everything from this server, and its scripts connect to no other. The viewer adds
/// inline styles.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
     style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The files of the viewer that the page needs.
const VIEWER: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];

/// Read the OpenAPI document
#[utoipa::path(get, path = "/rest/openapi.json", tag = "System", operation_id = "read_openapi",
    responses((status = 200, description = "This document", body = serde_json::Value)))]
pub(super) async fn openapi() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        DOCUMENT.as_str(),
    )
}

/// The browsable page. Its files are in the binary, so that it works offline.
pub(super) fn page(base_path: &str) -> Router<AppState> {
    let policy = SetResponseHeaderLayer::overriding(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(CONTENT_SECURITY_POLICY),
    );
    Router::new()
        .route(&format!("{base_path}/docs"), get(root))
        .route(&format!("{base_path}/docs/"), get(index))
        .route(&format!("{base_path}/docs/{{file}}"), get(file))
        .layer(policy)
}

/// The links of the page are relative to its folder.
async fn root(State(state): State<AppState>) -> Redirect {
    Redirect::temporary(&format!("{}/docs/", state.config.base_path))
}

async fn index() -> Html<&'static str> {
    Html(include_str!("docs/index.html"))
}

async fn file(Path(name): Path<String>) -> Response {
    let own = match name.as_str() {
        "stockroom.css" => Some(("text/css", include_str!("docs/stockroom.css"))),
        "stockroom.js" => Some(("text/javascript", include_str!("docs/stockroom.js"))),
        _ => None,
    };
    if let Some((kind, text)) = own {
        return ([(header::CONTENT_TYPE, kind)], text).into_response();
    }
    let is_known = VIEWER.contains(&name.as_str());
    let found = is_known.then(|| utoipa_swagger_ui::serve(&name, Arc::new(Config::default())));
    let Some(Ok(Some(file))) = found else {
        return Problem::not_found().into_response();
    };
    let bytes = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    ([(header::CONTENT_TYPE, file.content_type)], bytes).into_response()
}
