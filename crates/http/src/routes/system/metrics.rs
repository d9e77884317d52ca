use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::answer::Problem;
use crate::state::AppState;

/// Read the metrics in the text format of Prometheus
#[utoipa::path(
    get, path = "/metrics", tag = "System", operation_id = "read_metrics",
    responses(
        (status = 200, description = "All metrics", body = String, content_type = "text/plain"),
    ),
)]
pub(super) async fn handle(State(state): State<AppState>) -> Result<impl IntoResponse, Problem> {
    let recorder = state
        .metrics
        .as_ref()
        .ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, "metrics are not recorded"))?;
    let text = crate::metrics_text::render(recorder, &state.service).await;
    Ok((
        [(
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        )],
        text,
    ))
}
