use axum::extract::State;
use serde_json::json;
use stockroom_access::permission::TypeEdit;
use stockroom_model::TypeId;
use stockroom_service::r#type;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, JsonBody, Permit};
use crate::schema::{RecordId, Single, TypeBody, TypePreview};
use crate::state::AppState;

/// Preview a change of a type
///
/// The answer says what a PUT with this body would do to the objects of the type: which would
/// change, which values move, stay behind or break a rule. Nothing is changed. It is refused as the
/// PUT, except for reasons that lie in the objects, which the answer lists.
#[utoipa::path(
    post, path = "/rest/types/{public_id}/preview", tag = "Types", operation_id = "preview_type",
    params(RecordId), request_body = TypeBody,
    responses((status = 200, description = "What would happen", body = Single<TypePreview>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<TypeEdit>,
    Id(id): Id<TypeId>,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let preview = r#type::preview(&permit, id, body).await?;
    Ok(Answer::single(Model::Type, &json!(preview), state.now()))
}
