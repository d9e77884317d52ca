use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::CategoryView;
use stockroom_service::category;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{Category, RecordId, Single};
use crate::state::AppState;

/// Read a category
#[utoipa::path(
    get, path = "/rest/categories/{public_id}", tag = "Categories", operation_id = "read_category",
    params(RecordId),
    responses((status = 200, description = "The category", body = Single<Category>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<CategoryView>,
    Id(id): Id<stockroom_model::CategoryId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = category::read_category(&permit, id).await?;
    Ok(known.answer(document.revision, || {
        Answer::single(Model::Category, &document.value, state.now())
    }))
}
