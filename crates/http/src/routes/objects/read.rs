use axum::http::Method;
use stockroom_access::permission::ObjectView;
use stockroom_model::ObjectId;
use stockroom_service::object::read;

use crate::envelope::{Answer, REVISION_HEADER};
use crate::extract::{Id, Parameters, Permit};
use crate::problem::Problem;
use crate::schema::{AsOfParameter, RecordId, RenderedObject};

/// Read a rendered object
#[utoipa::path(
    get, path = "/rest/objects/{public_id}", tag = "Objects", operation_id = "read_object",
    params(RecordId, AsOfParameter),
    responses(
        (
            status = 200,
            description = "The rendered document, without an envelope",
            body = RenderedObject,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    Id(id): Id<ObjectId>,
    method: Method,
    parameters: Parameters,
) -> Result<Answer, Problem> {
    let as_of = parameters.time("as_of")?;
    let rendered = read::rendered(&permit, id, as_of).await?;
    // Neither is a HEAD request a view, nor a look at the past.
    if method == Method::GET && as_of.is_none() {
        read::count_view(&permit, id);
    }
    let revision = rendered.revision.0.to_string();
    let answer = Answer::bare(rendered.document).private(rendered.reveals);
    Ok(answer.header(REVISION_HEADER, &revision))
}
