use axum::response::Response;
use stockroom_access::permission::LogView;
use stockroom_model::ObjectId;
use stockroom_service::history::{self, RecordKey, Resource};
use stockroom_service::object::list::View;
use stockroom_service::object::past;

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IdAndRevision, IfNoneMatch, ListQuery, Parameters, Permit};
use crate::routes::history::answer;
use crate::schema::{
    Change, HistoryParameters, List, ObjectViewParameter, PastObject, RecordId, RevisionOfRecord,
};

/// List the changes of an object
///
/// The newest first, each with the fields that it changed. Works for deleted objects, too.
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/history", tag = "Objects",
    operation_id = "list_object_history",
    params(RecordId, HistoryParameters),
    responses((status = 200, description = "A page of the changes", body = List<Change>)),
)]
pub(super) async fn list(
    Permit(permit): Permit<LogView>,
    Id(id): Id<ObjectId>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    let record = RecordKey::new(Resource::Object, id.get());
    let page = history::of_record(&permit, record, query.newest_first()).await?;
    Ok(answer(&query, Model::Object, &page))
}

/// Read an object as it was
///
/// Right after the change that led to the revision. Passwords are null. A rendered document shows
/// the type and the referenced objects of that time.
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/history/{revision}", tag = "Objects",
    operation_id = "read_object_revision",
    params(RevisionOfRecord, ObjectViewParameter),
    responses(
        (
            status = 200,
            description = "The native or rendered document, without an envelope",
            body = PastObject,
        ),
    ),
)]
pub(super) async fn read(
    Permit(permit): Permit<LogView>,
    IdAndRevision(id, revision): IdAndRevision<ObjectId>,
    known: IfNoneMatch,
    parameters: Parameters,
) -> Result<Response, Problem> {
    let view = parameters.one_of(
        "view",
        &[("native", View::Native), ("render", View::Render)],
        View::Native,
    )?;
    let document = past::at_revision(&permit, id, revision, view).await?;
    Ok(known.answer(revision, || Answer::bare(document)))
}
