use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::TypeEdit;
use stockroom_model::TypeId;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{RecordId, Type, TypeBody, Updated};
use crate::state::AppState;

/// Replace a type
///
/// Its objects keep their values. Objects whose fields no longer fit become unclean. If a field has
/// `renamed_from`, the values of all objects move to its new name.
#[utoipa::path(
    method(put, patch), path = "/rest/types/{public_id}", tag = "Types",
    operation_id = "replace_type",
    params(RecordId), request_body = TypeBody,
    responses((status = 202, description = "The type as stored", body = Updated<Type>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeEdit>,
    Id(id): Id<TypeId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = r#type::update(&permit, id, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Type,
        &written,
        state.now(),
        &origin.url(&format!("/rest/types/{id}")),
    ))
}
