//! The kinds of fields: which values they take, and what these mean to imports, exports, rendered
//! objects, filters and the index (`docs/guide/src/values.md`).
//!
//! The table at the end of this file registers every kind; the rules of a kind are in its own file.
//! No other module compares kinds: it asks the rules.

mod checkbox;
mod choice;
mod date;
mod date_order;
mod number;
mod password;
mod reference;
mod text;
mod unknown;

use std::ops::Deref;

use serde::{Serialize, Serializer};

use crate::Timestamp;
use crate::json::{Map, Value};
pub use date_order::DateOrder;
pub use reference::reference_target;

/// The rules of a kind. What has no default here, every kind must decide.
pub trait Kind: Sync {
    /// Whether it takes a value.
    fn accepts(&self, value: &Value) -> bool;

    /// What it takes, for messages and the list of kinds.
    fn expected(&self) -> &'static str;

    /// What a value is that it does not take, for messages.
    fn rejected(&self, value: &Value) -> String {
        crate::body::kind(value).to_owned()
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
        given("value")
            .or_else(|| given("default"))
            .cloned()
            .unwrap_or(Value::Null)
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

/// The operators for texts.
const TEXT_OPERATORS: &[&str] = &["$regex", "$eq", "$ne", "$in", "$nin"];

/// The operators for values out of a few.
const CHOICE_OPERATORS: &[&str] = &["$eq", "$ne", "$in", "$nin"];

/// The operators for values that have an order.
const ORDER_OPERATORS: &[&str] = &["$eq", "$gte", "$lte", "$gt", "$lt", "$ne", "$in", "$nin"];

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $word:literal $rules:expr;)*) => {
        /// The kind of a field. It has the methods of [`Kind`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FieldKind {
            $($(#[$doc])* $kind,)*
            /// Any other word.
            Unknown,
        }

        impl FieldKind {
            /// The kinds that have a name.
            pub const NAMED: &[Self] = &[$(Self::$kind),*];

            /// The `type` in definitions; none for an unknown kind.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => Some($word),)*
                    Self::Unknown => None,
                }
            }

            /// The kind with that `type` in definitions.
            #[must_use]
            pub fn named(word: &str) -> Self {
                match word {
                    $($word => Self::$kind,)*
                    _ => Self::Unknown,
                }
            }
        }

        impl Deref for FieldKind {
            type Target = dyn Kind;

            fn deref(&self) -> &(dyn Kind + 'static) {
                match self {
                    $(Self::$kind => &$rules,)*
                    Self::Unknown => &unknown::Unknown,
                }
            }
        }
    };
}

kinds! {
    /// A line of text.
    Text "text" text::Text { is_long: false };
    /// A text of many lines.
    Textarea "textarea" text::Text { is_long: true };
    /// A secret.
    Password "password" password::Password;
    /// One of a few texts, all of them shown.
    Radio "radio" choice::Choice;
    /// One of some texts.
    Select "select" choice::Choice;
    /// A day or a point in time.
    Date "date" date::Date;
    /// A number.
    Number "number" number::Number;
    /// Yes or no.
    Checkbox "checkbox" checkbox::Checkbox;
    /// Another object.
    Reference "ref" reference::Reference { is_location: false };
    /// The object that a reference section shows.
    SectionReference "ref-section-field" reference::Reference { is_location: false };
    /// The object where this one is.
    Location "location" reference::Reference { is_location: true };
}

impl FieldKind {
    /// The kind of a field. One that names the types of its objects is a reference, whatever it is
    /// called; a password is always a secret.
    #[must_use]
    pub fn of(word: &str, has_ref_types: bool) -> Self {
        let kind = Self::named(word);
        if has_ref_types && !kind.is_reference() && !kind.is_secret() {
            Self::Reference
        } else {
            kind
        }
    }
}

impl Serialize for FieldKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}

/// Whether a kind without rules of its own takes a value: any but a list or an object.
fn is_scalar(value: &Value) -> bool {
    !value.is_array() && (!value.is_object() || Timestamp::from_date(value).is_some())
}

fn line_text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => {
            Timestamp::from_date(&other).map_or_else(|| other.to_string(), Timestamp::to_plain)
        }
    }
}

/// A number, boolean or object if the text is one, else the text. So is an integer of more than 64
/// bits: as a number it would lose its last digits.
fn scalar(text: String) -> Value {
    match serde_json::from_str(text.trim()) {
        Ok(Value::Number(number)) if number.is_f64() && !text.contains(['.', 'e', 'E']) => {
            Value::String(text)
        }
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Object(_))) => value,
        _ => Value::String(text),
    }
}

/// The value of a cell that is no field's.
#[must_use]
pub fn guessed_value(text: String) -> Value {
    checkbox::boolean(&text).map_or_else(|| scalar(text), Value::Bool)
}
