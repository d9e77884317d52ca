use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectImport;
use stockroom_model::ImportId;
use stockroom_service::import;

use super::updated;
use crate::answer::{Answer, Problem};
use crate::request::{Id, Origin, Permit, SmallJsonBody};
use crate::schema::{Import, ImportRunBody, RecordId, Updated};
use crate::state::AppState;

/// Run an import
///
/// In the background, in chunks of 1,000 rows. With `"dry_run": true` every row gets its status and
/// nothing is written. Without `columns`, each column goes to the field of its name or label.
#[utoipa::path(
    post, path = "/rest/imports/{public_id}/run", tag = "Imports", operation_id = "run_import",
    params(RecordId), request_body = ImportRunBody,
    responses((status = 202, description = "The import has started", body = Updated<Import>)),
)]
pub(super) async fn run(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    origin: Origin,
    State(state): State<AppState>,
    SmallJsonBody(body): SmallJsonBody,
) -> Result<Answer, Problem> {
    let import = import::run_import(&permit, id, body).await?;
    Ok(updated(StatusCode::ACCEPTED, id, &import, &origin, &state))
}

/// Undo an import
///
/// In the background: objects that it made are deleted, and objects that it changed become as they
/// were. What somebody else has changed or refers to since is kept; the results of the rows say
/// so.
#[utoipa::path(
    post, path = "/rest/imports/{public_id}/undo", tag = "Imports", operation_id = "undo_import",
    params(RecordId),
    responses((status = 202, description = "The undo has started", body = Updated<Import>)),
)]
pub(super) async fn undo(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    origin: Origin,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let import = import::undo(&permit, id).await?;
    Ok(updated(StatusCode::ACCEPTED, id, &import, &origin, &state))
}

/// Cancel an import
///
/// What it has written stays and can be undone. An import that does not run stays as it is.
#[utoipa::path(
    post, path = "/rest/imports/{public_id}/cancel", tag = "Imports",
    operation_id = "cancel_import",
    params(RecordId),
    responses((status = 200, description = "The import", body = Updated<Import>)),
)]
pub(super) async fn cancel(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    origin: Origin,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let import = import::cancel(&permit, id).await?;
    Ok(updated(StatusCode::OK, id, &import, &origin, &state))
}
