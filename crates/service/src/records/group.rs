//! Groups (`docs/guide/src/users.md`).

mod delete;
pub(crate) mod grant;
mod restore;

use serde::Serialize;
use stockroom_access::RightSet;
use stockroom_access::permission::{GroupAdd, GroupEdit, GroupView};
use stockroom_access::rights::Right;
use stockroom_filter::Paths;
use stockroom_model::GroupId;
use stockroom_model::body::{Report, integer};
use stockroom_model::group::{Group, GroupDraft, right_name};
use stockroom_model::json::Value;
use stockroom_store::{ReadTx, Resource, Stored, WriteTx};
use utoipa::ToSchema;

pub use delete::{Members, check_unprotected, delete};
pub use restore::restore;

use crate::core::answer;
use crate::core::change::{Change, Document, Precondition, Subject, Written};
use crate::core::id::retired;
use crate::core::list::{Collection, ListRequest, Page, TieBreaker, page};
use crate::{Error, Permit};

const COLLECTION: Collection = Collection {
    paths: Paths {
        timestamps: &[],
        secrets: &[],
    },
    tie_breaker: TieBreaker::Member("public_id"),
};

/// A page of the list.
pub async fn list(permit: &Permit<GroupView>, request: ListRequest) -> Result<Page, Error> {
    let groups = permit.read(|tx| Ok(tx.groups()?)).await?;
    let documents = groups.iter().map(|group| answer(&group.record)).collect();
    page(permit.caller(), documents, &request, &COLLECTION).await
}

/// One group.
pub async fn read_group(permit: &Permit<GroupView>, id: GroupId) -> Result<Document, Error> {
    permit.read(move |tx| Ok(document(&stored(tx, id)?))).await
}

/// Inserts a group. It may grant only rights that the caller holds.
pub async fn insert(permit: &Permit<GroupAdd>, body: &Value) -> Result<Written, Error> {
    let (body, writer) = (body.clone(), permit.clone());
    permit.write(move |tx| insert_in(&writer, tx, &body)).await
}

/// Inserts a group in a transaction.
pub(crate) fn insert_in(
    permit: &Permit<GroupAdd>,
    tx: &mut WriteTx<'_>,
    body: &Value,
) -> Result<Written, Error> {
    let report = Report::default();
    let draft = GroupDraft::read(body, None, &report);
    check_unused(tx, body, None, &report)?;
    check_rights(body, &report);
    let draft = report.finish(draft)?;
    let warnings = permit.warn(report.into_warnings())?;
    let rights = RightSet::from_known_names(&draft.rights);
    grant::check_change(&permit.access(tx)?.rights, &RightSet::default(), &rights)?;
    let (id, revision) =
        crate::core::id::allocate(tx, Resource::Group, draft.public_id, |tx, id| {
            Ok(tx.group(id)?.is_some())
        })?;
    let group = granting(draft.with_id(id), &rights);
    Ok(Written {
        document: document(&tx.insert_group(revision, group)?),
        warnings,
    })
}

/// Replaces or patches a group. Only rights that the caller holds may be added or taken.
pub async fn update(
    permit: &Permit<GroupEdit>,
    id: GroupId,
    change: Change,
    precondition: Precondition,
) -> Result<Written, Error> {
    let writer = permit.clone();
    permit
        .write(move |tx| {
            let stored = stored(tx, id)?;
            precondition.check(tx, Subject::of(Resource::Group, id), stored.revision)?;
            let body = change.target(|| answer(&stored.record));
            let written = replace_in(&writer, tx, stored, &body)?;
            grant::check_administrator_remains(tx)?;
            Ok(written)
        })
        .await
}

/// Replaces a group in a transaction, whose caller checks afterwards that an administrator remains.
pub(crate) fn replace_in(
    permit: &Permit<GroupEdit>,
    tx: &mut WriteTx<'_>,
    stored: Stored<Group>,
    body: &Value,
) -> Result<Written, Error> {
    let report = Report::default();
    let draft = GroupDraft::read(body, Some(&stored.record), &report);
    check_unused(tx, body, Some(&stored.record), &report)?;
    check_rights(body, &report);
    let draft = report.finish(draft)?;
    let warnings = permit.warn(report.into_warnings())?;
    let rights = RightSet::from_known_names(&draft.rights);
    let group = granting(draft.with_id(stored.record.public_id), &rights);
    let before = RightSet::from_known_names(&stored.record.rights);
    let access = permit.access(tx)?;
    grant::check_change(&access.rights, &before, &rights)?;
    // Files of records grant to groups by their names.
    if group.name != stored.record.name {
        grant::check_holds_all_of(tx.catalog(), &access, group.public_id)?;
    }
    Ok(Written {
        document: document(&tx.update_group(stored, group)?),
        warnings,
    })
}

/// Users with the same rights
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Group)]
pub struct GroupAnswer<'g> {
    #[schema(value_type = i64)]
    public_id: GroupId,
    /// Unique
    #[schema(min_length = 1)]
    name: &'g str,
    label: &'g str,
    /// As granted, in the order of the list of all rights
    rights: Vec<&'static Right>,
}

pub(crate) fn answer(group: &Group) -> Value {
    answer::document(&GroupAnswer {
        public_id: group.public_id,
        name: &group.name,
        label: &group.label,
        rights: RightSet::from_known_names(&group.rights).rights().collect(),
    })
}

fn document(stored: &Stored<Group>) -> Document {
    Document {
        value: answer(&stored.record),
        revision: stored.revision,
    }
}

pub(crate) fn stored(tx: &mut ReadTx<'_>, id: GroupId) -> Result<Stored<Group>, Error> {
    tx.group(id)?.ok_or_else(|| Error::not_found("group", id))
}

/// Reports a name or id that another group has. `stored` is the group that the body replaces.
fn check_unused(
    tx: &mut ReadTx<'_>,
    body: &Value,
    stored: Option<&Group>,
    report: &Report,
) -> Result<(), Error> {
    if let Some(name) = body.get("name").and_then(Value::as_str)
        && let Some(holder) = tx.group_id_by_name(name)?
        && stored.is_none_or(|stored| stored.public_id.get() != holder && stored.name != name)
    {
        report.problem("/name", format!("{name:?} is in use by group {holder}"));
    }
    if let Some(id) = body
        .get("public_id")
        .and_then(integer)
        .and_then(GroupId::new)
        && stored.is_none()
    {
        if tx.group(id)?.is_some() {
            report.problem("/public_id", format!("{id} is in use"));
        } else if let Some(detail) = retired(tx, Resource::Group, id.get(), false)? {
            report.problem("/public_id", detail);
        }
    }
    Ok(())
}

/// Reports rights that do not exist.
fn check_rights(body: &Value, report: &Report) {
    let items = body.get("rights").and_then(Value::as_array);
    for (index, item) in items.into_iter().flatten().enumerate() {
        if let Some(name) = right_name(item)
            && stockroom_access::rights::find(name).is_none()
        {
            report.problem(
                format!("/rights/{index}"),
                format!("there is no right {name:?}; /rest/rights lists all"),
            );
        }
    }
}

/// Sets the rights of a group: each once, in the order of the table of rights.
fn granting(group: Group, rights: &RightSet) -> Group {
    let rights = rights.rights().map(|right| right.name.to_owned()).collect();
    Group { rights, ..group }
}
