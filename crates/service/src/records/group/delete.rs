//! `DELETE /groups/{public_id}`

use stockroom_access::permission::{GroupDelete, UserDelete};
use stockroom_model::{Group, GroupId, User};
use stockroom_store::{Account, Resource, WriteTx};

use super::{document, grant, stored};
use crate::core::change::{Precondition, Subject, Written};
use crate::{Error, Permit, r#type, view};

/// What happens to the users of a deleted group (`docs/guide/src/users.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// The group must have no users.
    None,
    /// They move to another group.
    Move(GroupId),
    /// They are deleted too.
    Delete,
}

/// Removes a group and moves or deletes its users, all or nothing.
pub async fn delete(
    permit: &Permit<GroupDelete>,
    id: GroupId,
    members: Members,
    precondition: Precondition,
) -> Result<Written, Error> {
    check_unprotected(id)?;
    let writer = permit.clone();
    permit
        .write(move |tx| {
            if members == Members::Delete {
                writer.access(tx)?.check::<UserDelete>()?;
            }
            let stored = stored(tx, id)?;
            precondition.check(tx, Subject::of(Resource::Group, id), stored.revision)?;
            let access = writer.access(tx)?;
            grant::check_holds_all_of(tx.catalog(), &access, id)?;
            view::forget_group(tx, id)?;
            let accounts = tx.accounts_of_group(id)?;
            match members {
                Members::None => check_empty(&accounts)?,
                Members::Move(target) => move_to(&writer, tx, accounts, id, target)?,
                Members::Delete => delete_all(&writer, tx, &accounts)?,
            }
            r#type::forget_group(tx, id)?;
            tx.delete_group(id, stored.revision)?;
            grant::check_administrator_remains(tx)?;
            Ok(Written {
                document: document(&stored),
                warnings: Vec::new(),
            })
        })
        .await
}

/// Groups 1 and 2 cannot be deleted (`docs/guide/src/users.md`).
pub fn check_unprotected(id: GroupId) -> Result<(), Error> {
    if Group::is_protected(id) {
        return Err(Error::invalid(
            "",
            format!("group {id} is protected and cannot be deleted"),
        ));
    }
    Ok(())
}

fn check_empty(accounts: &[Account]) -> Result<(), Error> {
    if accounts.is_empty() {
        return Ok(());
    }
    Err(Error::invalid(
        "action",
        format!(
            "the group has {} users: MOVE them to the group of group_id, or DELETE them",
            accounts.len()
        ),
    ))
}

fn move_to(
    permit: &Permit<GroupDelete>,
    tx: &mut WriteTx<'_>,
    accounts: Vec<Account>,
    from: GroupId,
    target: GroupId,
) -> Result<(), Error> {
    if target == from || tx.group(target)?.is_none() {
        return Err(Error::invalid(
            "group_id",
            format!("must be another group that exists, which {target} is not"),
        ));
    }
    if !accounts.is_empty() {
        let access = permit.access(tx)?;
        grant::check_holds_all_of(tx.catalog(), &access, target)?;
    }
    for account in accounts {
        let user = User {
            group_id: target,
            ..account.user.clone()
        };
        let credentials = account.credentials.clone();
        tx.update_user(account, user, credentials)?;
    }
    Ok(())
}

fn delete_all(
    permit: &Permit<GroupDelete>,
    tx: &mut WriteTx<'_>,
    accounts: &[Account],
) -> Result<(), Error> {
    let access = permit.access(tx)?;
    for account in accounts {
        if account.user.public_id == access.user_id {
            return Err(Error::invalid(
                "action",
                "you are in this group, and nobody deletes itself",
            ));
        }
        view::forget_user(tx, account.user.public_id)?;
        tx.delete_user(account.user.public_id, account.revision)?;
    }
    Ok(())
}
