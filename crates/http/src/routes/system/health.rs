use axum::extract::State;
use axum::http::StatusCode;
use stockroom_service::Error;

use crate::answer::Problem;
use crate::state::AppState;

/// Check whether the process answers
#[utoipa::path(
    get, path = "/healthz", tag = "System", operation_id = "read_health",
    responses(
        (
            status = 200,
            description = "The process answers",
            body = String,
            content_type = "text/plain",
        ),
    ),
)]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Check whether the store is open and migrated, and the server is not about to stop
#[utoipa::path(
    get, path = "/readyz", tag = "System", operation_id = "read_readiness",
    responses(
        (
            status = 200,
            description = "The store is ready",
            body = String,
            content_type = "text/plain",
        ),
    ),
)]
pub(super) async fn readyz(State(state): State<AppState>) -> Result<&'static str, Problem> {
    if state.service.lifecycle().is_leaving() {
        return Err(not_ready("this server is about to stop"));
    }
    match state.service.ready().await {
        Ok(()) => Ok("ready\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            let detail = match error {
                Error::DiskFull | Error::OtherRelease => error.to_string(),
                _ => "the store does not answer".to_owned(),
            };
            Err(not_ready(detail))
        }
    }
}

fn not_ready(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        .with_header(axum::http::header::RETRY_AFTER, "1")
}
