use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::LogView;
use stockroom_model::TypeId;
use stockroom_service::{history::RestoreRequest, r#type};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, JsonBody, Origin, Permit};
use crate::schema::{RecordId, RestoreBody, Type, Updated};
use crate::state::AppState;

/// Restore an earlier state of a type
///
/// A deleted type gets its id back. If later changes would be overwritten, the answer is 409 with
/// a list of them, unless `force` is true.
#[utoipa::path(
    post, path = "/rest/types/{public_id}/restore", tag = "Types",
    operation_id = "restore_type",
    params(RecordId), request_body = RestoreBody,
    responses((status = 202, description = "The type as stored", body = Updated<Type>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<LogView>,
    Id(id): Id<TypeId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,

    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let request = RestoreRequest::read(&body)?;
    let written = r#type::restore(&permit, id, request, precondition).await?;
    let url = origin.url(&format!("/rest/types/{id}"));
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::Type,
        &written,
        state.now(),
        &url,
    ))
}
