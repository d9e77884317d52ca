//! Checks the body of a view against other records and the rights of the caller.

use stockroom_access::permission::{SavedViewEdit, TypeEdit};
use stockroom_filter::Parsed;
use stockroom_model::body::Report;
use stockroom_model::json::{Map, Value};
use stockroom_model::view::{ViewDraft, Visibility};
use stockroom_model::{GroupId, UserId, View};
use stockroom_store::{ReadTx, WriteTx};

use super::audience::check_writable;
use crate::core::access::Access;
use crate::records::object::list::PATHS;
use crate::{Caller, Error, Permit, Service};

/// Compiles the regular expressions of a body in advance, so that the writer need not wait for it.
pub(super) async fn compile_filter(caller: &Caller, body: &Value) -> Result<(), Error> {
    let limits = caller.service.limits();
    let filter = body.pointer("/definition/filter");
    let Some(filter) = filter.filter(|filter| !Parsed::is_quick(filter, limits)) else {
        return Ok(());
    };
    let (filter, limits) = (filter.clone(), limits.clone());
    let compile = move || drop(Parsed::from_value(&filter, &limits));
    caller.run_blocking(compile).await
}

/// Notes a problem if lists of objects would refuse the filter of a definition.
pub(super) fn check_filter(
    service: &Service,
    definition: Option<&Map<String, Value>>,
    report: &Report,
) {
    let filter = definition.and_then(|definition| definition.get("filter"));
    let Some(filter) = filter.filter(|filter| !filter.is_null()) else {
        return;
    };
    let parsed = Parsed::from_value(filter, service.limits());
    if let Err(invalid) = parsed.and_then(|parsed| parsed.check(&PATHS)) {
        let pointer = format!("/definition/filter{}", invalid.pointer);
        report.problem(pointer, invalid.detail);
    }
}

/// The owner: the stored one, or one of an earlier state that is restored and whose user exists.
pub(super) fn owner(
    tx: &mut ReadTx<'_>,
    permit: &Permit<SavedViewEdit>,
    body: &Value,
    stored: Option<UserId>,
) -> Result<Option<UserId>, Error> {
    if !permit.caller().request.restores {
        return Ok(stored);
    }
    let former = body.get("owner_id").and_then(Value::as_i64);
    let Some(former) = former.and_then(UserId::new) else {
        return Ok(None);
    };
    Ok(tx.account(former)?.map(|account| account.user.public_id))
}

/// The group of a view for a group; by default that of the caller.
pub(super) fn group(draft: &ViewDraft, access: &Access) -> Option<GroupId> {
    let is_for_group = draft.visibility == Visibility::Group;
    is_for_group.then(|| draft.group_id.unwrap_or(access.group_id))
}

/// Checks a view that replaces `stored`, or a new one. What stays as it is is not checked.
pub(super) fn check(
    tx: &mut WriteTx<'_>,
    access: &Access,
    view: &View,
    stored: Option<&View>,
    report: &Report,
) -> Result<(), Error> {
    check_writable(access, view)?;
    check_named_records(tx, access, view, stored, report)?;
    check_default(tx, access, view, report)?;
    if view.visibility == Visibility::Private && view.owner_id != Some(access.user_id) {
        report.problem("/visibility", "can be private only for the owner of a view");
    }
    Ok(())
}

/// Checks the group and the type that a view names, unless the stored one names the same.
fn check_named_records(
    tx: &mut WriteTx<'_>,
    access: &Access,
    view: &View,
    stored: Option<&View>,
    report: &Report,
) -> Result<(), Error> {
    let group = changed(view.group_id, stored.and_then(|stored| stored.group_id));
    if let Some(group) = group.filter(|group| *group != access.group_id) {
        // Before the look at the group, so that nobody finds out which groups exist.
        access.check::<TypeEdit>()?;
        if tx.group(group)?.is_none() {
            report.problem("/group_id", format!("there is no group {group}"));
        }
    }
    if let Some(id) = changed(view.type_id, stored.and_then(|stored| stored.type_id))
        && (tx.type_entry(id)?.is_none() || !access.scope.sees(id))
    {
        let detail = format!("there is no type {id} whose objects you may read");
        report.problem("/type_id", detail);
    }
    Ok(())
}

fn changed<T: Copy + PartialEq>(id: Option<T>, stored: Option<T>) -> Option<T> {
    id.filter(|id| Some(*id) != stored)
}

/// Only one view opens first for a type and the same people.
fn check_default(
    tx: &mut WriteTx<'_>,
    access: &Access,
    view: &View,
    report: &Report,
) -> Result<(), Error> {
    if !view.is_default {
        return Ok(());
    }
    let other = tx.default_view(view)?;
    if let Some(other) = other.filter(|other| *other != view.public_id.get()) {
        let is_of_other_group = view.group_id.is_some() && view.group_id != Some(access.group_id);
        let name = if is_of_other_group {
            "another view".to_owned()
        } else {
            format!("the view {other}")
        };
        let detail = format!(
            "{name} is the default for the same objects and people; change its `is_default` first"
        );
        report.problem("/is_default", detail);
    }
    Ok(())
}
