use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import;

use super::updated;
use crate::answer::{Answer, Problem};
use crate::request::{Id, JsonBody, Origin, Permit};
use crate::schema::{Import, ImportRepairBody, RecordId, Updated};
use crate::state::AppState;

/// Repair rows of an import
///
/// Replaces cells of rows that were not imported, all or none of them. The statuses stay as they
/// are until the rows are checked or imported again, for example with `"only": "failed"`.
#[utoipa::path(
    patch, path = "/rest/imports/{public_id}/rows", tag = "Imports",
    operation_id = "repair_import_rows",
    params(RecordId), request_body = ImportRepairBody,
    responses((status = 202, description = "The rows are repaired", body = Updated<Import>)),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    origin: Origin,
    State(state): State<AppState>,
    JsonBody(body): JsonBody,
) -> Result<Answer, Problem> {
    let import = import::repair(&permit, id, body).await?;
    Ok(updated(StatusCode::ACCEPTED, id, &import, &origin, &state))
}
