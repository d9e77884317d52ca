//! Typed record ids (`docs/guide/src/values.md`: `1 <= public_id <= 2^53-1`).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The largest id: JSON readers that use doubles hold every integer up to here exactly.
pub const MAX_ID: i64 = (1 << 53) - 1;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// `None` outside 1 to 2^53-1.
            #[must_use]
            pub const fn new(id: i64) -> Option<Self> {
                if 1 <= id && id <= MAX_ID { Some(Self(id)) } else { None }
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl TryFrom<i64> for $name {
            type Error = OutOfRange;

            fn try_from(id: i64) -> Result<Self, OutOfRange> {
                Self::new(id).ok_or(OutOfRange)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = OutOfRange;

            /// Decimal digits only: no sign, no white space, no leading zero.
            fn from_str(text: &str) -> Result<Self, OutOfRange> {
                decimal(text).and_then(Self::new).ok_or(OutOfRange)
            }
        }
    )+};
}

ids! {
    /// An inventory record.
    ObjectId,
    /// A type of objects.
    TypeId,
    /// A node of the category tree.
    CategoryId,
    /// A person or program that logs in.
    UserId,
    /// A group of users; it holds the rights.
    GroupId,
    /// A saved way to look at objects.
    ViewId,
    /// A secret by which a program acts for a user.
    TokenId,
    /// A change of many objects in the background.
    ObjectJobId,
    /// An import of a file.
    ImportId,
    /// A saved mapping of imports.
    SourceId,
}

/// The traits that all record ids implement.
pub trait RecordId:
    Copy + PartialEq + fmt::Display + Into<i64> + TryFrom<i64, Error = OutOfRange>
{
}

impl<T: Copy + PartialEq + fmt::Display + Into<i64> + TryFrom<i64, Error = OutOfRange>> RecordId
    for T
{
}

/// The number is not a valid record id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is a whole number from 1 to {MAX_ID}")]
pub struct OutOfRange;

/// How often a record has been written; 1 after the insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Revision(pub i64);

impl Revision {
    /// The revision of a record after its insert.
    pub const FIRST: Self = Self(1);

    /// The revision after one more change.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Reads a non-negative whole number in canonical decimal form: no sign, no leading zero.
#[must_use]
pub fn decimal(text: &str) -> Option<i64> {
    let canonical = text == "0" || (!text.starts_with('0') && !text.is_empty());
    (canonical && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_positive_numbers_are_ids() {
        for text in ["1", "9007199254740991"] {
            assert_eq!(text.parse::<ObjectId>().unwrap().to_string(), text);
        }
        for text in [
            "0",
            "-1",
            "+1",
            "01",
            "1.0",
            "",
            " 1",
            "abc",
            "9007199254740992",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<ObjectId>(), Err(OutOfRange), "{text}");
        }
    }
}
