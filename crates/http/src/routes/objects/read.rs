use axum::http::Method;
use stockroom_access::permission::ObjectView;
use stockroom_model::{ObjectId, Timestamp};
use stockroom_service::object::{labels, read};

use crate::answer::{Answer, Labels, Problem, REVISION_HEADER};
use crate::request::{Id, Parameters, Permit};
use crate::schema::{AsOfParameter, LabelsParameter, RecordId, RenderedObject};

/// Read a rendered object
#[utoipa::path(
    get, path = "/rest/objects/{public_id}", tag = "Objects", operation_id = "read_object",
    params(RecordId, AsOfParameter, LabelsParameter),
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
    let labels = labels(&permit, id, as_of, &parameters).await?;
    let rendered = read::rendered(&permit, id, as_of).await?;
    // Neither is a HEAD request a view, nor a look at the past.
    if method == Method::GET && as_of.is_none() {
        read::count_view(&permit, id);
    }
    let revision = rendered.revision.0.to_string();
    let answer = match labels {
        Some(labels) => Answer::labelled(rendered.document, &labels),
        None => Answer::bare(rendered.document),
    };
    let answer = answer.private(rendered.reveals);
    Ok(answer.header(REVISION_HEADER, &revision))
}

/// The labels of the objects that an object references, if requested.
pub(super) async fn labels(
    permit: &stockroom_service::Permit<ObjectView>,
    id: ObjectId,
    as_of: Option<Timestamp>,
    parameters: &Parameters,
) -> Result<Option<Labels>, Problem> {
    if parameters.flag("labels")? != Some(true) {
        return Ok(None);
    }
    let mut labels = Labels::default();
    labels.add(&labels::of_object(permit, id, as_of).await?);
    Ok(Some(labels))
}
