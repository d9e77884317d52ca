//! The check of an object's fields against its type: only rules that the type itself states (contract, "Tolerance rule").

use crate::body::{Report, kind};
use crate::id::ObjectId;
use crate::json::{Value, pointer};
use crate::r#type::field::{FieldDefinition, reference_target};
use crate::{Timestamp, Type};

use super::secret::is_mask;

/// A value that names another object; whether that exists is for the store to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands in the body.
    pub pointer: String,
    /// The object it names.
    pub target: ObjectId,
    /// The types that it may have; empty allows all.
    pub ref_types: Vec<i64>,
}

/// Checks every item that is not among `stored`, the items of the object that is replaced, and gives the references that they add.
pub fn check_fields(
    r#type: &Type,
    items: &[Value],
    stored: Option<&[Value]>,
    report: &Report,
) -> Vec<Reference> {
    let mut references = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let (Some(name), Some(value)) =
            (item.get("name").and_then(Value::as_str), item.get("value"))
        else {
            continue;
        };
        if stored.is_some_and(|stored| stored.contains(item)) {
            continue;
        }
        match r#type.field(name) {
            Some(field) => {
                let at = || pointer(&pointer("/fields", index), "value");
                references.extend(check_value(field, value, at, report));
            }
            None => report.warning(
                pointer(&pointer("/fields", index), "name"),
                format!(
                    "{name:?} is no field of the type {:?}: the object becomes unclean",
                    r#type.name
                ),
            ),
        }
    }
    missing(r#type, items, stored, report);
    references
}

/// Required fields must be there and hold a value; one that was missing before may stay so.
fn missing(r#type: &Type, items: &[Value], stored: Option<&[Value]>, report: &Report) {
    for field in r#type.fields().iter().filter(|field| field.required) {
        let held = stored.map(|stored| stored.iter().any(|item| is_value(item, field)));
        let holds = items.iter().any(|item| {
            // A mask stands for the password that is stored; without one it stands for nothing.
            is_value(item, field) && (held == Some(true) || !is_masked(item, field))
        });
        if !holds && held != Some(false) {
            report.problem("/fields", format!("the field {:?} is required", field.name));
        }
    }
}

fn is_value(item: &Value, field: &FieldDefinition) -> bool {
    item.get("name").and_then(Value::as_str) == Some(&field.name)
        && item.get("value").is_some_and(|value| !is_empty(value))
}

fn is_masked(item: &Value, field: &FieldDefinition) -> bool {
    field.is_password() && item.get("value").is_some_and(is_mask)
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("")
}

/// The shape of a value by the kind of its field (contract, "Values"), then the rules of the definition. Most values are good, so
/// where they stand is only spelled out for those that are not.
fn check_value(
    field: &FieldDefinition,
    value: &Value,
    at: impl Fn() -> String,
    report: &Report,
) -> Option<Reference> {
    if let Err(expected) = shape(field, value) {
        report.problem(
            at(),
            format!(
                "a {} field takes {expected}, not {}",
                field.kind,
                kind(value)
            ),
        );
        return None;
    }
    if is_empty(value) || (field.is_password() && is_mask(value)) {
        return None;
    }
    if let (Some(pattern), Some(text)) = (&field.regex, value.as_str())
        && !pattern.matches(text)
    {
        let source = field
            .definition
            .get("regex")
            .and_then(Value::as_str)
            .unwrap_or_default();
        report.problem(at(), format!("must match {source} as a whole"));
    }
    if !field.options.is_empty()
        && !value
            .as_str()
            .is_some_and(|text| field.options.iter().any(|option| option == text))
    {
        report.problem(at(), format!("must be one of {}", field.options.join(", ")));
    }
    let target = reference_target(value)
        .and_then(ObjectId::new)
        .filter(|_| field.is_reference())?;
    Some(Reference {
        pointer: at(),
        target,
        ref_types: field.ref_types.clone(),
    })
}

fn shape(field: &FieldDefinition, value: &Value) -> Result<(), &'static str> {
    let is_date = || Timestamp::from_date(value).is_some();
    let (fits, expected) = if field.is_reference() {
        (
            is_empty(value) || reference_target(value).is_some(),
            "the id of an object or null",
        )
    } else if field.is_date() {
        let readable = value
            .as_str()
            .is_some_and(|text| text.is_empty() || Timestamp::from_text(text).is_some());
        (
            value.is_null() || readable || is_date(),
            "a date (YYYY-MM-DD, ISO 8601 or {\"$date\": milliseconds}) or null",
        )
    } else if field.is_text() {
        (value.is_null() || value.is_string(), "a text or null")
    } else {
        (
            !value.is_array() && (!value.is_object() || is_date()),
            "a text, number, boolean, date or null",
        )
    };
    if fits { Ok(()) } else { Err(expected) }
}
