//! Rendered fields: the definition and the value of the object. `reference` adds the referenced
//! objects.

use stockroom_model::Timestamp;
use stockroom_model::object::secret::MASK;
use stockroom_model::r#type::FieldDefinition;

use crate::out::Out;
use crate::record::{Record, parse};
use crate::type_template::Field;

/// How values of password fields are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// As in the object.
    AsHeld,
    /// Masked if set.
    Masked,
}

/// A field without its referenced object.
pub(crate) fn plain(out: &mut Out, field: &Field, record: Option<&Record>, secrets: Secrets) {
    open(out, field, record, secrets);
    out.raw("}");
}

/// Writes a field without its closing bracket, so that members can be added. Returns the value in
/// the object.
pub(crate) fn open<'r>(
    out: &mut Out,
    field: &Field,
    record: Option<&'r Record>,
    secrets: Secrets,
) -> Option<&'r str> {
    let held = record.and_then(|record| record.value(&field.key));
    if let Some(value) = held {
        out.raw(&field.held);
        shown(out, &field.definition, value, secrets);
    } else {
        out.raw(&field.lacking);
        out.raw("null");
    }
    held
}

/// A date stored as `{"$date": …}`, in any field.
pub(crate) fn date(held: &str) -> Option<Timestamp> {
    let inner = held.strip_prefix('{')?;
    // As it is usually stored, which needs no parser.
    let millis = inner.strip_prefix(r#""$date":"#);
    let millis = millis.and_then(|inner| inner.strip_suffix('}')?.parse().ok());
    millis.map_or_else(
        || Timestamp::from_date(&parse(held)),
        Timestamp::from_millis,
    )
}

fn shown(out: &mut Out, field: &FieldDefinition, held: &str, secrets: Secrets) {
    if matches!(held, "null" | "\"\"") {
        out.raw(held);
    } else if field.kind.is_secret() && secrets == Secrets::Masked {
        out.json(MASK);
    } else if field.kind.holds_dates() && held.starts_with('"') {
        let time = parse(held).as_str().and_then(|text| field.kind.time(text));
        out.json(&time.map(Timestamp::to_date));
    } else {
        match date(held) {
            Some(time) => out.json(&time.to_date()),
            None => out.stored(held),
        }
    }
}
