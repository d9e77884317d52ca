use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::TypeDelete;
use stockroom_model::TypeId;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Deleted, RecordId, Type};
use crate::state::AppState;

/// Delete a type
///
/// The type must have no objects. It is removed from its categories.
#[utoipa::path(
    delete, path = "/rest/types/{public_id}", tag = "Types", operation_id = "delete_type",
    params(RecordId),
    responses((status = 202, description = "The removed type", body = Deleted<Type>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeDelete>,
    Id(id): Id<TypeId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = r#type::delete(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::Type,
        &removed,
        state.now(),
    ))
}

/// Delete a type (alternative path)
#[utoipa::path(
    delete, path = "/rest/type/{public_id}", tag = "Types", operation_id = "delete_type_alias",
    params(RecordId),
    responses((status = 202, description = "The removed type", body = Deleted<Type>)),
)]
pub(super) async fn alias(
    permit: Permit<TypeDelete>,
    id: Id<TypeId>,
    condition: IfMatch,
    state: State<AppState>,
) -> Result<Answer, Problem> {
    handle(permit, id, condition, state).await
}
