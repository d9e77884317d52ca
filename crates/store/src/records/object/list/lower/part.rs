//! A lowered part of a filter.

use std::sync::LazyLock;

use stockroom_filter::{Node, Path, Predicate};

use crate::records::object::list::predicate::IndexPredicate;

/// A lowered part of a filter.
pub(super) struct Part {
    pub(super) predicate: IndexPredicate,
    pub(super) exact: bool,
    pub(super) decided_by_object_table: bool,
}

impl Part {
    /// A part that columns of `object` decide.
    pub(super) const fn decided_by_object_table(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            decided_by_object_table: true,
        }
    }

    /// A part that the tables decide, but only for regular objects.
    pub(super) const fn of_regular(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            decided_by_object_table: false,
        }
    }

    /// A part that the tables cannot decide.
    pub(super) const fn unknown() -> Self {
        Self {
            predicate: IndexPredicate::always(),
            exact: false,
            decided_by_object_table: false,
        }
    }

    /// Joins `parts`; `join` makes the conjunction or disjunction of their predicates.
    pub(super) fn joined(
        parts: Vec<Self>,
        join: impl FnOnce(Vec<IndexPredicate>) -> IndexPredicate,
    ) -> Self {
        Self {
            exact: parts.iter().all(|part| part.exact),
            decided_by_object_table: parts.iter().all(|part| part.decided_by_object_table),
            predicate: join(parts.into_iter().map(|part| part.predicate).collect()),
        }
    }

    /// The same part for regular objects only. Without it, a join of no parts would claim all
    /// objects.
    pub(super) fn of_regular_only(self) -> Self {
        Self {
            decided_by_object_table: false,
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
    // Parsed once, because every query has several such tests.
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
