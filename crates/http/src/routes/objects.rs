//! `/objects` (`docs/guide/src/objects.md`)

pub(crate) mod aggregate;
mod clean;
mod delete;
mod history;
mod insert;
mod jobs;
mod list;
mod native;
mod read;
mod references;
mod restore;
mod sources;
mod state;
mod update;

use axum::routing::post;
use stockroom_model::ObjectId;
use stockroom_service::object::WrittenObject;

use crate::answer::{Answer, Model};
use crate::request::{Origin, WriteKind};
use crate::routing::{Routes, routes};
use crate::state::AppState;

pub(crate) fn router() -> Routes {
    Routes::new()
        .writes(
            WriteKind::Operation,
            routes!(list::handle, insert::handle).with_query(post(list::handle)),
        )
        .routes(routes!(aggregate::handle))
        .writes(
            WriteKind::Operation,
            routes!(read::handle, update::handle, delete::handle),
        )
        .routes(routes!(native::handle))
        .routes(routes!(references::handle).with_query(post(references::handle)))
        .routes(routes!(sources::handle).with_query(post(sources::handle)))
        .routes(routes!(history::list).with_query(post(history::list)))
        .routes(routes!(history::read))
        .writes(WriteKind::Operation, routes!(restore::handle))
        .writes(WriteKind::Operation, routes!(state::read, state::update))
        .writes(
            WriteKind::Operation,
            routes!(jobs::list, jobs::start).with_query(post(jobs::list)),
        )
        .writes(WriteKind::Operation, routes!(jobs::read, jobs::cancel))
        .writes(
            WriteKind::Operation,
            routes!(clean::list, clean::clean).with_query(post(clean::list)),
        )
}

fn url(origin: &Origin, id: impl std::fmt::Display) -> String {
    origin.url(&format!("/rest/objects/{id}"))
}

/// The native document in the answer to a write.
fn native(row: &stockroom_service::object::Row) -> String {
    let mut document = String::with_capacity(row.document.len() + 32);
    row.write_native(&mut document);
    document
}

/// The answer to a change of an object or of its state.
fn updated(state: &AppState, origin: &Origin, id: ObjectId, written: &WrittenObject) -> Answer {
    Answer::updated(
        axum::http::StatusCode::OK,
        Model::Object,
        &native(&written.row),
        &written.warnings,
        state.now(),
    )
    .revision(written.row.revision)
    .location(&url(origin, id))
}
