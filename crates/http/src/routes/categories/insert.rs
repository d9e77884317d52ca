use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::CategoryAdd;
use stockroom_service::category;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Category, CategoryBody, Inserted};
use crate::state::AppState;

/// Insert a category
#[utoipa::path(
    post, path = "/rest/categories", tag = "Categories", operation_id = "insert_category",
    request_body = CategoryBody,
    responses((status = 200, description = "The category as stored", body = Inserted<Category>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<CategoryAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = category::insert(&permit, &body).await?;
    Ok(Answer::of_insert(
        StatusCode::OK,
        Model::Category,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/categories/{id}")),
    ))
}
