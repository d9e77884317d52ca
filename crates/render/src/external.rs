//! Links to other systems, filled with values of the object.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use stockroom_model::link::forbidden_scheme;
use stockroom_model::r#type::External;

use crate::out::Out;
use crate::record::Record;
use crate::type_template::{Field, TypeTemplate};
use crate::work::Work;
use crate::{placeholder, text};

/// All characters except the unreserved ones of RFC 3986, so that a value stays within its part of
/// the address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The links of the type that this object can fill and that are safe to follow.
pub(crate) fn externals(out: &mut Out, record: &Record, template: &TypeTemplate) {
    let work = out.work();
    let links = template.render_meta.externals.iter();
    let links =
        links.filter_map(|external| Some((external, href(external, record, template, work)?)));
    out.list(links, |out, (external, href)| {
        out.raw(r#"{"name":"#);
        out.json(&external.name);
        out.raw(r#","href":"#);
        out.json(&href);
        out.raw(r#","label":"#);
        out.json(&external.label);
        out.raw(r#","icon":"#);
        out.json(&external.icon);
        out.raw(r#","fields":"#);
        out.json(&external.fields);
        out.raw("}");
    });
}

/// `None` if a value is missing or secret, or the result has a scheme that links must not have. The
/// whole result is checked last, because harmless parts can form such an address.
fn href(
    external: &External,
    record: &Record,
    template: &TypeTemplate,
    work: &Work<'_>,
) -> Option<String> {
    let is_secret = |name: &String| template.field(name).is_some_and(Field::is_secret);
    work.pay(external.href.len());
    if external.fields.iter().any(is_secret) {
        return None;
    }
    let value = |name: &str| {
        let named = text::named(record, template, name, work)?;
        (!named.is_secret && !named.text.is_empty() && !named.is_too_long).then_some(named.text)
    };
    let complete = || external.fields.iter().all(|name| value(name).is_some());
    if placeholder::has_placeholders(&external.href) && !complete() {
        return None;
    }
    let href = placeholder::fill(&external.href, template.shown_value_bytes, |placeholder| {
        let text = value(placeholder.key.field(&external.fields)?)?;
        // At the very start a value may be a whole address, whose scheme encoding would break.
        Some(match placeholder.position {
            0 => text,
            _ => utf8_percent_encode(&text, ENCODED).to_string(),
        })
    })?;
    forbidden_scheme(&href).is_none().then_some(href)
}
