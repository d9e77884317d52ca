//! The kinds of fields: which values they take, and what these mean to imports, exports, rendered
//! objects, filters and the index (`docs/guide/src/values.md`).
//!
//! The table at the end of this file registers every kind; the rules of a kind are in its own file.
//! No other module compares kinds: it asks the rules.

mod checkbox;
mod choice;
mod date;
mod date_order;
mod datetime;
mod email;
mod formatted_text;
mod mac;
mod number;
mod password;
mod reference;
mod rules;
mod text;
mod unknown;
mod url;
mod values;

use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::Value;
pub use date_order::DateOrder;
pub use reference::reference_target;
pub use rules::{Kind, Setting};

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
    /// A point in time.
    DateTime "datetime" datetime::DateTime;
    /// A number.
    Number "number" number::Number;
    /// Yes or no.
    Checkbox "checkbox" checkbox::Checkbox;
    /// The address of a network interface.
    Mac "mac" mac::MAC;
    /// A link.
    Url "url" url::URL;
    /// The address of a mailbox.
    Email "email" email::EMAIL;
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

impl<'de> Deserialize<'de> for FieldKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        Ok(word.map_or(Self::Unknown, |word| Self::named(&word)))
    }
}

/// The id of an object in a cell.
#[must_use]
pub fn id_value(text: String) -> Value {
    FieldKind::Reference.read_cell(text, None)
}

/// The value of a cell that is no field's.
#[must_use]
pub fn guessed_value(text: String) -> Value {
    checkbox::boolean(&text).map_or_else(|| values::scalar(text), Value::Bool)
}
