use axum::response::{IntoResponse as _, Response};
use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_service::object::read::{self, Native};

use super::read::labels;
use crate::answer::{Answer, Problem, REVISION_HEADER};
use crate::request::{Id, IfNoneMatch, Parameters, Permit};
use crate::schema::{AsOfParameter, LabelsParameter, NativeObject, RecordId};

/// Read an object as stored
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/native", tag = "Objects",
    operation_id = "read_native_object",
    params(RecordId, AsOfParameter, LabelsParameter),
    responses(
        (
            status = 200,
            description = "The native document, without an envelope",
            body = NativeObject,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    Id(id): Id<ObjectId>,
    known: IfNoneMatch,
    parameters: Parameters,
) -> Result<Response, Problem> {
    let as_of = parameters.time("as_of")?;
    let labels = labels(&permit, id, as_of, &parameters).await?;
    let Native { row, reveals } = read::native(&permit, id, as_of).await?;
    let revision = row.revision;
    if let Some(labels) = labels {
        // Labels change with other records, so there is no entity tag.
        let answer = Answer::labelled(row.into_native(), &labels).private(reveals);
        let answer = answer.header(REVISION_HEADER, &revision.0.to_string());
        return Ok(answer.into_response());
    }
    let answer = || Answer::bare(row.into_native()).private(reveals);
    Ok(known.answer(revision, answer))
}
