//! Restoring a record to an earlier state (`docs/guide/src/history.md`).

use std::collections::BTreeSet;

use stockroom_access::permission::LogView;
use stockroom_model::Revision;
use stockroom_model::body::{Body, Report};
use stockroom_model::difference::differences;
use stockroom_model::json::Value;
use stockroom_store::{
    Action, HistoryEntry, HistoryPosition, HistoryRange, Past, ReadTx, RecordKey, Resource,
};

use super::revision::{check_revision, stored};
use super::visibility::HistoryScope;
use super::{MAX_PAGE, entries};
use crate::core::change::Subject;
use crate::{Error, Permit, Precondition};

/// Conflicts that a refusal lists.
const MAX_CONFLICTS: usize = 100;
/// The bytes of states that are compared to find what changed some fields: mostly in a quarter of a
/// second, and in one if they have many small members.
const MOST_COMPARED: usize = 16 * 1_024 * 1_024;

/// What to restore.
#[derive(Debug, Clone)]
pub struct RestoreRequest {
    /// The revision whose state to restore; by default the last one before the delete.
    pub revision: Option<Revision>,
    /// The fields to restore; `None` for the whole record.
    pub fields: Option<BTreeSet<String>>,
    /// Whether later changes may be overwritten.
    pub force: bool,
}

impl RestoreRequest {
    /// Reads a body.
    pub fn read(body: &Value) -> Result<Self, Error> {
        let report = Report::default();
        if let Some(members) = Body::open(body, "", &report) {
            // A misspelt `fields` would restore all of them.
            members.refuse_unknown(&["revision", "fields", "force"]);
        }
        let revision = body.get("revision").filter(|value| !value.is_null());
        let number = revision
            .and_then(Value::as_i64)
            .filter(|number| *number >= 1);
        if revision.is_some() && number.is_none() {
            report.problem("/revision", "must be a revision: a whole number from 1 on");
        }
        let force = body.get("force").filter(|value| !value.is_null());
        if force.is_some_and(|value| !value.is_boolean()) {
            report.problem("/force", "must be true or false");
        }
        let fields = body.get("fields").filter(|value| !value.is_null());
        let names = fields.map(|value| {
            let names = value.as_array().into_iter().flatten().map(Value::as_str);
            names
                .map(|name| name.map(str::to_owned))
                .collect::<Option<BTreeSet<String>>>()
        });
        let names = names.map(Option::unwrap_or_default);
        if names.as_ref().is_some_and(BTreeSet::is_empty) {
            report.problem("/fields", "must be a list of names, at least one");
        }
        if fields.is_some() && revision.is_none() {
            report.problem("/revision", "is required beside `fields`");
        }
        Ok(report.finish(Some(Self {
            revision: number.map(Revision),
            fields: names,
            force: force.and_then(Value::as_bool).unwrap_or_default(),
        }))?)
    }

    /// The revision to restore of a record whose newest change is `newest`.
    pub(crate) fn revision_of(&self, newest: &HistoryEntry) -> Result<Revision, Error> {
        match self.revision {
            Some(revision) => Ok(revision),
            None if newest.action == Action::Delete => Ok(Revision(newest.revision.0 - 1)),
            None => Err(Error::invalid(
                "/revision",
                "is required: the record exists",
            )),
        }
    }
}

/// How a record of a small collection is restored: by the use case that writes this body.
pub(crate) enum Restoration {
    /// The record exists.
    Update(Value, Precondition),
    /// It was deleted.
    Insert(Value),
}

/// Prepares the restoration of a record of a small collection.
pub(crate) async fn prepare(
    permit: &Permit<LogView>,
    record: RecordKey,
    request: RestoreRequest,
    precondition: Precondition,
) -> Result<Restoration, Error> {
    let reader = permit.clone();
    permit
        .read(move |tx| {
            let scope = HistoryScope::new(reader.access(tx)?);
            scope.check_record(tx, &record)?;
            let newest = newest(tx, &record)?;
            let revision = request.revision_of(&newest)?;
            let past = stored(tx, &record, revision)?;
            scope.check_state(tx, &record, revision, &past)?;
            check_same_life(tx, &record, revision)?;
            if newest.action == Action::Delete {
                if request.fields.is_some() {
                    return Err(whole_only());
                }
                return Ok(Restoration::Insert(past));
            }
            let subject = Subject {
                resource: record.resource,
                id: record.id,
                name: &record.name,
            };
            precondition.check(tx, subject, newest.revision)?;
            check_conflicts(tx, &scope, &record, revision, &request)?;
            let body = match &request.fields {
                None => past,
                Some(names) => overlaid(stored(tx, &record, newest.revision)?, &past, names)?,
            };
            let current = Precondition::Revisions(vec![newest.revision.0]);
            Ok(Restoration::Update(body, current))
        })
        .await
}

/// The newest change of a record.
pub(crate) fn newest(tx: &mut ReadTx<'_>, record: &RecordKey) -> Result<HistoryEntry, Error> {
    let newest = tx.newest_change_of(record)?;
    newest.ok_or_else(|| Error::not_found(record.resource.as_str(), record.id))
}

/// A time of the record in this body, if an earlier state is restored or the record is moved in: a
/// new record is made now.
pub(crate) fn time<P>(permit: &Permit<P>, body: &Value, member: &str) -> Option<String> {
    let time = body.get(member).and_then(Value::as_str);
    let request = &permit.caller().request;
    time.filter(|_| request.restores || request.moves_in)
        .map(str::to_owned)
}

/// A deleted record has no other fields that could stay.
pub(crate) fn whole_only() -> Error {
    Error::invalid("/fields", "a deleted record is restored as a whole")
}

/// The present record with some members as they were.
fn overlaid(mut present: Value, past: &Value, names: &BTreeSet<String>) -> Result<Value, Error> {
    let report = Report::default();
    for name in names {
        let (known, members) = (present.get(name).is_some(), present.as_object_mut());
        match (past.get(name), members) {
            (Some(value), Some(members)) => _ = members.insert(name.clone(), value.clone()),
            (None, Some(members)) if known => _ = members.remove(name),
            _ => report.problem("/fields", format!("there is no member {name:?}")),
        }
    }
    Ok(report.finish(Some(present))?)
}

/// Refuses a revision of another record that had the same id.
pub(crate) fn check_same_life(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    revision: Revision,
) -> Result<(), Error> {
    let mut insert = None;
    later(tx, record, revision, |entry| {
        if entry.action == Action::Insert {
            insert = Some(entry.revision);
        }
        true
    })?;
    match insert {
        None => Ok(()),
        Some(since) => Err(Error::Conflict {
            detail: format!(
                "{} {} was deleted, and since revision {} its id belongs to another one",
                record.resource.as_str(),
                record.id,
                since.0
            ),
            conflicts: Vec::new(),
        }),
    }
}

/// Refuses to overwrite later changes, unless the request insists. The change right after the
/// revision is the one to undo, so it does not count.
pub(crate) fn check_conflicts(
    tx: &mut ReadTx<'_>,
    scope: &HistoryScope,
    record: &RecordKey,
    revision: Revision,
    request: &RestoreRequest,
) -> Result<(), Error> {
    if request.force {
        return Ok(());
    }
    let mut overwritten = match &request.fields {
        None => {
            let mut all = Vec::new();
            later(tx, record, revision, |entry| {
                all.push(entry);
                all.len() <= MAX_CONFLICTS
            })?;
            all
        }
        Some(names) => touching(tx, record, revision, names)?,
    };
    if overwritten
        .last()
        .is_some_and(|entry| entry.revision.0 - 1 == revision.0)
        || request.fields.is_some()
    {
        overwritten.pop();
    }
    if overwritten.is_empty() {
        return Ok(());
    }
    overwritten.truncate(MAX_CONFLICTS);
    let shown = scope.visible(tx, overwritten)?.into_iter();
    let shown: Vec<HistoryEntry> = shown.filter_map(|(_, entry)| entry).collect();
    Err(Error::Conflict {
        detail: "later changes would be overwritten: `conflicts` lists them, the newest first; `\"force\": true` overwrites them".to_owned(),
        conflicts: entries::documents(&shown),
    })
}

/// Visits the changes after a revision, the newest first, while `visit` returns true.
fn later(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    revision: Revision,
    mut visit: impl FnMut(HistoryEntry) -> bool,
) -> Result<(), Error> {
    check_revision(tx, record, revision)?;
    let range = HistoryRange::Record(record.clone());
    let mut after = HistoryPosition::START;
    loop {
        let entries = tx.history(&range, after, MAX_PAGE)?;
        let Some(last) = entries.last() else {
            return Ok(());
        };
        after = last.position;
        for entry in entries {
            if entry.revision <= revision || !visit(entry) {
                return Ok(());
            }
        }
    }
}

/// The changes after a revision that touched some of these fields, the newest first; all changes if
/// their states are too large to be compared.
fn touching(
    tx: &mut ReadTx<'_>,
    record: &RecordKey,
    revision: Revision,
    names: &BTreeSet<String>,
) -> Result<Vec<HistoryEntry>, Error> {
    let mut entries = Vec::new();
    later(tx, record, revision, |entry| {
        entries.push(entry);
        true
    })?;
    let Some(newest) = entries.first() else {
        return Ok(entries);
    };
    let (newest, mut touched) = (newest.revision, BTreeSet::new());
    let mut after: Option<Value> = None;
    let mut compared = 0;
    let walked = tx.states_of(record, revision.next(), newest, |of, past| {
        let document = match past {
            Past::Document { document, .. } => {
                compared += document.len();
                if compared > MOST_COMPARED {
                    return Err(stockroom_store::Error::TooExpensive);
                }
                serde_json::from_str(document)?
            }
            Past::Missing | Past::Unknown { .. } => Value::Null,
        };
        if let Some(after) = after.replace(document.clone()) {
            let made = differences(&document, &after);
            if made
                .iter()
                .any(|each| is_of(record.resource, &each.path, names))
            {
                touched.insert(of.next());
            }
        }
        Ok(())
    });
    if compared > MOST_COMPARED {
        return Ok(entries);
    }
    walked?;
    entries.retain(|entry| touched.contains(&entry.revision));
    Ok(entries)
}

/// Whether a path leads to one of these fields: of an object by name, of other records members.
fn is_of(resource: Resource, path: &str, names: &BTreeSet<String>) -> bool {
    let path = match resource {
        Resource::Object => path.strip_prefix("fields.").unwrap_or_default(),
        _ => path,
    };
    names.iter().any(|name| {
        let below = path.strip_prefix(name.as_str());
        below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
    })
}
