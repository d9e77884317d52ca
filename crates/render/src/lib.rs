//! Rendering: an object, its type and what it references become the document that people read
//! (`docs/guide/src/objects.md`).
//!
//! Nothing is loaded here. Rendering asks a [`RenderContext`] that already knows the objects, up to
//! [`MAX_HOPS`] references away. [`load`] fills such a context with one fetch per hop, however many
//! objects a page has; written out, it is this loop:
//!
//! ```text
//! wanted = union of references(object, type) over the page          // hop 1
//! for hop in 2..=MAX_HOPS {
//!     fetch wanted into the context
//!     wanted = union of next_hop(object, type, context, hop) over the page
//! }
//! fetch wanted into the context
//! ```
//!
//! The context answers for the caller who reads: an object that this caller may not see is
//! [`Target::Hidden`] at every hop. Types and users are few and cached, so a context is expected to
//! know all of them.

mod external;
mod fields;
mod hops;
mod out;
mod placeholder;
mod record;
mod reference;
mod section;
mod summary;
mod text;
mod type_template;

use stockroom_model::{DEFAULT_VERSION, ObjectId, Timestamp, TypeId};

use out::Out;

pub use hops::{load, next_hop, references};
pub use record::Record;
pub use summary::summary_line;
pub use type_template::TypeTemplate;

/// How many references away from the rendered object the context is asked for objects.
pub const MAX_HOPS: usize = 3;

/// What rendering needs to know of the context; the caller has loaded it beforehand.
pub trait RenderContext {
    /// The template of a type; `None` if there is none of that id.
    fn template(&self, id: TypeId) -> Option<&TypeTemplate>;

    /// A referenced object as the reader may see it.
    fn object(&self, id: ObjectId) -> Target<'_>;

    /// The display name of a user; `None` if there is none of that id.
    fn user_name(&self, id: i64) -> Option<&str>;

    /// Whether all objects were loaded that rendering asks for; those that were not are hidden.
    fn is_whole(&self) -> bool;
}

/// What a reference leads to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// An object that the reader may see.
    Visible(&'a Record),
    /// An object that the reader may not see.
    Hidden,
    /// No object: the reference dangles.
    Missing,
}

/// The rendered document of `record`, as JSON text.
///
/// The values of its password fields are shown in `type_information.fields` as `record` holds them,
/// so the caller puts mask or plain text there; everywhere else, referenced objects included, a set
/// password is masked.
///
/// A document that is too long by the limits of the template, or of which not all was loaded, is
/// cut and says so: `"truncated": true`. A value that is too long for lines reads as `…` in them,
/// and links with one are left out.
#[must_use]
pub fn render(
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
    now: Timestamp,
) -> String {
    let mut out = Out::new(template.rendered_bytes);
    out.raw(r#"{"current_render_time":"#);
    date(&mut out, now);
    out.raw(r#","object_information":"#);
    object_information(&mut out, record, context);
    out.raw(r#","type_information":"#);
    type_information(&mut out, record, template, context);
    out.raw(if out.is_cut() || !context.is_whole() {
        r#","truncated":true}"#
    } else {
        "}"
    });
    out.finish()
}

fn object_information(out: &mut Out, record: &Record, context: &impl RenderContext) {
    let [author, editor] = ["author_id", "editor_id"].map(|key| record.integer(key));
    out.raw(r#"{"object_id":"#);
    out.json(&record.public_id());
    out.raw(r#","creation_time":"#);
    time(out, record, "creation_time");
    out.raw(r#","last_edit_time":"#);
    time(out, record, "last_edit_time");
    out.raw(r#","author_id":"#);
    out.json(&author);
    out.raw(r#","author_name":"#);
    out.json(author_name(author, context));
    out.raw(r#","editor_id":"#);
    out.json(&editor);
    out.raw(r#","editor_name":"#);
    out.json(&editor.and_then(|editor| context.user_name(editor)));
    out.raw(r#","active":"#);
    out.json(&(record.member("active") != Some("false")));
    out.raw(r#","version":"#);
    match record
        .member("version")
        .filter(|version| version.starts_with('"'))
    {
        Some(version) => out.raw(version),
        None => out.json(DEFAULT_VERSION),
    }
    out.raw("}");
}

fn type_information(
    out: &mut Out,
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
) {
    out.raw(&template.head);
    out.json(author_name(Some(template.author_id), context));
    out.raw(&template.middle);
    section::fields(out, record, template, context);
    out.raw(r#"],"sections":"#);
    out.raw(&template.outline);
    out.raw(r#","summaries":["#);
    summary::summaries(out, record, template, context);
    out.raw(r#"],"summary_line":"#);
    out.json(&summary_line(record, template));
    out.raw(r#","externals":["#);
    external::externals(out, record, template);
    out.raw("]}");
}

fn time(out: &mut Out, record: &Record, key: &str) {
    let stored = record.member(key).map(record::parse);
    match stored.as_ref().and_then(Timestamp::from_input) {
        Some(time) => date(out, time),
        None => out.raw("null"),
    }
}

fn date(out: &mut Out, time: Timestamp) {
    out.raw(r#"{"$date":"#);
    out.number(time.millis());
    out.raw("}");
}

fn author_name(author: Option<i64>, context: &impl RenderContext) -> &str {
    author
        .and_then(|author| context.user_name(author))
        .unwrap_or("unknown")
}
