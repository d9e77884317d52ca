use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::TryStreamExt as _;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import;

use crate::answer::Problem;
use crate::request::{Id, Permit};
use crate::routes::exports::disposition;
use crate::schema::RecordId;

/// Download the refused rows of an import
///
/// As CSV with a last column that says why. Repaired, the file can be imported again.
#[utoipa::path(
    get, path = "/rest/imports/{public_id}/failed", tag = "Imports",
    operation_id = "download_failed_rows",
    params(RecordId),
    responses(
        (
            status = 200, description = "The rows", body = String, content_type = "text/csv",
            headers(("Content-Disposition" = String, description = "The name of the file")),
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
) -> Result<Response, Problem> {
    let file = import::failed(&permit, id).await?;
    // A failure breaks the connection, so that no client takes a part for the whole.
    let content = file.content.map_ok(Bytes::from);
    let mut answer = Response::new(Body::from_stream(content));
    let headers = answer.headers_mut();
    let csv = HeaderValue::from_static("text/csv; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, csv);
    if let Ok(disposition) = HeaderValue::from_str(&disposition(&file.name)) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(answer)
}
