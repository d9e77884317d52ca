use axum::http::Method;
use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_service::export;

use super::{answer, parameters};
use crate::answer::Problem;
use crate::request::{Parameters, Permit};

/// Export everything that the caller may see
///
/// A ZIP archive from one snapshot: `types.json`, `categories.json`, and
/// `objects/<name of the type>.ndjson` for each type. Lists that the caller has no right to see are
/// missing. Values of password fields are left out.
#[utoipa::path(
    get, path = "/rest/exports/all", tag = "Exports", operation_id = "export_all",
    responses(
        (
            status = 200,
            description = "The archive, which is sent while it is written",
            body = String, content_type = "application/zip",
            headers(("Content-Disposition" = String, description = "The name of the file")),
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    method: Method,
    parameters: Parameters,
) -> Result<Response, Problem> {
    parameters::check_known(&parameters)?;
    let file = export::all(&permit, method == Method::HEAD).await?;
    Ok(answer(file, "application/zip"))
}
