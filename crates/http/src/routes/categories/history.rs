use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::CategoryId;
use stockroom_service::history::{self, RecordKey, Resource};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{
    Category, Change, HistoryParameters, List, RecordId, RevisionOfRecord, Single,
};
use crate::state::AppState;

/// List the changes of a category
///
/// The newest first, each with the fields that it changed.
#[utoipa::path(
    get, path = "/rest/categories/{public_id}/history", tag = "Categories",
    operation_id = "list_category_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<CategoryId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::Category, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::Category, &page))
}

/// Read a category as it was
///
/// Right after the change that led to the revision.
#[utoipa::path(
    get, path = "/rest/categories/{public_id}/history/{revision}", tag = "Categories",
    operation_id = "read_category_revision",
    params(RevisionOfRecord),
    responses((status = 200, description = "The category right after that change", body = Single<Category>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<CategoryId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let record = RecordKey::new(Resource::Category, id.get());
    let document = history::read_revision(&permit, record, revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::Category, &document.value, state.now())
    }))
}
