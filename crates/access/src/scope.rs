//! What a caller may see: the types whose access lists let the caller's group read.

use crate::acl::{Acl, Operation};

/// The visibility of one group over one snapshot of the types. Every read, list, count and update takes one, so that a hidden
/// object can be neither shown nor counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    hidden: Vec<i64>,
}

impl Scope {
    /// The scope of `group`, from the id and the access list of every type.
    #[must_use]
    pub fn new<'a>(group: i64, types: impl IntoIterator<Item = (i64, &'a Acl)>) -> Self {
        let mut hidden: Vec<_> = types
            .into_iter()
            .filter(|(_, acl)| !acl.allows(group, Operation::Read))
            .map(|(type_id, _)| type_id)
            .collect();
        hidden.sort_unstable();
        hidden.dedup();
        Self { hidden }
    }

    /// Sees everything, access lists or not: for upkeep without a caller (backup, export by the operator, checks), never for a
    /// request.
    #[must_use]
    pub const fn everything_for_maintenance() -> Self {
        Self { hidden: Vec::new() }
    }

    /// Whether objects of this type may be seen.
    #[must_use]
    pub fn sees(&self, type_id: i64) -> bool {
        self.hidden.binary_search(&type_id).is_err()
    }

    /// The types whose objects must not be seen, ascending, each once.
    #[must_use]
    pub fn hidden(&self) -> &[i64] {
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
        let types = [
            (9, &closed),
            (4, &readers),
            (1, &open),
            (7, &readers),
            (4, &readers),
        ];

        for (group, hidden) in [(1, vec![4, 7, 9]), (2, vec![9]), (3, vec![4, 7, 9])] {
            let scope = Scope::new(group, types);
            assert_eq!(scope.hidden(), hidden, "group {group}");
            for (type_id, _) in types {
                assert_eq!(
                    scope.sees(type_id),
                    !hidden.contains(&type_id),
                    "type {type_id}"
                );
            }
        }
        let maintenance = Scope::everything_for_maintenance();
        assert!(types.iter().all(|(type_id, _)| maintenance.sees(*type_id)));
        assert_eq!(maintenance.hidden(), [0_i64; 0]);
    }
}
