use std::sync::LazyLock;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect};
use tower::ServiceBuilder;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::state::AppState;

static DOCUMENT: LazyLock<String> = LazyLock::new(|| crate::document().to_string());

/// Everything on the page comes from this server; its scripts may talk to nobody else.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/// The OpenAPI document
#[utoipa::path(get, path = "/rest/openapi.json", tag = "System", operation_id = "read_openapi",
    responses((status = 200, description = "This document", body = serde_json::Value)))]
pub(super) async fn openapi() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        DOCUMENT.as_str(),
    )
}

/// The browsable page; its files are part of the binary, so that it works offline.
pub(super) fn page(base_path: &str) -> Router<AppState> {
    let policy = SetResponseHeaderLayer::overriding(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(CONTENT_SECURITY_POLICY),
    );
    let page: Router<AppState> = SwaggerUi::new(format!("{base_path}/docs"))
        .config(Config::from("../rest/openapi.json").try_it_out_enabled(true))
        .into();
    page.layer(ServiceBuilder::new().layer(policy))
}

/// Until there is more to see, the first page is that of the API.
pub(super) async fn root(State(state): State<AppState>) -> Redirect {
    Redirect::temporary(&format!("{}/docs/", state.config.base_path))
}
