//! Fields that a type never had, but some of its objects have: the index has their names only.

use stockroom_filter::{KeyRange, Ranges};

use super::fields::rows;
use crate::records::object::index::{UNKNOWN_FIELDS, unknown_field};
use crate::records::object::list::predicate::IndexPredicate;

/// Fields that a query is about, and that some of its types never had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::records::object::list) enum UnknownFields {
    /// Those of these names.
    Named(Vec<String>),
    /// Those of any name.
    Any,
}

impl UnknownFields {
    pub(super) const fn none() -> Self {
        Self::Named(Vec::new())
    }

    pub(super) fn named(name: &str) -> Self {
        Self::Named(vec![name.to_owned()])
    }

    pub(super) fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Named(mut names), Self::Named(others)) => {
                names.extend(others);
                Self::Named(names)
            }
            _ => Self::Any,
        }
    }

    /// The regular objects of any type that have such a field.
    pub(in crate::records::object::list) fn objects(self) -> IndexPredicate {
        let keys = match self {
            Self::Named(names) if names.is_empty() => return IndexPredicate::never(),
            Self::Named(names) => {
                let key = |name: &String| KeyRange::point(unknown_field(name).into_bytes());
                let mut ranges: Vec<KeyRange> = names.iter().map(key).collect();
                ranges.sort_unstable_by(|left, right| left.from.cmp(&right.from));
                ranges.dedup();
                let exact = false;
                Some(Ranges { ranges, exact })
            }
            Self::Any => None,
        };
        rows(vec![UNKNOWN_FIELDS], true, keys)
    }
}
