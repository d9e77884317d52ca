//! The summary of an object: its summary fields, and the line made of them.

use stockroom_model::title_case;

use crate::fields::Secrets;
use crate::out::Out;
use crate::record::Record;
use crate::type_template::TypeTemplate;
use crate::work::Work;
use crate::{MAX_HOPS, RenderContext, reference, text};

/// What stands between the values of a summary line.
pub const SUMMARY_SEPARATOR: &str = " | ";

/// The line that identifies an object in lists, pickers and references: the values of the summary
/// fields, joined by ` | `, or type and id if the type has no summary. Passwords are masked.
#[must_use]
pub fn summary_line(record: &Record, template: &TypeTemplate) -> String {
    summary_line_within(record, template, &Work::new(usize::MAX, &|_| true))
}

pub(crate) fn summary_line_within(
    record: &Record,
    template: &TypeTemplate,
    work: &Work<'_>,
) -> String {
    let names = template.render_meta.summary.fields.iter();
    let values = names.filter_map(|name| Some(text::named(record, template, name, work)?.text));
    let mut line: Option<String> = None;
    for value in values {
        match &mut line {
            None => line = Some(value),
            Some(line) if line.len() > template.shown_value_bytes => break,
            Some(line) => line.extend([SUMMARY_SEPARATOR, value.as_str()]),
        }
    }
    line.unwrap_or_else(|| type_and_id(record, template))
}

/// The summary fields, rendered.
pub(crate) fn summaries(
    out: &mut Out,
    record: &Record,
    template: &TypeTemplate,
    context: &impl RenderContext,
) {
    let fields = template.summary.iter();
    let fields = fields.filter_map(|index| template.field_at(*index));
    out.list(fields, |out, field| {
        reference::field(out, field, Some(record), context, MAX_HOPS, Secrets::Masked);
    });
}

fn type_and_id(record: &Record, template: &TypeTemplate) -> String {
    let id = record.public_id().map_or(0, i64::from);
    if template.label.is_empty() {
        format!("{} #{id}", title_case(&template.name))
    } else {
        format!("{} #{id}", template.label)
    }
}
