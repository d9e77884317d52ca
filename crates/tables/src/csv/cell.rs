//! A value as a cell, and back: see [`crate::csv`].

use std::borrow::Cow;

use stockroom_model::json::Value;

/// Marks a value that the plain text of a cell cannot tell.
const MARK: char = '\\';

/// The content of a cell, before it is defused and quoted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'v> {
    /// Null: nothing between two separators.
    Nothing,
    /// A number, which is no formula even with a sign.
    Number(&'v str),
    /// Any other text; an empty one stands in quotes.
    Text(Cow<'v, str>),
}

impl<'v> Cell<'v> {
    /// The cell of a value, which is JSON text; `None` is no value. `holds_texts` says whether the
    /// field takes texts only.
    #[must_use]
    pub fn of(value: Option<&'v str>, holds_texts: bool) -> Self {
        let Some(json) = value else {
            return Self::Text(MARK.to_string().into());
        };
        match json.as_bytes().first() {
            Some(b'n') => Self::Nothing,
            Some(b'"') => {
                let text = text(json);
                if text.starts_with(MARK) {
                    Self::Text(format!("{MARK}{text}").into())
                } else if !holds_texts && is_json(&text) {
                    Self::Text(format!("{MARK}{json}").into())
                } else {
                    Self::Text(text)
                }
            }
            _ if holds_texts => Self::Text(format!("{MARK}{json}").into()),
            Some(b'-' | b'0'..=b'9') => Self::Number(json),
            _ => Self::Text(json.into()),
        }
    }
}

/// The value of a cell without quotes and guard. `None` in `cell` is nothing between two
/// separators. The inner `None` is no value.
///
/// # Errors
///
/// After the mark stands something else than JSON.
pub fn read_cell(
    cell: Option<&str>,
    holds_texts: bool,
) -> Result<Option<Value>, serde_json::Error> {
    let Some(cell) = cell else {
        return Ok(Some(Value::Null));
    };
    match cell.strip_prefix(MARK) {
        Some("") => Ok(None),
        Some(text) if text.starts_with(MARK) => Ok(Some(text.into())),
        Some(json) => serde_json::from_str(json).map(Some),
        None if holds_texts => Ok(Some(cell.into())),
        None => Ok(Some(
            serde_json::from_str(cell).unwrap_or_else(|_| cell.into()),
        )),
    }
}

/// Whether a cell without quotes and guard says what value it means.
#[must_use]
pub fn is_marked(cell: &str) -> bool {
    cell.starts_with(MARK)
}

/// The text of a JSON string. What is no JSON string is the empty text.
#[must_use]
pub fn text(json: &str) -> Cow<'_, str> {
    let inner = json
        .get(1..json.len().saturating_sub(1))
        .unwrap_or_default();
    if inner.contains('\\') {
        Cow::Owned(serde_json::from_str(json).unwrap_or_default())
    } else {
        Cow::Borrowed(inner)
    }
}

/// Whether a text is JSON. Most texts begin like none.
fn is_json(text: &str) -> bool {
    let may_be = |first: char| {
        first.is_ascii_digit() || first.is_ascii_whitespace() || "-tfn{[\"".contains(first)
    };
    text.starts_with(may_be) && serde_json::from_str::<Value>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::csv::{defuse, undo};

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            r#"[\\'"= \-+01tfnule{}\[\],:]{0,6}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::hash_map("[a-z$\"]{0,3}", inner, 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_is_read_back(value in prop::option::of(value()), holds_texts: bool) {
            let json = value.as_ref().map(Value::to_string);
            let read = match Cell::of(json.as_deref(), holds_texts) {
                Cell::Nothing => read_cell(None, holds_texts),
                Cell::Number(number) => read_cell(Some(undo(number)), holds_texts),
                Cell::Text(text) => read_cell(Some(undo(&defuse(&text))), holds_texts),
            };
            prop_assert_eq!(read.unwrap(), value);
        }
    }

    #[test]
    fn common_values_look_as_expected() {
        for (value, holds_texts, expected) in [
            (json!("web-01"), true, "web-01"),
            (json!("12"), true, "12"),
            (json!(12), true, "\\12"),
            (json!("12"), false, "\\\"12\""),
            (json!("2024-03-01"), false, "2024-03-01"),
            (json!(true), false, "true"),
            (json!("true"), false, "\\\"true\""),
            (json!({"$date": 7}), false, "{\"$date\":7}"),
            (json!([1, "a"]), false, "[1,\"a\"]"),
            (json!("\\n"), true, "\\\\n"),
            (json!("a\nb"), true, "a\nb"),
            (json!(""), true, ""),
        ] {
            let json = value.to_string();
            let cell = Cell::of(Some(&json), holds_texts);
            assert_eq!(cell, Cell::Text(expected.into()));
        }
        assert_eq!(Cell::of(Some("null"), false), Cell::Nothing);
        assert_eq!(Cell::of(Some("-5"), false), Cell::Number("-5"));
        assert_eq!(Cell::of(None, true), Cell::Text("\\".into()));
        assert!(read_cell(Some("\\x"), true).is_err());
    }
}
