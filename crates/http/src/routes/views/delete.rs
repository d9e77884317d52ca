use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::SavedViewEdit;
use stockroom_model::ViewId;
use stockroom_service::view;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Permit};
use crate::schema::{Deleted, RecordId, View};
use crate::state::AppState;

/// Delete a view
///
/// Views for all, defaults of groups and views of others need the right to edit types.
#[utoipa::path(
    delete, path = "/rest/views/{public_id}", tag = "Views",
    operation_id = "delete_view",
    params(RecordId),
    responses((status = 202, description = "The removed view", body = Deleted<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<SavedViewEdit>,
    Id(id): Id<ViewId>,
    IfMatch(precondition): IfMatch,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let removed = view::delete(&permit, id, precondition).await?;
    Ok(Answer::of_delete(
        StatusCode::ACCEPTED,
        Model::View,
        &removed,
        state.now(),
    ))
}
