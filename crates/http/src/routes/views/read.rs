use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_service::view;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{RecordId, Single, View};
use crate::state::AppState;

/// Read a view
#[utoipa::path(
    get, path = "/rest/views/{public_id}", tag = "Views", operation_id = "read_view",
    params(RecordId),
    responses((status = 200, description = "The view", body = Single<View>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    Id(id): Id<stockroom_model::ViewId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = view::read_view(&permit, id).await?;
    Ok(known.answer(document.revision, || {
        Answer::single(Model::View, &document.value, state.now())
    }))
}
