//! The first byte of a key.

use crate::datum::Datum;

/// The type of a key, in MongoDB's order of types. The numbers are stored; the gaps are for future
/// types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Tag {
    /// Where an empty array sorts; no value has this type.
    Undefined = 0x10,
    Null = 0x20,
    Number = 0x30,
    Text = 0x40,
    Object = 0x50,
    Array = 0x60,
    Bool = 0x70,
    Date = 0x80,
}

impl Tag {
    const ALL: [Self; 8] = [
        Self::Undefined,
        Self::Null,
        Self::Number,
        Self::Text,
        Self::Object,
        Self::Array,
        Self::Bool,
        Self::Date,
    ];

    pub(crate) fn of(datum: Datum<'_>) -> Self {
        match datum {
            Datum::Null => Self::Null,
            Datum::Number(_) => Self::Number,
            Datum::Text(_) => Self::Text,
            Datum::Object(_) => Self::Object,
            Datum::Array(_) => Self::Array,
            Datum::Bool(_) => Self::Bool,
            Datum::Date(_) => Self::Date,
        }
    }

    pub(crate) const fn byte(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.byte() == byte)
    }
}
