use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::UserId;
use stockroom_service::history::{self, RecordKey, Resource};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{
    Change, HistoryParameters, List, PastUser, RecordId, RevisionOfRecord, Single,
};
use crate::state::AppState;

/// List the changes of a user
///
/// The newest first, each with the fields that it changed.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/history", tag = "Users",
    operation_id = "list_user_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<UserId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::User, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::User, &page))
}

/// Read a user as it was
///
/// Right after the change that led to the revision. History has no passwords.
#[utoipa::path(
    get, path = "/rest/users/{public_id}/history/{revision}", tag = "Users",
    operation_id = "read_user_revision",
    params(RevisionOfRecord),
    responses((status = 200, description = "The user right after that change", body = Single<PastUser>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<UserId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let record = RecordKey::new(Resource::User, id.get());
    let document = history::read_revision(&permit, record, revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::User, &document.value, state.now())
    }))
}
