use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use stockroom_access::permission::ObjectDelete;
use stockroom_model::ObjectId;
use stockroom_service::object::delete::{self, References};

use crate::answer::{Answer, Model, Problem};
use crate::request::{Id, IfMatch, Parameters, Permit, path};
use crate::schema::{DeleteParameters, Deleted, ObjectOrObjects, RecordIds};
use crate::state::AppState;

const REFERENCES: [(&str, References); 2] = [
    ("protect", References::Protect),
    ("clear", References::Clear),
];

/// Delete one or several objects
///
/// Deletes all of them or none.
#[utoipa::path(
    delete, path = "/rest/objects/{public_id}", tag = "Objects", operation_id = "delete_objects",
    params(RecordIds, DeleteParameters),
    responses(
        (
            status = 200,
            description = "The removed object, or a list of the removed objects",
            body = Deleted<ObjectOrObjects>,
        ),
    ),
)]
pub(super) async fn handle(
    Permit(permit): Permit<ObjectDelete>,
    Id(text): Id<String>,
    IfMatch(precondition): IfMatch,
    parameters: Parameters,
    State(state): State<AppState>,
) -> Result<Answer, Problem> {
    let ids = ids(&text)?;
    let precondition = match ids.len() {
        1 => precondition,
        _ => precondition.or_none(),
    };
    let references = parameters.one_of("references", &REFERENCES, References::Keep)?;
    let removed = delete::delete(&permit, ids, references, precondition).await?;
    let mut documents = String::new();
    for (index, row) in removed.iter().enumerate() {
        if index > 0 {
            documents.push(',');
        }
        row.write_native(&mut documents);
    }
    let entry = if text.contains(',') {
        format!("[{documents}]")
    } else {
        documents
    };
    Ok(Answer::deleted(
        StatusCode::OK,
        Model::Object,
        &entry,
        &[],
        state.now(),
    ))
}

/// A single malformed id names no object: 404. In a list it makes the request malformed: 400.
/// Duplicates count once.
fn ids(text: &str) -> Result<Vec<ObjectId>, Problem> {
    if !text.contains(',') {
        return Ok(vec![path::parse(text)?]);
    }
    let mut ids = Vec::new();
    let mut known = BTreeSet::new();
    for part in text.split(',') {
        let id = part.trim().parse().map_err(|_| {
            Problem::invalid(
                "public_id",
                format!("{part:?} is no id; ids are whole numbers from 1 on"),
            )
        })?;
        if known.insert(id) {
            ids.push(id);
        }
    }
    Ok(ids)
}
