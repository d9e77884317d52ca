use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::Config;

use crate::answer::Problem;
use crate::answer::compression::FixedText;
use crate::state::AppState;

static DOCUMENT: LazyLock<FixedText> = LazyLock::new(|| {
    let kind = HeaderValue::from_static("application/json");
    FixedText::new(kind, crate::document().to_string())
});

/// The page loads everything from this server, and its scripts connect to no other. The viewer adds
/// inline styles.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
     style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The files of the viewer that the page needs.
static VIEWER: LazyLock<HashMap<&str, FixedText>> = LazyLock::new(|| {
    let names = ["swagger-ui.css", "swagger-ui-bundle.js"].into_iter();
    let files = names.filter_map(|name| Some((name, viewer_file(name)?)));
    files.collect()
});

fn viewer_file(name: &str) -> Option<FixedText> {
    let found = utoipa_swagger_ui::serve(name, Arc::new(Config::default()));
    let file = found.ok()??;
    let kind = HeaderValue::try_from(file.content_type).ok()?;
    let text = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some(FixedText::new(kind, text))
}

/// Read the OpenAPI document
#[utoipa::path(get, path = "/rest/openapi.json", tag = "System", operation_id = "read_openapi",
    responses((status = 200, description = "This document", body = serde_json::Value)))]
pub(super) async fn openapi(headers: HeaderMap) -> Response {
    DOCUMENT.answer(&headers).await
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

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let own = match name.as_str() {
        "stockroom.css" => Some(("text/css", include_str!("docs/stockroom.css"))),
        "stockroom.js" => Some(("text/javascript", include_str!("docs/stockroom.js"))),
        _ => None,
    };
    if let Some((kind, text)) = own {
        return ([(header::CONTENT_TYPE, kind)], text).into_response();
    }
    match VIEWER.get(name.as_str()) {
        Some(file) => file.answer(&headers).await,
        None => Problem::not_found().into_response(),
    }
}
