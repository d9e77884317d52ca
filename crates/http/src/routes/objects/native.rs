use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_service::object::read::{self, Native};

use crate::envelope::Answer;
use crate::extract::{Id, IfNoneMatch, Parameters, Permit};
use crate::problem::Problem;
use crate::schema::{AsOfParameter, NativeObject, RecordId};

/// Read an object as stored
#[utoipa::path(
    get, path = "/rest/objects/{public_id}/native", tag = "Objects",
    operation_id = "read_native_object",
    params(RecordId, AsOfParameter),
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
    let Native { row, reveals } = read::native(&permit, id, parameters.time("as_of")?).await?;
    let revision = row.revision;
    let answer = || Answer::bare(row.into_native()).private(reveals);
    Ok(known.answer(revision, answer))
}
