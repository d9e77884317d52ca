use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use stockroom_access::permission::TypeClean;
use stockroom_model::TypeId;
use stockroom_service::object::clean;

use super::list::{answer, request};
use crate::answer::{Answer, Model, Problem, to_text};
use crate::request::{Id, ListQuery, Origin, Permit, Prefer};
use crate::schema::{
    Cleaned, ListParameters, ObjectListParameters, ObjectResults, RecordId, Updated,
};
use crate::state::AppState;

/// List the unclean objects of a type
///
/// Their set of field names differs from that of the type.
#[utoipa::path(
    get, path = "/rest/objects/clean/{public_id}", tag = "Objects",
    operation_id = "list_unclean_objects",
    params(RecordId, ListParameters, ObjectListParameters),
    responses((status = 200, description = "A page of the unclean objects", body = ObjectResults)),
)]
pub(super) async fn list(
    Permit(permit): Permit<TypeClean>,
    Id(id): Id<TypeId>,
    prefer: Prefer,
    mut query: ListQuery,
) -> Result<Response, Problem> {
    let request = request(&mut query, prefer)?;
    let found = clean::list(&permit, id, request).await?;
    Ok(prefer.revisions_applied(answer(&query, found)?))
}

/// Clean the objects of a type
///
/// Removes unknown fields and adds missing ones.
#[utoipa::path(
    put, path = "/rest/objects/clean/{public_id}", tag = "Objects", operation_id = "clean_objects",
    params(RecordId),
    responses(
        (status = 200, description = "The number of cleaned objects", body = Updated<Cleaned>),
    ),
)]
pub(super) async fn clean(
    Permit(permit): Permit<TypeClean>,
    Id(id): Id<TypeId>,
    origin: Origin,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let cleaned = clean::clean(&permit, id).await?;
    let result = to_text(&Cleaned {
        type_id: id,
        cleaned,
    });
    let url = origin.url(&format!("/rest/objects/clean/{id}"));
    Ok(Answer::updated(StatusCode::OK, Model::Object, &result, &[], state.now()).location(&url))
}
