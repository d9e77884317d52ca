use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::SavedViewEdit;
use stockroom_model::ViewId;
use stockroom_service::view;

use crate::answer::{Answer, Model, Problem};
use crate::request::{ChangeBody, Id, IfMatch, Origin, Permit};
use crate::schema::{RecordId, Updated, View, ViewBody};
use crate::state::AppState;

/// Replace a view
///
/// Views for all, defaults of groups and views of others need the right to edit types.
#[utoipa::path(
    method(put, patch), path = "/rest/views/{public_id}", tag = "Views",
    operation_id = "replace_view",
    params(RecordId), request_body = ViewBody,
    responses((status = 202, description = "The view as stored", body = Updated<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<SavedViewEdit>,
    Id(id): Id<ViewId>,
    IfMatch(precondition): IfMatch,
    origin: Origin,
    State(state): State<AppState>,
    ChangeBody(change): ChangeBody,
) -> Result<Answer, Problem> {
    let written = view::update(&permit, id, change, precondition).await?;
    Ok(Answer::of_update(
        StatusCode::ACCEPTED,
        Model::View,
        &written,
        state.now(),
        &origin.url(&format!("/rest/views/{id}")),
    ))
}
