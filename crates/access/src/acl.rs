//! The access list (ACL) of a type: what each group may do with its objects
//! (`docs/guide/src/rights.md`).

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use stockroom_model::GroupId;

/// The parsed form of a type's `acl`. Only `activated` and `groups.includes.<group id>` have
/// meaning. All other keys stay in the stored document and are ignored here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acl(Option<BTreeMap<GroupId, Operations>>);

impl Acl {
    /// Reads the `acl` of a type. If `activated` is absent, null or false, the list is not
    /// activated. Any other value activates it, so an invalid list denies access.
    #[must_use]
    pub fn from_value(acl: &Value) -> Self {
        match acl.get("activated") {
            None | Some(Value::Null | Value::Bool(false)) => Self(None),
            Some(_) => Self(Some(included(acl))),
        }
    }

    /// Whether members of `group` may do this. An activated list binds everyone, administrators
    /// too.
    #[must_use]
    pub fn allows(&self, group: GroupId, operation: Operation) -> bool {
        self.0.as_ref().is_none_or(|groups| {
            groups
                .get(&group)
                .is_some_and(|listed| listed.contains(operation))
        })
    }

    /// The operations that members of `group` may perform.
    pub fn granted(&self, group: GroupId) -> impl Iterator<Item = Operation> {
        let all = Operation::ALL.into_iter();
        all.filter(move |operation| self.allows(group, *operation))
    }

    /// The operations that members of `group` may not perform.
    pub fn denied(&self, group: GroupId) -> impl Iterator<Item = Operation> {
        let all = Operation::ALL.into_iter();
        all.filter(move |operation| !self.allows(group, *operation))
    }
}

/// The `acl` of a type without the entry of a group; `None` if it has no such entry.
#[must_use]
pub fn without_group(acl: &Value, group: GroupId) -> Option<Value> {
    let mut acl = acl.clone();
    let included = acl.pointer_mut("/groups/includes")?.as_object_mut()?;
    included.shift_remove(&group.to_string())?;
    Some(acl)
}

/// An operation that an access list can permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Insert objects.
    Create,
    /// Read objects and learn that they exist.
    Read,
    /// Change objects.
    Update,
    /// Delete objects.
    Delete,
}

impl Operation {
    const ALL: [Self; 4] = [Self::Create, Self::Read, Self::Update, Self::Delete];

    /// The operation with this word in an access list.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.word() == word)
    }

    /// Its word in an access list.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Read => "READ",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Operations(u8);

impl Operations {
    fn from_value(words: &Value) -> Self {
        let words = words.as_array().into_iter().flatten();
        Self(
            words
                .filter_map(Value::as_str)
                .filter_map(Operation::from_word)
                .fold(0, |bits, operation| bits | 1 << operation as u8),
        )
    }

    const fn contains(self, operation: Operation) -> bool {
        self.0 & 1 << operation as u8 != 0
    }
}

fn included(acl: &Value) -> BTreeMap<GroupId, Operations> {
    acl.pointer("/groups/includes")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        // An id has exactly one spelling, so two keys never mean the same group.
        .filter_map(|(key, words)| Some((key.parse().ok()?, Operations::from_value(words))))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn group(id: i64) -> GroupId {
        GroupId::new(id).unwrap()
    }

    fn check(acl: &Value, id: i64, expected: &str) {
        let parsed = Acl::from_value(acl);
        let allowed: Vec<_> = Operation::ALL
            .into_iter()
            .filter(|operation| parsed.allows(group(id), *operation))
            .map(|operation| operation.to_string())
            .collect();
        assert_eq!(allowed.join(" "), expected, "group {id} with {acl}");
    }

    const ALL: &str = "CREATE READ UPDATE DELETE";

    #[test]
    fn a_list_that_is_not_activated_allows_everything() {
        let includes = json!({"includes": {"2": []}});
        for acl in [
            json!(null),
            json!({}),
            json!([]),
            json!("acl"),
            json!({"groups": includes}),
            json!({"activated": null, "groups": includes}),
            json!({"activated": false, "groups": includes}),
        ] {
            check(&acl, 1, ALL);
            check(&acl, 2, ALL);
        }
    }

    #[test]
    fn an_activated_list_allows_what_it_lists_and_spares_nobody() {
        let acl = json!({
            "activated": true,
            "groups": {"includes": {"1": ["READ"], "2": ["DELETE", "CREATE", "SHARE", 7], "30": []}, "excludes": {"1": []}},
            "owner": 1,
        });
        check(&acl, 1, "READ");
        check(&acl, 2, "CREATE DELETE");
        check(&acl, 30, "");
        check(&acl, 3, "");
    }

    #[test]
    fn an_activated_list_of_odd_shape_allows_nothing() {
        let full = json!(["CREATE", "READ", "UPDATE", "DELETE"]);
        for acl in [
            json!({"activated": true}),
            json!({"activated": true, "groups": null}),
            json!({"activated": true, "groups": {"includes": [["1", full]]}}),
            json!({"activated": true, "groups": {"includes": {"1": "READ"}}}),
            json!({"activated": true, "groups": {"includes": {"1": ["read", null]}}}),
            json!({"activated": true, "groups": {"includes": {"+1": full, "01": full, " 1": full, "1.0": full}}}),
            json!({"activated": "true"}),
            json!({"activated": 1}),
        ] {
            check(&acl, 1, "");
        }
    }

    #[test]
    fn what_is_not_granted_is_denied() {
        let acl = json!({"activated": true, "groups": {"includes": {"1": ["READ", "CREATE"]}}});
        let acl = Acl::from_value(&acl);
        let granted: Vec<_> = acl.granted(group(1)).collect();
        assert_eq!(granted, [Operation::Create, Operation::Read]);
        let denied: Vec<_> = acl.denied(group(1)).collect();
        assert_eq!(denied, [Operation::Update, Operation::Delete]);
        assert_eq!(Acl::default().denied(group(1)).count(), 0);
    }

    #[test]
    fn a_group_is_taken_out_and_the_rest_stays() {
        let acl = |includes: Value| json!({"activated": false, "owner": 1, "groups": {"includes": includes, "x": null}});
        let named = acl(json!({"1": ["READ"], "2": [], "02": ["READ"]}));
        let rest = acl(json!({"1": ["READ"], "02": ["READ"]}));
        assert_eq!(without_group(&named, group(2)), Some(rest.clone()));
        assert_eq!(without_group(&rest, group(2)), None);
        for other in [
            json!(null),
            json!({}),
            json!({"groups": {"includes": ["2"]}}),
        ] {
            assert_eq!(without_group(&other, group(2)), None);
        }
    }

    proptest! {
        #[test]
        fn a_group_is_decided_by_its_own_entry_alone(group in 1..=stockroom_model::id::MAX_ID, other in 1..=stockroom_model::id::MAX_ID, bits in 0_u8..16) {
            prop_assume!(group != other);
            let words: Vec<_> = Operation::ALL
                .into_iter()
                .filter(|operation| bits & 1 << *operation as u8 != 0)
                .map(Operation::word)
                .collect();
            let mut includes = serde_json::Map::new();
            includes.insert(other.to_string(), json!(Operation::ALL.map(Operation::word)));
            includes.insert(group.to_string(), json!(words));
            check(&json!({"activated": true, "groups": {"includes": includes}}), group, &words.join(" "));
        }
    }
}
