//! Rendering: turns an object, its type and its referenced objects into the document that people
//! read (`docs/guide/src/objects.md`).
//!
//! Rendering loads nothing. It uses a [`RenderContext`] that already has the objects up to
//! [`MAX_HOPS`] references away. [`load`] fills such a context with one fetch per hop, however many
//! objects a page has. It is equivalent to this loop:
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
//! The context belongs to one reader: an object that this reader may not see is [`Target::Hidden`]
//! at every hop. Types and users are few and cached, so a context is expected to have all of them.

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
mod work;

use stockroom_model::{DEFAULT_VERSION, ObjectId, Timestamp, TypeId};

use out::Out;

pub use hops::{load, next_hop, references, targets};
pub use record::Record;
use summary::summary_line_within;
pub use summary::{SUMMARY_SEPARATOR, summary_line};
pub use type_template::TypeTemplate;
use work::Work;

/// The maximum number of references between the rendered object and an object in the context.
pub const MAX_HOPS: usize = 3;

/// How many bytes may be read and written for each byte that a document may have. Most bytes of
/// values in lines and links are read more than once.
const WORK_PER_BYTE: usize = 4;

/// The data that rendering needs; the caller has loaded it beforehand.
pub trait RenderContext {
    /// The template of a type, if it exists.
    fn template(&self, id: TypeId) -> Option<&TypeTemplate>;

    /// Whether the reader may see objects of a type.
    fn sees(&self, id: TypeId) -> bool;

    /// A referenced object as the reader may see it.
    fn object(&self, id: ObjectId) -> Target<'_>;

    /// The display name of a user, if the user exists.
    fn user_name(&self, id: i64) -> Option<&str>;

    /// Whether all objects that rendering needs were loaded; the others are hidden.
    fn is_whole(&self) -> bool;

    /// Whether rendering may go on, after it has read or written so many more bytes. A document
    /// that had to stop is of no use.
    fn may_go_on(&self, _bytes: usize) -> bool {
        true
    }
}

/// The target of a reference.
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
/// Values of its password fields appear in `type_information.fields` as in `record`: the caller
/// puts the mask or plain text there. Everywhere else, referenced objects included, a set password
/// is masked.
///
/// A document that exceeds the template's limits, or whose references were not all loaded, is
/// truncated and says so: `"truncated": true`. In lines, a value that is too long is shown as `…`;
/// links with such a value are omitted.
#[must_use]
pub fn render(
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
    now: Timestamp,
) -> String {
    let may_go_on = |bytes| context.may_go_on(bytes);
    let work = Work::new(WORK_PER_BYTE * template.rendered_bytes, &may_go_on);
    let mut out = Out::new(template.rendered_bytes, &work);
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
    out.json(&record.is_active());
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
    out.json(&summary_line_within(record, template, out.work()));
    out.raw(r#","externals":["#);
    external::externals(out, record, template);
    out.raw("]}");
}

fn time(out: &mut Out, record: &Record, key: &str) {
    let stored = record.member(key);
    let text = |stored| Timestamp::from_input(&record::parse(stored));
    match stored.and_then(|stored| fields::date(stored).or_else(|| text(stored))) {
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
