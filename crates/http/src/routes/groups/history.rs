use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::GroupId;
use stockroom_service::history::{self, RecordKey, Resource};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{Change, Group, HistoryParameters, List, RecordId, RevisionOfRecord, Single};
use crate::state::AppState;

/// List the changes of a group
///
/// The newest first, each with the fields that it changed.
#[utoipa::path(
    get, path = "/rest/groups/{public_id}/history", tag = "Groups",
    operation_id = "list_group_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<GroupId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::Group, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::Group, &page))
}

/// Read a group as it was
///
/// Right after the change that led to the revision.
#[utoipa::path(
    get, path = "/rest/groups/{public_id}/history/{revision}", tag = "Groups",
    operation_id = "read_group_revision",
    params(RevisionOfRecord),
    responses((status = 200, description = "The group right after that change", body = Single<Group>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<GroupId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let record = RecordKey::new(Resource::Group, id.get());
    let document = history::read_revision(&permit, record, revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::Group, &document.value, state.now())
    }))
}
