use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::ViewId;
use stockroom_service::{history::RestoreRequest, view};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{RecordId, RestoreBody, Updated, View};
use crate::state::AppState;

/// Restore an earlier state of a view
///
/// A deleted view gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/views/{public_id}/restore", tag = "Views",
    operation_id = "restore_view",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The view as stored", body = Updated<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<ViewId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,

    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = view::restore(&permit, id, request, precondition).await?;
    let url = origin.url(&format!("/rest/views/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::View,
        &written,
        state.now(),
        &url,
    ))
}
