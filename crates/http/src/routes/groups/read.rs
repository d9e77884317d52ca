use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::GroupView;
use stockroom_service::group;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfNoneMatch, Permit};
use crate::schema::{Group, RecordId, Single};
use crate::state::AppState;

/// Read a group
#[utoipa::path(
    get, path = "/rest/groups/{public_id}", tag = "Groups", operation_id = "read_group",
    params(RecordId),
    responses((status = 200, description = "The group", body = Single<Group>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<GroupView>,
    Id(id): Id<stockroom_model::GroupId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let document = group::read_group(&permit, id).await?;
    Ok(known.answer(document.revision, || {
        Answer::single(Model::Group, &document.value, state.now())
    }))
}
