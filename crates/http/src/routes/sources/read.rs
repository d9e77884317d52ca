use axum::extract::State;
use stockroom_access::permission::ObjectImport;
use stockroom_model::SourceId;
use stockroom_service::source;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, Permit};
use crate::schema::{RecordId, Single, Source};
use crate::state::AppState;

/// Read a source
///
/// With its last import, and how many objects it has now.
#[utoipa::path(
    get, path = "/rest/sources/{public_id}", tag = "Sources", operation_id = "read_source",
    params(RecordId),
    responses((status = 200, description = "The source", body = Single<Source>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<SourceId>,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let document = source::read_source(&permit, id).await?;
    let answer = Answer::single(Model::Source, &document.value, state.now());
    // Imports change the answer, but not the revision: it is never 304.
    Ok(answer.revision(document.revision))
}
