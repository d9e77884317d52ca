//! Limits on the parts of a type that rendering reads: their cost recurs for every rendered object,
//! and people follow their links.

use super::render_meta::External;
use super::{FieldDefinition, RenderMeta, Type};
use crate::RecordLimits;
use crate::body::Body;
use crate::json::{Value, pointer};
use crate::link::{SCHEMES, forbidden_scheme_of_template};

/// All fields of a type together may have so many times the summaries of one.
const SUMMARY_LISTS: usize = 2;

/// Notes lists with too many items, templates that are too long, and links with schemes that links
/// must not have. Parts unchanged from the stored type are not checked again.
pub(super) fn check_parts(
    body: &Body<'_>,
    meta: &RenderMeta,
    fields: &[FieldDefinition],
    stored: Option<&Type>,
    limits: &RecordLimits,
) {
    let check = Check { body, limits };
    if stored.is_none_or(|stored| stored.render_meta != *meta) {
        check.render_meta(meta);
    }
    let known = stored.map_or(&[][..], |stored| &stored.render_meta.externals);
    check.links(&meta.externals, known);
    let mut is_changed = false;
    for (index, field) in fields.iter().enumerate() {
        let known = stored.and_then(|stored| stored.field(&field.name));
        if known.is_none_or(|known| known.definition != field.definition) {
            check.summaries(&pointer("/fields", index), field);
            is_changed = true;
        }
    }
    if is_changed {
        check.all_summaries(fields);
    }
}

struct Check<'a> {
    body: &'a Body<'a>,
    limits: &'a RecordLimits,
}

impl Check<'_> {
    fn render_meta(&self, meta: &RenderMeta) {
        let at = "/render_meta";
        let (sections, externals) = (pointer(at, "sections"), pointer(at, "externals"));
        self.count(&sections, meta.sections.len());
        self.count(&externals, meta.externals.len());
        self.count(&format!("{at}/summary/fields"), meta.summary.fields.len());
        for (index, section) in meta.sections.iter().enumerate() {
            let at = pointer(&sections, index);
            self.count(&pointer(&at, "fields"), section.fields.len());
            if let Some(reference) = &section.reference {
                let at = format!("{at}/reference/selected_fields");
                self.count(&at, reference.selected_fields.len());
            }
        }
        for (index, external) in meta.externals.iter().enumerate() {
            let at = pointer(&externals, index);
            self.count(&pointer(&at, "fields"), external.fields.len());
            self.template(&pointer(&at, "href"), &external.href);
        }
    }

    fn links(&self, externals: &[External], known: &[External]) {
        for (index, External { href, .. }) in externals.iter().enumerate() {
            let Some(scheme) = forbidden_scheme_of_template(href) else {
                continue;
            };
            if known.iter().any(|known| known.href == *href) {
                continue;
            }
            let at = pointer(&pointer("/render_meta/externals", index), "href");
            let schemes = SCHEMES.join(", ");
            let detail = format!("has the scheme {scheme:?}; links may have {schemes}, or none");
            self.body.problem_at(&at, detail);
        }
    }

    fn summaries(&self, at: &str, field: &FieldDefinition) {
        let at = pointer(at, "summaries");
        let summaries = summaries_of(field);
        self.count(&at, summaries.len());
        for (index, summary) in summaries.iter().enumerate() {
            let at = pointer(&at, index);
            let names = summary.get("fields").and_then(Value::as_array);
            self.count(&pointer(&at, "fields"), names.map_or(0, Vec::len));
            let line = summary.get("line").and_then(Value::as_str);
            self.template(&pointer(&at, "line"), line.unwrap_or_default());
        }
    }

    /// Each is compared with the type that it shows, in the transaction that writes this one.
    fn all_summaries(&self, fields: &[FieldDefinition]) {
        let count: usize = fields.iter().map(|field| summaries_of(field).len()).sum();
        let limit = self.limits.type_parts.saturating_mul(SUMMARY_LISTS);
        if count > limit {
            let detail = format!("have {count} summaries; the limit is {limit} of a type");
            self.body.problem_at("/fields", detail);
        }
    }

    fn count(&self, at: &str, count: usize) {
        let limit = self.limits.type_parts;
        if count > limit {
            let detail = format!("has {count} items; the limit is {limit} in each list of a type");
            self.body.problem_at(at, detail);
        }
    }

    fn template(&self, at: &str, template: &str) {
        let (bytes, limit) = (template.len(), self.limits.template_bytes);
        if bytes > limit {
            let detail = format!("has {bytes} bytes; the limit is {limit} bytes of a template");
            self.body.problem_at(at, detail);
        }
    }
}

fn summaries_of(field: &FieldDefinition) -> &[Value] {
    let summaries = field.definition.get("summaries").and_then(Value::as_array);
    summaries.map(Vec::as_slice).unwrap_or_default()
}
