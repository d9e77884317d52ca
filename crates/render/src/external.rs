//! Links to other systems, filled with values of the object.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use stockroom_model::r#type::External;
use stockroom_model::r#type::render_meta::is_dangerous_link;
use stockroom_model::{Object, Type};

use crate::{placeholder, text};

/// All but the unreserved characters of RFC 3986, so that a value stays within its part of the address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The links of the type that this object can fill and that are safe to follow.
pub(crate) fn externals(object: &Object, r#type: &Type) -> Vec<Value> {
    r#type
        .render_meta
        .externals
        .iter()
        .filter_map(|external| {
            let href = href(external, object, r#type)?;
            Some(json!({
                "name": external.name,
                "href": href,
                "label": external.label,
                "icon": external.icon,
                "fields": external.fields,
            }))
        })
        .collect()
}

/// `None` if a value is missing or the result is dangerous: harmless parts can make a dangerous whole, so it is checked last.
fn href(external: &External, object: &Object, r#type: &Type) -> Option<String> {
    let value = |name: &str| {
        let text = text::named(object, r#type, name)?.text;
        (!text.is_empty()).then_some(text)
    };
    let complete = || external.fields.iter().all(|name| value(name).is_some());
    if placeholder::has_placeholders(&external.href) && !complete() {
        return None;
    }
    let href = placeholder::fill(&external.href, |placeholder| {
        let text = value(placeholder.key.field(&external.fields)?)?;
        // At the very start a value may be a whole address; encoding it would break its scheme.
        Some(match placeholder.position {
            0 => text,
            _ => utf8_percent_encode(&text, ENCODED).to_string(),
        })
    })?;
    (!is_dangerous_link(&href)).then_some(href)
}
