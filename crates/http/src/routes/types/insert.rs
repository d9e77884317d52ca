use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::TypeAdd;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
use crate::schema::{Inserted, Type, TypeBody};
use crate::state::AppState;

/// Insert a type
#[utoipa::path(
    post, path = "/rest/types", tag = "Types", operation_id = "insert_type",
    request_body = TypeBody,
    responses((status = 200, description = "The type as stored", body = Inserted<Type>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeAdd>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = r#type::insert(&permit, &body).await?;
    Ok(Answer::of_insert(
        StatusCode::OK,
        Model::Type,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/types/{id}")),
    ))
}
