//! `/imports` (`docs/guide/src/imports.md`)

mod events;
mod failed;
mod missing;
mod records;
mod repair;
mod rows;
mod steps;
pub(crate) mod upload;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use stockroom_access::permission::ObjectImport;
use stockroom_model::json::Value;
use stockroom_model::{ImportId, TypeId};
use stockroom_service::import;

use crate::answer::{Answer, Model, Problem, event_stream};
use crate::request::{Id, ListQuery, Origin, Parameters, Permit, WriteKind};
use crate::routing::{Routes, routes};
use crate::schema::{Deleted, Import, ImportTypeParameter, List, ListParameters, RecordId, Single};
use crate::state::AppState;

pub(crate) fn router() -> Routes {
    Routes::new()
        .routes(routes!(upload::handle, list).with_query(post(list)))
        .writes(WriteKind::Operation, routes!(records::handle))
        .writes(WriteKind::Operation, routes!(read, delete))
        .writes(WriteKind::Operation, routes!(steps::run))
        .writes(WriteKind::Operation, routes!(steps::undo))
        .writes(WriteKind::Operation, routes!(steps::cancel).vital())
        .writes(
            WriteKind::Operation,
            routes!(rows::handle, repair::handle).with_query(post(rows::handle)),
        )
        .routes(routes!(missing::handle).with_query(post(missing::handle)))
        .routes(routes!(failed::handle))
}

/// List your imports
///
/// The newest first, and at most 1,000.
#[utoipa::path(
    get, path = "/rest/imports", tag = "Imports", operation_id = "list_imports",
    params(ListParameters),
    responses((status = 200, description = "A page of your imports", body = List<Import>)),
)]
async fn list(
    Permit(permit): Permit<ObjectImport>,
    mut query: ListQuery,
) -> Result<Answer, Problem> {
    query.default_newest("id");
    let page = import::list(&permit, &query.request).await?;
    Ok(query.answer(Model::Import, &page))
}

/// Read an import
///
/// With what was found in the columns of its file, and a type that could take them. Administrators
/// may read the imports of all users. With `Accept: text/event-stream`, the import is sent as an
/// event whenever it has got further, until its step has ended.
#[utoipa::path(
    get, path = "/rest/imports/{public_id}", tag = "Imports", operation_id = "read_import",
    params(RecordId, ImportTypeParameter),
    responses((
        status = 200, description = "The import",
        content((Single<Import> = "application/json"), (String = "text/event-stream")),
    )),
)]
async fn read(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    headers: HeaderMap,
    parameters: Parameters,
    State(state): State<AppState>,
) -> Result<Response, Problem> {
    let type_id = type_id(&parameters)?;
    if event_stream::is_accepted(&headers) {
        return events::answer(permit, id, state.service.lifecycle()).await;
    }
    let import = import::read_import(&permit, id, type_id).await?;
    Ok(Answer::single(Model::Import, &import, state.now()).into_response())
}

fn type_id(parameters: &Parameters) -> Result<Option<TypeId>, Problem> {
    let Some(text) = parameters.get("type_id")? else {
        return Ok(None);
    };
    let id = text.parse().ok().and_then(TypeId::new);
    let refused = || Problem::invalid("type_id", "must be the id of a type");
    id.map(Some).ok_or_else(refused)
}

/// Delete an import
///
/// With its file. What it wrote stays, and can no longer be undone. It must not be running.
#[utoipa::path(
    delete, path = "/rest/imports/{public_id}", tag = "Imports", operation_id = "delete_import",
    params(RecordId),
    responses((status = 200, description = "The import as it was", body = Deleted<Import>)),
)]
async fn delete(
    Permit(permit): Permit<ObjectImport>,
    Id(id): Id<ImportId>,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let deleted = import::delete(&permit, id).await?;
    Ok(Answer::deleted(
        StatusCode::OK,
        Model::Import,
        &deleted.to_string(),
        &[],
        state.now(),
    ))
}

/// The answer to a step.
fn updated(
    status: StatusCode,
    id: ImportId,
    import: &Value,
    origin: &Origin,
    state: &AppState,
) -> Answer {
    let import = import.to_string();
    Answer::updated(status, Model::Import, &import, &[], state.now())
        .location(&origin.url(&format!("/rest/imports/{id}")))
}
