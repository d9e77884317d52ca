use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::CategoryDelete;
use stockroom_model::CategoryId;
use stockroom_service::category;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Category, Deleted, RecordId};
use crate::state::AppState;

/// Delete a category
///
/// Its children become roots.
#[utoipa::path(
    delete, path = "/rest/categories/{public_id}", tag = "Categories",
    operation_id = "delete_category",
    params(RecordId),
    responses((status = 202, description = "The removed category", body = Deleted<Category>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<CategoryDelete>,
    Id(id): Id<CategoryId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = category::delete(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::Category,
        &removed,
        state.now(),
    ))
}
