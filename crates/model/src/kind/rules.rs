//! What a kind of field decides.

use serde::{Serialize, Serializer};

use super::date_order::DateOrder;
use super::values::line_text;
use crate::Timestamp;
use crate::json::{Map, Value};

/// The rules of a kind. What has no default here, every kind must decide.
pub trait Kind: Sync {
    /// Whether it takes a value.
    fn accepts(&self, value: &Value) -> bool;

    /// What is stored for a value that it takes, if that is another one: strict kinds have one form
    /// of each value.
    fn canonical(&self, _value: &Value) -> Option<Value> {
        None
    }

    /// The one form of all values that mean the same, if a value has another one.
    fn comparable(&self, value: &Value) -> Option<Value> {
        self.canonical(value)
    }

    /// What it takes, for messages and the list of kinds.
    fn expected(&self) -> &'static str;

    /// What a value is that it does not take, for messages.
    fn rejected(&self, value: &Value) -> String {
        match value.as_str() {
            Some(text) => beginning(text),
            None => crate::body::kind(value).to_owned(),
        }
    }

    /// The value that a text in a cell of a table means. A text that cannot be read stays one, so
    /// that the check of the field says what is wrong.
    fn read_cell(&self, text: String, _dates: Option<DateOrder>) -> Value {
        Value::String(text)
    }

    /// A value as text, for lines and links.
    fn line_text(&self, value: Value) -> String {
        line_text(value)
    }

    /// The time that a text stands for, if its values are dates.
    fn time(&self, _text: &str) -> Option<Timestamp> {
        None
    }

    /// The value of a new field with this definition in objects that exist.
    fn initial_value(&self, definition: &Map<String, Value>) -> Value {
        let given = |key: &str| definition.get(key).filter(|value| !value.is_null());
        let value = given("value").or_else(|| given("default"));
        let value = value.cloned().unwrap_or(Value::Null);
        self.canonical(&value).unwrap_or(value)
    }

    /// The settings that suit it, besides those that all fields have.
    fn settings(&self) -> &'static [Setting];

    /// The operators that a filter is offered, the likeliest first. The language allows all.
    fn operators(&self) -> &'static [&'static str];

    /// Whether its values are texts as they are: a cell holds them without quotes.
    fn holds_texts(&self) -> bool {
        false
    }

    /// Whether its values are long texts, by which lists are rarely sorted: the index keeps only
    /// their beginning.
    fn is_long(&self) -> bool {
        false
    }

    /// Whether its values are points in time.
    fn holds_dates(&self) -> bool {
        false
    }

    /// Whether its values name objects.
    fn is_reference(&self) -> bool {
        false
    }

    /// Whether its values are kept encrypted, outside of the document.
    fn is_secret(&self) -> bool {
        false
    }

    /// Whether its values name places of DATAGERRY's tree of locations.
    fn is_location(&self) -> bool {
        false
    }
}

/// A member of a definition that suits some kinds only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// What a form shows in an empty control.
    Placeholder,
    /// The expression that texts must match.
    Regex,
    /// The initial value.
    Value,
    /// The initial value, as a whole number.
    Default,
    /// The values to choose from.
    Options,
    /// The types of the objects that it may name.
    RefTypes,
    /// How the named objects are shown.
    Summaries,
}

impl Setting {
    /// All settings.
    pub const ALL: [Self; 7] = [
        Self::Placeholder,
        Self::Regex,
        Self::Value,
        Self::Default,
        Self::Options,
        Self::RefTypes,
        Self::Summaries,
    ];

    /// Its name in definitions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Placeholder => "placeholder",
            Self::Regex => "regex",
            Self::Value => "value",
            Self::Default => "default",
            Self::Options => "options",
            Self::RefTypes => "ref_types",
            Self::Summaries => "summaries",
        }
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

/// The beginning of a text, for messages.
pub(super) fn beginning(text: &str) -> String {
    const LONGEST: usize = 40;
    let start: String = text.chars().take(LONGEST).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{dots}")
}

/// The operators for texts.
pub(super) const TEXT_OPERATORS: &[&str] = &["$regex", "$eq", "$ne", "$in", "$nin"];

/// The operators for values out of a few.
pub(super) const CHOICE_OPERATORS: &[&str] = &["$eq", "$ne", "$in", "$nin"];

/// The operators for values that have an order.
pub(super) const ORDER_OPERATORS: &[&str] =
    &["$eq", "$gte", "$lte", "$gt", "$lt", "$ne", "$in", "$nin"];
