//! The formats of values in answers.

use serde_json::Value;
use stockroom_model::Timestamp;

/// The format of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Int,
    Text,
    Bool,
    List,
    Map,
    /// `{"$date": <integer>}`
    Date,
    /// `YYYY-MM-DD HH:MM:SS.ffffff`
    SpacedTime,
    /// `YYYY-MM-DDTHH:MM:SS.ffffff`
    IsoTime,
}

impl Form {
    pub(crate) fn fits(self, value: &Value) -> bool {
        match self {
            Self::Int => value.is_i64(),
            Self::Text => value.is_string(),
            Self::Bool => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Map => value.is_object(),
            Self::Date => {
                let members = value.as_object();
                value["$date"].is_i64() && members.is_some_and(|members| members.len() == 1)
            }
            Self::SpacedTime => is_time(value, Timestamp::to_spaced),
            Self::IsoTime => is_time(value, Timestamp::to_iso),
        }
    }
}

/// Whether parsing the text and formatting it again gives the same text.
fn is_time(value: &Value, write: fn(Timestamp) -> String) -> bool {
    let text = value.as_str().unwrap_or_default();
    Timestamp::from_text(text).is_some_and(|time| write(time) == text)
}

/// A member, its format, and whether it may be null.
pub(crate) type Member = (&'static str, Form, Null);

/// Whether a member may be null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Null {
    No,
    Yes,
}

/// Checks that the record has exactly these members, in this order.
#[track_caller]
pub(crate) fn assert_members(record: &Value, members: &[Member]) {
    let names: Vec<&str> = members.iter().map(|(name, ..)| *name).collect();
    let found: Vec<&str> = record
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(found, names, "{record}");
    for (name, form, null) in members {
        let value = &record[*name];
        let is_null = value.is_null() && *null == Null::Yes;
        assert!(
            is_null || form.fits(value),
            "{name} must be {form:?}: {value}"
        );
    }
}
