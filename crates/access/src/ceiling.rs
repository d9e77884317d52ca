//! What an API token may hold at most: what its maker held when it was made. Its owner may gain more
//! later, but the maker knows the secret.

use std::collections::BTreeMap;

use stockroom_model::token::TokenCeiling;
use stockroom_model::{GroupId, TypeId, UserId};

use crate::acl::{Acl, Operation};
use crate::permission::TypeEdit;
use crate::right_set::RightSet;

/// The parsed form of a [`TokenCeiling`]. What this release does not know allows nothing.
#[derive(Debug, Clone, Default)]
pub struct Ceiling {
    rights: RightSet,
    group: Option<GroupId>,
    denied: BTreeMap<TypeId, Vec<Operation>>,
}

impl Ceiling {
    /// Reads a stored ceiling.
    #[must_use]
    pub fn new(stored: &TokenCeiling) -> Self {
        let operations = |words: &[String]| {
            let words = words.iter();
            words
                .filter_map(|word| Operation::from_word(word))
                .collect()
        };
        let denied = stored.denied.iter();
        Self {
            rights: RightSet::from_known_names(&stored.rights),
            group: stored.group_id,
            denied: denied
                .map(|(type_id, words)| (*type_id, operations(words)))
                .collect(),
        }
    }

    /// The rights.
    #[must_use]
    pub const fn rights(&self) -> &RightSet {
        &self.rights
    }

    /// Whether access lists limited the maker.
    #[must_use]
    pub const fn has_lists(&self) -> bool {
        self.group.is_some()
    }

    /// Whether the maker could do this with objects of a type. Lists that were activated since, and
    /// those of later types, count as they are now.
    #[must_use]
    pub fn allows(&self, type_id: TypeId, acl: &Acl, operation: Operation) -> bool {
        let denied = self.denied.get(&type_id);
        self.group.is_none_or(|group| acl.allows(group, operation))
            && !denied.is_some_and(|denied| denied.contains(&operation))
    }
}

/// The ceiling of a token that a member of `group`, which holds `rights`, makes now. A member who may
/// edit types can change every access list, so that none of them limits it.
#[must_use]
pub fn of_maker<'a>(
    made_by: Option<UserId>,
    group: GroupId,
    rights: &RightSet,
    types: impl IntoIterator<Item = (TypeId, &'a Acl)>,
) -> TokenCeiling {
    let names = rights.rights().map(|right| right.name.to_owned());
    let is_limited = !rights.permits::<TypeEdit>();
    let types = types.into_iter().filter(|_| is_limited);
    let denied = types.map(|(type_id, acl)| {
        let words = acl
            .denied(group)
            .map(|operation| operation.word().to_owned());
        (type_id, words.collect())
    });
    TokenCeiling {
        made_by,
        rights: names.collect(),
        group_id: is_limited.then_some(group),
        denied: denied
            .filter(|(_, words): &(_, Vec<_>)| !words.is_empty())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const OPEN: [Operation; 4] = [
        Operation::Create,
        Operation::Read,
        Operation::Update,
        Operation::Delete,
    ];

    fn acl(includes: &Value) -> Acl {
        Acl::from_value(&json!({"activated": true, "groups": {"includes": includes}}))
    }

    fn made(rights: &[&str], types: &[(TypeId, &Acl)]) -> Ceiling {
        let rights = RightSet::from_names(rights).unwrap();
        let group = GroupId::new(3).unwrap();
        Ceiling::new(&of_maker(None, group, &rights, types.iter().copied()))
    }

    #[test]
    fn it_is_what_the_maker_held_when_the_token_was_made() {
        let (old, new) = (TypeId::new(1).unwrap(), TypeId::new(2).unwrap());
        let before = acl(&json!({"3": ["READ"]}));
        let ceiling = made(&["base.framework.object.*"], &[(old, &before)]);
        assert!(ceiling.rights().covers("base.framework.object.edit"));
        assert!(!ceiling.rights().covers("base.framework.type.view"));
        let allowed = |type_id, acl: &Acl| {
            let allowed = OPEN.into_iter();
            allowed
                .filter(|operation| ceiling.allows(type_id, acl, *operation))
                .collect::<Vec<_>>()
        };
        // Neither a grant to the group nor an open list gives what was denied.
        let all = acl(&json!({"3": ["CREATE", "READ", "UPDATE", "DELETE"]}));
        for later in [&all, &Acl::default(), &before] {
            assert_eq!(allowed(old, later), [Operation::Read]);
        }
        assert_eq!(allowed(old, &acl(&json!({"4": ["READ"]}))), []);
        assert_eq!(allowed(new, &before), [Operation::Read]);
        assert_eq!(allowed(new, &Acl::default()), OPEN);
    }

    #[test]
    fn access_lists_do_not_limit_who_edits_types() {
        let (id, closed) = (TypeId::new(1).unwrap(), acl(&json!({})));
        let ceiling = made(&["base.framework.*"], &[(id, &closed)]);
        assert!(!ceiling.has_lists() && ceiling.allows(id, &closed, Operation::Delete));
    }

    #[test]
    fn an_unknown_ceiling_has_no_rights() {
        let ceiling = Ceiling::new(&TokenCeiling::default());
        assert_eq!(*ceiling.rights(), RightSet::default());
    }
}
