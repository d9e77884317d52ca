use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::TypeView;
use stockroom_model::TypeId;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{RecordId, Single, Type};
use crate::state::AppState;

/// Read a type
#[utoipa::path(
    get, path = "/rest/types/{public_id}", tag = "Types", operation_id = "read_type",
    params(RecordId),
    responses((status = 200, description = "The type", body = Single<Type>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeView>,
    Id(id): Id<TypeId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = r#type::read_type(&permit, id).await?;
    Ok(known.answer(document.revision, || {
        Answer::single(Model::Type, &document.value, state.now())
    }))
}
