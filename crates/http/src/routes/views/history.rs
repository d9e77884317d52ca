use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::ViewId;
use stockroom_service::history::{self, RecordKey, Resource};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{Change, HistoryParameters, List, RecordId, RevisionOfRecord, Single, View};
use crate::state::AppState;

/// List the changes of a view
///
/// The newest first, each with the fields that it changed.
#[utoipa::path(
    get, path = "/rest/views/{public_id}/history", tag = "Views",
    operation_id = "list_view_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<ViewId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::View, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::View, &page))
}

/// Read a view as it was
///
/// Right after the change that led to the revision.
#[utoipa::path(
    get, path = "/rest/views/{public_id}/history/{revision}", tag = "Views",
    operation_id = "read_view_revision",
    params(RevisionOfRecord),
    responses((status = 200, description = "The view right after that change", body = Single<View>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<ViewId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let record = RecordKey::new(Resource::View, id.get());
    let document = history::read_revision(&permit, record, revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::View, &document.value, state.now())
    }))
}
