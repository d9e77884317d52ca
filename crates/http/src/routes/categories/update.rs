use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::CategoryEdit;
use stockroom_model::CategoryId;
use stockroom_service::category;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{Category, CategoryBody, RecordId, Updated};
use crate::state::AppState;

/// Replace a category
#[utoipa::path(
    method(put, patch), path = "/rest/categories/{public_id}", tag = "Categories",
    operation_id = "replace_category",
    params(RecordId), request_body = CategoryBody,
    responses((status = 202, description = "The category as stored", body = Updated<Category>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<CategoryEdit>,
    Id(id): Id<CategoryId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = category::update(&permit, id, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Category,
        &written,
        state.now(),
        &origin.url(&format!("/rest/categories/{id}")),
    ))
}
