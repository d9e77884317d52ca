//! A part of a filter, lowered.

use std::sync::LazyLock;

use stockroom_filter::{Node, Path, Predicate};

use crate::object::list::predicate::IndexPredicate;

/// A part of a filter, lowered.
pub(super) struct Part {
    pub(super) predicate: IndexPredicate,
    pub(super) exact: bool,
    pub(super) of_columns: bool,
}

impl Part {
    /// What columns of `object` decide.
    pub(super) const fn of_columns(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            of_columns: true,
        }
    }

    /// What the tables decide on regular objects only.
    pub(super) const fn of_regular(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            of_columns: false,
        }
    }

    /// Nothing that the tables know of.
    pub(super) const fn unknown() -> Self {
        Self {
            predicate: IndexPredicate::always(),
            exact: false,
            of_columns: false,
        }
    }

    /// Both kinds of joints: `join` says how the conditions of `parts` become one.
    pub(super) fn joined(
        parts: Vec<Self>,
        join: impl FnOnce(Vec<IndexPredicate>) -> IndexPredicate,
    ) -> Self {
        Self {
            exact: parts.iter().all(|part| part.exact),
            of_columns: parts.iter().all(|part| part.of_columns),
            predicate: join(parts.into_iter().map(|part| part.predicate).collect()),
        }
    }

    /// The same; without parts it would seem to be for all objects.
    pub(super) fn of_regular_only(self) -> Self {
        Self {
            of_columns: false,
            ..self
        }
    }

    pub(super) fn negated(self) -> Self {
        if self.exact {
            Self {
                predicate: self.predicate.negated(),
                ..self
            }
        } else {
            Self::unknown()
        }
    }
}

/// A test of a single value.
pub(super) fn value(predicate: Predicate) -> Node {
    // Split once: each query has several such tests.
    static VALUE: LazyLock<Path> = LazyLock::new(|| Path::new("value"));
    Node::Field {
        path: VALUE.clone(),
        predicate,
    }
}

/// Whether a path is this one name.
pub(super) fn is_single(path: &Path, name: &str) -> bool {
    matches!(path.segments(), [only] if only.name() == name)
}
