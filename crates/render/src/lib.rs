//! Rendering: an object, its type and what it references become the document that people read (spec, "Rendered form").
//!
//! Nothing is loaded here. Rendering asks a [`World`] that already knows the objects, up to [`MAX_HOPS`] references away.
//! [`load`] fills such a world with one fetch per hop, however many objects a page has; written out, it is this loop:
//!
//! ```text
//! wanted = union of references(object, type) over the page          // hop 1
//! for hop in 2..=MAX_HOPS {
//!     fetch wanted into the world
//!     wanted = union of next_hop(object, type, world, hop) over the page
//! }
//! fetch wanted into the world
//! ```
//!
//! The world answers for the caller who reads: an object that this caller may not see is [`Target::Hidden`] at every hop.
//! Types and users are few and cached, so a world is expected to know all of them.

mod external;
mod fields;
mod hops;
mod placeholder;
mod reference;
mod section;
mod summary;
mod text;

use serde_json::{Value, json};
use stockroom_model::{DEFAULT_VERSION, Object, ObjectId, Timestamp, Type, TypeId};

pub use hops::{load, next_hop, references};
pub use summary::summary_line;

/// How many references away from the rendered object the world is asked for objects.
pub const MAX_HOPS: usize = 3;

/// What rendering needs to know of the world; the caller has loaded it beforehand.
pub trait World {
    /// A type; `None` if there is none of that id.
    fn r#type(&self, id: TypeId) -> Option<&Type>;

    /// A referenced object as the reader may see it.
    fn object(&self, id: ObjectId) -> Target<'_>;

    /// The display name of a user; `None` if there is none of that id.
    fn user_name(&self, id: i64) -> Option<&str>;
}

/// What a reference leads to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// An object that the reader may see.
    Visible(&'a Object),
    /// An object that the reader may not see.
    Hidden,
    /// No object: the reference dangles.
    Missing,
}

/// The rendered document of `object`.
///
/// The values of its password fields are shown in `type_information.fields` as `object` holds them, so the caller puts mask or
/// plain text there; everywhere else, referenced objects included, a set password is masked.
#[must_use]
pub fn render(object: &Object, r#type: &Type, world: &impl World, now: Timestamp) -> Value {
    json!({
        "current_render_time": now.to_date(),
        "object_information": object_information(object, world),
        "type_information": type_information(object, r#type, world),
    })
}

fn object_information(object: &Object, world: &impl World) -> Value {
    let [author, editor] = ["author_id", "editor_id"].map(|key| object.integer(key));
    json!({
        "object_id": object.public_id(),
        "creation_time": time(object, "creation_time"),
        "last_edit_time": time(object, "last_edit_time"),
        "author_id": author,
        "author_name": author_name(author, world),
        "editor_id": editor,
        "editor_name": editor.and_then(|editor| world.user_name(editor)),
        "active": object.active(),
        "version": object.text("version").unwrap_or(DEFAULT_VERSION),
    })
}

fn type_information(object: &Object, r#type: &Type, world: &impl World) -> Value {
    json!({
        "type_id": r#type.public_id,
        "type_name": r#type.name,
        "type_label": r#type.label,
        "creation_time": r#type.created().map(Timestamp::to_date),
        "author_id": r#type.author_id,
        "author_name": author_name(Some(r#type.author_id), world),
        "icon": r#type.render_meta.icon,
        "active": r#type.active,
        "version": r#type.version,
        "acl": acl(&r#type.acl),
        "fields": section::fields(object, r#type, world),
        "sections": section::outlines(r#type, world),
        "summaries": summary::summaries(object, r#type, world),
        "summary_line": summary_line(object, r#type),
        "externals": external::externals(object, r#type),
    })
}

fn time(object: &Object, key: &str) -> Option<Value> {
    let stored = object.members().get(key)?;
    Timestamp::from_input(stored).map(Timestamp::to_date)
}

fn author_name(author: Option<i64>, world: &impl World) -> &str {
    author
        .and_then(|author| world.user_name(author))
        .unwrap_or("unknown")
}

/// The two parts of an ACL that have a meaning; a type stored without them gets those of an open one.
fn acl(stored: &Value) -> Value {
    let includes = stored
        .pointer("/groups/includes")
        .filter(|includes| includes.is_object());
    json!({
        "activated": stored.get("activated").and_then(Value::as_bool).unwrap_or(false),
        "groups": { "includes": includes.cloned().unwrap_or_else(|| json!({})) },
    })
}
