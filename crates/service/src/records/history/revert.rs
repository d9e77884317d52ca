//! Undoing all changes of a request (`docs/guide/src/history.md`).

use std::collections::{HashMap, HashSet};

use stockroom_access::permission::LogView;
use stockroom_model::{Revision, UserId};
use stockroom_store::{
    Action, HistoryEntry, HistoryPosition, HistoryRange, Past, ReadTx, RecordKey, Resource,
};

use super::restore::newest;
use super::revision::unknown;
use super::views::has_audience;
use super::visibility::HistoryScope;
use super::{MAX_PAGE, entries};
use crate::{Error, Permit};

/// Changes of a request that can be undone at once.
const MAX_CHANGES: usize = 10_000;
/// Conflicts that a refusal lists.
const MAX_CONFLICTS: usize = 100;

/// How the changes of a request to one record are undone.
#[derive(Debug, Clone)]
pub struct Undo {
    /// The record.
    pub record: RecordKey,
    /// The revision to restore; `None` to delete the record, which the request made.
    pub revision: Option<Revision>,
}

/// How the changes of a request are undone, the newest first. Later changes are overwritten only if
/// `force` is true.
pub async fn revert(
    permit: &Permit<LogView>,
    request_id: String,
    force: bool,
) -> Result<Vec<Undo>, Error> {
    let (reader, caller) = (permit.clone(), permit.caller().user_id());
    permit
        .read(move |tx| {
            let scope = HistoryScope::new(reader.access(tx)?);
            let changed = changed(tx, &scope, caller, &request_id)?;
            if !force {
                check_conflicts(tx, &scope, &changed)?;
            }
            let undone = changed.iter().map(|record| record.undo(tx));
            Ok(undone
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .collect())
        })
        .await
}

/// A record that a request changed, perhaps several times.
struct Changed {
    record: RecordKey,
    first: HistoryEntry,
    last: Revision,
}

impl Changed {
    /// `None` if the request made the record, and it is gone; or if it revoked a token, because
    /// tokens never come back.
    fn undo(&self, tx: &mut ReadTx<'_>) -> Result<Option<Undo>, Error> {
        let before = Revision(self.first.revision.0 - 1);
        let revision = match tx.record_at_revision(&self.record, before)? {
            Past::Document { .. } => Some(before),
            Past::Missing => None,
            Past::Unknown { .. } => return Err(unknown(&self.record, before)),
        };
        if self.record.resource == Resource::Token && revision.is_some() {
            return Ok(None);
        }
        let is_gone = newest(tx, &self.record)?.action == Action::Delete;
        Ok((revision.is_some() || !is_gone).then(|| Undo {
            record: self.record.clone(),
            revision,
        }))
    }
}

/// The records that a request changed, the last changed one first.
fn changed(
    tx: &mut ReadTx<'_>,
    scope: &HistoryScope,
    caller: UserId,
    request_id: &str,
) -> Result<Vec<Changed>, Error> {
    // PostgreSQL has no such text.
    if request_id.contains('\0') {
        return Err(nothing_of(request_id));
    }
    let entries = of_one_user(changes_of(tx, request_id)?, caller);
    let views: HashSet<HistoryPosition> = entries
        .iter()
        .filter(|entry| has_audience(entry.record.resource))
        .map(|entry| entry.position)
        .collect();
    let mut indices: HashMap<RecordKey, usize> = HashMap::new();
    let mut changed: Vec<Changed> = Vec::new();
    for (position, entry) in scope.visible(tx, entries)? {
        let Some(entry) = entry else {
            // A refusal would reveal private views and hidden sources. They are left as they are.
            if views.contains(&position) {
                continue;
            }
            return Err(hidden());
        };
        if let Some(index) = indices.get(&entry.record) {
            changed[*index].first = entry;
            continue;
        }
        indices.insert(entry.record.clone(), changed.len());
        changed.push(Changed {
            record: entry.record.clone(),
            last: entry.revision,
            first: entry,
        });
    }
    if changed.is_empty() {
        return Err(nothing_of(request_id));
    }
    Ok(changed)
}

/// The changes with the id of a request, the newest first.
fn changes_of(tx: &mut ReadTx<'_>, request_id: &str) -> Result<Vec<HistoryEntry>, Error> {
    let range = HistoryRange::Request(request_id.to_owned());
    let mut after = HistoryPosition::START;
    let mut entries = Vec::new();
    loop {
        let page = tx.history(&range, after, MAX_PAGE)?;
        let Some(last) = page.last() else {
            return Ok(entries);
        };
        after = last.position;
        entries.extend(page);
        if entries.len() > MAX_CHANGES {
            return Err(Error::invalid(
                "request_id",
                format!("made more than {MAX_CHANGES} changes, the most that are undone at once"),
            ));
        }
    }
}

/// Clients choose the ids of requests, so others may have used the same one. The request is that of
/// the caller, or else that of the user who had the id first.
fn of_one_user(mut entries: Vec<HistoryEntry>, caller: UserId) -> Vec<HistoryEntry> {
    let is_own = |entry: &&HistoryEntry| entry.actor == caller.get();
    let chosen = entries.iter().find(is_own).or(entries.last());
    if let Some(actor) = chosen.map(|entry| entry.actor) {
        entries.retain(|entry| entry.actor == actor);
    }
    entries
}

fn nothing_of(request_id: &str) -> Error {
    Error::NotFound(format!("no request {request_id:?} changed anything"))
}

fn hidden() -> Error {
    Error::Forbidden("the request changed records that you may not see".to_owned())
}

/// Refuses to overwrite what was changed after the request.
fn check_conflicts(
    tx: &mut ReadTx<'_>,
    scope: &HistoryScope,
    changed: &[Changed],
) -> Result<(), Error> {
    let mut conflicts = Vec::new();
    for Changed { record, last, .. } in changed {
        if conflicts.len() == MAX_CONFLICTS {
            break;
        }
        let newest = newest(tx, record)?;
        if newest.revision != *last {
            conflicts.push(newest);
        }
    }
    if conflicts.is_empty() {
        return Ok(());
    }
    // An object that was deleted may have come back under its id as one of a hidden type.
    let visible = scope.visible(tx, conflicts)?.into_iter();
    let conflicts: Option<Vec<HistoryEntry>> = visible.map(|(_, entry)| entry).collect();
    let conflicts = conflicts.ok_or_else(hidden)?;
    Err(Error::Conflict {
        detail: "records were changed after the request: `conflicts` lists their last changes; `\"force\": true` overwrites them".to_owned(),
        conflicts: entries::documents(&conflicts),
    })
}
