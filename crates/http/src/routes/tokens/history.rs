use axum::extract::State;
use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::TokenId;
use stockroom_service::history::{self, RecordKey, Resource};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Permit};
use crate::routes::history::answer;
use crate::schema::{
    Change, HistoryParameters, List, PastToken, RecordId, RevisionOfRecord, Single,
};
use crate::state::AppState;

/// List the changes of an API token
///
/// The newest first, each with the fields that it changed. This needs the right to edit users.
#[utoipa::path(
    get, path = "/rest/tokens/{public_id}/history", tag = "Tokens",
    operation_id = "list_token_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<TokenId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::Token, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::Token, &page))
}

/// Read an API token as it was
///
/// Right after the change that led to the revision. This needs the right to edit users.
#[utoipa::path(
    get, path = "/rest/tokens/{public_id}/history/{revision}", tag = "Tokens",
    operation_id = "read_token_revision",
    params(RevisionOfRecord),
    responses((status = 200, description = "The token right after that change", body = Single<PastToken>)),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<TokenId>,
    known: IfNoneMatch,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let record = RecordKey::new(Resource::Token, id.get());
    let document = history::read_revision(&permit, record, revision).await?;
    Ok(known.answer(revision, || {
        Answer::single_text(Model::Token, &document.value, state.now())
    }))
}
