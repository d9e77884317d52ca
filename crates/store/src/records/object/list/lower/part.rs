//! A lowered part of a filter.

use std::sync::LazyLock;

use stockroom_filter::{Node, Path, Predicate};

use super::unknown_fields::UnknownFields;
use crate::records::object::list::predicate::IndexPredicate;

/// A lowered part of a filter.
pub(super) struct Part {
    pub(super) predicate: IndexPredicate,
    pub(super) exact: bool,
    pub(super) decided_by_object_table: bool,
    /// The fields that it is about, in types that never had them. The predicate is only for objects
    /// without such a field.
    pub(super) unknown_fields: UnknownFields,
}

impl Part {
    /// A part that columns of `object` decide.
    pub(super) const fn decided_by_object_table(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            decided_by_object_table: true,
            unknown_fields: UnknownFields::none(),
        }
    }

    /// A part that the tables decide, but only for regular objects.
    pub(super) const fn of_regular(predicate: IndexPredicate) -> Self {
        Self {
            predicate,
            exact: true,
            decided_by_object_table: false,
            unknown_fields: UnknownFields::none(),
        }
    }

    /// A part that the tables cannot decide.
    pub(super) const fn unknown() -> Self {
        Self {
            predicate: IndexPredicate::always(),
            exact: false,
            decided_by_object_table: false,
            unknown_fields: UnknownFields::none(),
        }
    }

    /// Joins `parts`; `join` makes the conjunction or disjunction of their predicates.
    pub(super) fn joined(
        parts: Vec<Self>,
        join: impl FnOnce(Vec<IndexPredicate>) -> IndexPredicate,
    ) -> Self {
        let (mut exact, mut decided_by_object_table) = (true, true);
        let mut unknown_fields = UnknownFields::none();
        let mut predicates = Vec::with_capacity(parts.len());
        for part in parts {
            exact &= part.exact;
            decided_by_object_table &= part.decided_by_object_table;
            unknown_fields = unknown_fields.joined(part.unknown_fields);
            predicates.push(part.predicate);
        }
        Self {
            predicate: join(predicates),
            exact,
            decided_by_object_table,
            unknown_fields,
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

    /// The same part, if it is about these fields, too.
    pub(super) fn about(self, fields: UnknownFields) -> Self {
        Self {
            unknown_fields: self.unknown_fields.joined(fields),
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
