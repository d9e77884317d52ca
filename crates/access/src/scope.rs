//! The objects that a caller may see: those of types whose access lists let the caller's group
//! read.

use stockroom_model::{GroupId, TypeId};

use crate::acl::{Acl, Operation};

/// The types that one group may see, for one snapshot of the types. Every read, list, count and
/// update takes a scope, so that hidden objects are neither shown nor counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    hidden: Vec<TypeId>,
}

impl Scope {
    /// The scope of `group`, from the id and the access list of every type.
    #[must_use]
    pub fn new<'a>(group: GroupId, types: impl IntoIterator<Item = (TypeId, &'a Acl)>) -> Self {
        let mut hidden: Vec<_> = types
            .into_iter()
            .filter(|(_, acl)| !acl.allows(group, Operation::Read))
            .map(|(type_id, _)| type_id)
            .collect();
        hidden.sort_unstable();
        hidden.dedup();
        Self { hidden }
    }

    /// Sees everything, for maintenance of data derived from objects: index rows, encrypted values,
    /// counts. Results of such reads must not reach a caller.
    #[must_use]
    pub const fn for_maintenance() -> Self {
        Self { hidden: Vec::new() }
    }

    /// Sees everything, for rules that hold for all callers: ids are unique, a type with objects
    /// cannot be deleted, references to a deleted object are cleared everywhere or not at all. The
    /// answer reveals only the result of the rule.
    #[must_use]
    pub const fn for_integrity_check() -> Self {
        Self { hidden: Vec::new() }
    }

    /// This scope without some more types.
    #[must_use]
    pub fn without(&self, types: &[TypeId]) -> Self {
        let mut hidden = [self.hidden.as_slice(), types].concat();
        hidden.sort_unstable();
        hidden.dedup();
        Self { hidden }
    }

    /// Whether objects of this type may be seen.
    #[must_use]
    pub fn sees(&self, type_id: TypeId) -> bool {
        self.hidden.binary_search(&type_id).is_err()
    }

    /// The types whose objects must not be seen, in ascending order without duplicates.
    #[must_use]
    pub fn hidden(&self) -> &[TypeId] {
        &self.hidden
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hides_the_types_that_do_not_let_the_group_read() {
        let open = Acl::from_value(&json!({}));
        let readers = Acl::from_value(
            &json!({"activated": true, "groups": {"includes": {"2": ["READ"], "3": ["UPDATE"]}}}),
        );
        let closed = Acl::from_value(&json!({"activated": true}));
        let id = |id| TypeId::new(id).unwrap();
        let types = [
            (id(9), &closed),
            (id(4), &readers),
            (id(1), &open),
            (id(7), &readers),
            (id(4), &readers),
        ];

        for (group, hidden) in [(1, vec![4, 7, 9]), (2, vec![9]), (3, vec![4, 7, 9])] {
            let scope = Scope::new(GroupId::new(group).unwrap(), types);
            let hidden: Vec<TypeId> = hidden.into_iter().map(id).collect();
            assert_eq!(scope.hidden(), hidden, "group {group}");
            for (type_id, _) in types {
                assert_eq!(
                    scope.sees(type_id),
                    !hidden.contains(&type_id),
                    "type {type_id}"
                );
            }
        }
        let scope = Scope::new(GroupId::new(2).unwrap(), types);
        let less = scope.without(&[id(7), id(1)]);
        assert_eq!(less.hidden(), [1, 7, 9].map(id));
        for everything in [Scope::for_maintenance(), Scope::for_integrity_check()] {
            assert!(types.iter().all(|(type_id, _)| everything.sees(*type_id)));
        }
    }
}
