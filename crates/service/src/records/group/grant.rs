//! Who may grant what. The rules hold on every route that hands out rights or access.

use stockroom_access::permission::TypeEdit;
use stockroom_access::{Operation, RightSet};
use stockroom_model::{GroupId, TypeId};
use stockroom_store::{Catalog, WriteTx};

use crate::Error;
use crate::core::access::Access;

/// The right that some active user must always hold, so that nobody is locked out for good.
pub(crate) const EVERYTHING: &str = "base.*";
/// A refusal names at most this many types.
const NAMED_TYPES: usize = 10;

/// Nobody grants or takes over what they lack. To put a user into a group, or to change, move or
/// delete a user of it, the caller must hold everything the group holds: its rights and its grants
/// by access lists.
///
/// # Errors
///
/// [`Error::Forbidden`] names what is missing.
pub(crate) fn check_holds_all_of(
    catalog: &Catalog,
    caller: &Access,
    group: GroupId,
) -> Result<(), Error> {
    let rights = caller.rights.grantable(&catalog.rights(group));
    let mut lacking: Vec<String> = rights
        .err()
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    lacking.extend(lacking_grants(catalog, caller, group));
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Error::Forbidden(format!(
        "this needs all that group {group} holds, and you lack {}",
        lacking.join("; ")
    )))
}

/// Grants by access lists of types that `group` has and the caller lacks. A caller who may edit
/// types can change every access list and lacks nothing, unless a token limits it.
fn lacking_grants(catalog: &Catalog, caller: &Access, group: GroupId) -> Vec<String> {
    let is_equal = caller.holds::<TypeEdit>() || caller.group_id == group;
    if is_equal && !caller.has_limited_types() {
        return Vec::new();
    }
    let lacking: Vec<(TypeId, Vec<Operation>)> = catalog
        .types()
        .map(|entry| {
            let operations = caller.lacking(entry, group);
            (entry.record.public_id, operations)
        })
        .filter(|(_, operations): &(_, Vec<_>)| !operations.is_empty())
        .collect();
    let mut named: Vec<String> = lacking
        .iter()
        .take(NAMED_TYPES)
        .map(|(id, operations)| {
            let words: Vec<&str> = operations
                .iter()
                .map(|operation| operation.word())
                .collect();
            format!("{} on type {id}", words.join(", "))
        })
        .collect();
    if lacking.len() > NAMED_TYPES {
        named.push(format!(
            "and more on {} other types",
            lacking.len() - NAMED_TYPES
        ));
    }
    named
}

/// Nobody may grant or take a right that they lack: the caller must hold all rights in which
/// `before` and `after` differ. Who could empty a group could then take over its users.
pub(crate) fn check_change(
    caller: &RightSet,
    before: &RightSet,
    after: &RightSet,
) -> Result<(), Error> {
    check_added(caller, before, after, "grant")?;
    check_added(caller, after, before, "take away")
}

/// Checks the rights that `more` has and `less` does not.
fn check_added(
    caller: &RightSet,
    less: &RightSet,
    more: &RightSet,
    verb: &str,
) -> Result<(), Error> {
    let (Err(added), Err(lacking)) = (less.grantable(more), caller.grantable(more)) else {
        return Ok(());
    };
    let missing: Vec<&str> = added
        .into_iter()
        .filter(|right| lacking.contains(right))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::Forbidden(format!(
        "nobody may {verb} a right that they lack: {}",
        missing.join(", ")
    )))
}

/// Call this after every write that may take rights away: fails unless an active user who can log
/// in still holds `base.*`.
pub(crate) fn check_administrator_remains(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    let administrators: Vec<GroupId> = tx
        .groups()?
        .into_iter()
        .filter(|group| RightSet::from_known_names(&group.record.rights).covers(EVERYTHING))
        .map(|group| group.record.public_id)
        .collect();
    for group in administrators {
        let mut accounts = tx.accounts_of_group(group)?.into_iter();
        if accounts.any(|account| account.user.active && account.credentials.has_password()) {
            return Ok(());
        }
    }
    Err(Error::invalid(
        "",
        format!("afterwards no active user with a password would hold {EVERYTHING}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> RightSet {
        RightSet::from_names(names).unwrap()
    }

    #[test]
    fn nobody_hands_out_what_neither_side_holds() {
        const USERS: &str = "base.user-management.*";
        const VIEW: &str = "base.framework.object.view";
        type Names = &'static [&'static str];
        let cases: &[(Names, Names, Names, bool)] = &[
            (&["base.*"], &[], &["base.*"], true),
            (&[USERS], &[], &["base.*"], false),
            (&[USERS], &[], &["base.user-management.user.view"], true),
            (&[USERS], &[VIEW], &[VIEW, USERS], true),
            (
                &[USERS],
                &["base.framework.*"],
                &["base.framework.object.*"],
                false,
            ),
            (&["base.framework.*"], &["base.framework.*"], &[VIEW], true),
            (&[USERS], &[VIEW], &["base.framework.object.*"], false),
            (&[], &[VIEW], &[], false),
            (&[USERS], &["base.*"], &[], false),
            (&["base.*"], &["base.*"], &[], true),
        ];
        for (caller, before, after, allowed) in cases {
            let outcome = check_change(&set(caller), &set(before), &set(after));
            assert_eq!(
                outcome.is_ok(),
                *allowed,
                "{caller:?} turns {before:?} into {after:?}"
            );
        }
    }

    #[test]
    fn names_only_what_is_missing() {
        let after = set(&[
            "base.framework.object.view",
            "base.system.edit",
            "base.system.view",
        ]);
        let caller = set(&["base.framework.object.view"]);
        let refusal = check_change(&caller, &set(&["base.system.view"]), &after).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "nobody may grant a right that they lack: base.system.edit"
        );
    }
}
