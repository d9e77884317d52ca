use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::SavedViewEdit;
use stockroom_service::view;

use crate::envelope::{Answer, Model};
use crate::extract::{JsonBody, Origin, Permit};
use crate::problem::Problem;
use crate::schema::{Inserted, View, ViewBody};
use crate::state::AppState;

/// Insert a view
///
/// It belongs to the caller. A view for all or for another group, and the default of a group, need
/// the right to edit types.
#[utoipa::path(
    post, path = "/rest/views", tag = "Views", operation_id = "insert_view",
    request_body = ViewBody,
    responses((status = 201, description = "The view as stored", body = Inserted<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<SavedViewEdit>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let written = view::insert(&permit, body).await?;
    Ok(
        state.inserted(StatusCode::CREATED, Model::View, &written, |id| {
            origin.url(&format!("/rest/views/{id}"))
        }),
    )
}
