//! What groups grant, and the two rules about it that hold whichever way rights are handed around (contract, "Authentication").

use stockroom_access::RightSet;
use stockroom_model::GroupId;
use stockroom_store::{ReadTx, WriteTx};

use crate::Error;

/// The right that some active user must always hold, so that nobody is locked out for good.
const EVERYTHING: &str = "base.*";

/// Nobody may grant a right that they lack: whoever holds `before` may come to hold `after` only by a caller who holds what it adds.
pub(crate) fn check_grant(
    caller: &RightSet,
    before: &RightSet,
    after: &RightSet,
) -> Result<(), Error> {
    let (Err(added), Err(lacking)) = (before.grantable(after), caller.grantable(after)) else {
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
        "nobody may grant a right that they lack: {}",
        missing.join(", ")
    )))
}

/// Whoever sets the password of an account can act as its user, so that a caller must hold all that the account holds.
pub(crate) fn check_takeover(caller: &RightSet, account: &RightSet) -> Result<(), Error> {
    caller.grantable(account).map_err(|missing| {
        Error::Forbidden(format!(
            "whoever sets the password of a user could act with its rights, and you lack {}",
            missing.join(", ")
        ))
    })
}

/// What members of a group may do, as of this transaction; a group that does not exist grants nothing.
pub(crate) fn rights_of(tx: &mut ReadTx<'_>, group: GroupId) -> Result<RightSet, Error> {
    Ok(tx.group(group)?.map_or_else(RightSet::default, |group| {
        RightSet::from_known_names(&group.record.rights)
    }))
}

/// To be called after every write that may take rights away: fails unless an active user still holds `base.*`.
pub(crate) fn check_administrator_remains(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    let administrators: Vec<GroupId> = tx
        .groups()?
        .into_iter()
        .filter(|group| RightSet::from_known_names(&group.record.rights).covers(EVERYTHING))
        .map(|group| group.record.public_id)
        .collect();
    for group in administrators {
        if tx
            .accounts_of_group(group)?
            .iter()
            .any(|account| account.user.active)
        {
            return Ok(());
        }
    }
    Err(Error::invalid(
        "",
        format!("afterwards no active user would hold {EVERYTHING}"),
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
                true,
            ),
            (&[USERS], &[VIEW], &["base.framework.object.*"], false),
            (&[], &[VIEW], &[], true),
        ];
        for (caller, before, after, allowed) in cases {
            let outcome = check_grant(&set(caller), &set(before), &set(after));
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
        let refusal = check_grant(&caller, &set(&["base.system.view"]), &after).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "nobody may grant a right that they lack: base.system.edit"
        );
    }
}
