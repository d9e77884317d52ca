use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::SavedViewEdit;
use stockroom_service::view;

use crate::answer::{Answer, Model, Problem};
use crate::request::{JsonBody, Origin, Permit};
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
    Ok(Answer::of_insert(
        StatusCode::CREATED,
        Model::View,
        &written,
        state.now(),
        |id| origin.url(&format!("/rest/views/{id}")),
    ))
}
