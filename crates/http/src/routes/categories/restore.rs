use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::CategoryId;
use stockroom_service::{category, history::RestoreRequest};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{Category, RecordId, RestoreBody, Updated};
use crate::state::AppState;

/// Restore an earlier state of a category
///
/// A deleted category gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/categories/{public_id}/restore", tag = "Categories",
    operation_id = "restore_category",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The category as stored", body = Updated<Category>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<CategoryId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,

    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = category::restore(&permit, id, request, precondition).await?;
    let url = origin.url(&format!("/rest/categories/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Category,
        &written,
        state.now(),
        &url,
    ))
}
