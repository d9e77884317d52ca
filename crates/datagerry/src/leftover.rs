//! What has no place in Stockroom and is written beside.

use serde_json::{Value, json};

use crate::bson::Document;
use crate::report::Kind;

/// The collection of the metadata of files; DATAGERRY spells it so.
pub const FILES: &str = "media.libary.files";
/// The collection of the contents of files.
pub const CHUNKS: &str = "media.libary.chunks";

/// The collection of locations, which are moved in part.
pub const LOCATIONS: &str = "framework.locations";

/// What to do with a collection that is not moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leftover {
    /// Its documents are moved, or are part of what is moved.
    Moved,
    /// It counts as records of this kind, each written as a line.
    Lines(Kind),
    /// It holds files.
    Files,
    /// It is left out altogether: keys and counters of the old server.
    Nothing,
}

/// What to do with a collection of a dump.
#[must_use]
pub fn leftover(collection: &str) -> Leftover {
    match collection {
        "management.groups"
        | "management.users"
        | "management.users.settings"
        | "framework.types"
        | "framework.categories"
        | "framework.objects"
        | LOCATIONS => Leftover::Moved,
        "framework.logs" => Leftover::Lines(Kind::Log),
        FILES | CHUNKS => Leftover::Files,
        "settings.conf" | "datastorage.counter" => Leftover::Nothing,
        _ => Leftover::Lines(Kind::Other),
    }
}

/// The line for the multi-data sections of an object, if it has any.
#[must_use]
pub fn multi_data(document: &Document) -> Option<Value> {
    let sections = document.members.get("multi_data_sections")?;
    let has_some = sections
        .as_array()
        .is_none_or(|sections| !sections.is_empty());
    (has_some && !sections.is_null()).then(|| {
        json!({
            "public_id": document.members.get("public_id"),
            "type_id": document.members.get("type_id"),
            "multi_data_sections": sections,
        })
    })
}
