use axum::http::Method;
use axum::response::Response;
use stockroom_access::permission::ObjectView;
use stockroom_service::export::{self, Format};

use super::{answer, parameters};
use crate::answer::Problem;
use crate::request::{ListQuery, Permit};
use crate::schema::{AsOfParameter, ExportParameters, ObjectSearchParameter};

/// Export objects as a file
///
/// The objects that match and that the caller may see, from one snapshot. Tables (`csv`, `xlsx`)
/// need objects of exactly one type. Values of password fields are left out. A file has no place
/// for warnings, so they are errors.
#[utoipa::path(
    get, path = "/rest/exports/objects", tag = "Exports", operation_id = "export_objects",
    params(ExportParameters, ObjectSearchParameter, AsOfParameter),
    responses(
        (
            status = 200,
            description = "The file, which is sent while it is written",
            content(
                (String = "text/csv"),
                (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
                (Vec<serde_json::Value> = "application/json"),
                (String = "application/x-ndjson"),
            ),
            headers(("Content-Disposition" = String, description = "The name of the file")),
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectView>,
    method: Method,
    query: ListQuery,
) -> Result<Response, Problem> {
    let request = parameters::read(&query, &method)?;
    let content_type = content_type(request.format);
    let file = export::objects(&permit, request).await?;
    Ok(answer(file, content_type))
}

const fn content_type(format: Format) -> &'static str {
    match format {
        Format::Csv { .. } => "text/csv; charset=utf-8",
        Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Format::Json => "application/json",
        Format::Ndjson => "application/x-ndjson",
    }
}
