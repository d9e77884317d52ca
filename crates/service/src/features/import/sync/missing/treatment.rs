//! What is done with the objects of missing records, in one transaction.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::mem;

use stockroom_model::source::Missing;
use stockroom_model::{ObjectId, Timestamp};
use stockroom_store::{ObjectRow, SourceLink, Visibility, WriteTx};

use super::{MissingPass, Permits};
use crate::Error;
use crate::core::access::Access;
use crate::core::changed_at_once::MOST_CHANGED;
use crate::features::import::row_result::{Revisions, RowProblem, RowResult, RowStatus};
use crate::features::import::sync::LinkChange;
use crate::features::import::write::matches::{Room, objects};
use crate::records::object::delete::{self, References};
use crate::records::object::{seen, state};

/// How often an object is tried that others refer to.
const ROUNDS: usize = 4;
/// How many objects a transaction of a check deletes once more, because earlier ones were taken back.
const MOST_AGAIN: usize = 1_000;
/// How long a chain of references may be along which it does.
const MOST_DEEP: usize = 50;

/// What missing records are treated with.
pub(super) struct Treatment<'s> {
    pass: &'s MissingPass,
    permits: &'s Permits,
    access: &'s Access,
    /// How many more objects a check may delete again.
    again: Cell<usize>,
}

/// What was done to the object of a missing record: its revisions, if it was changed.
type Done = Result<Option<Revisions>, Error>;

impl<'s> Treatment<'s> {
    pub(super) const fn new(
        pass: &'s MissingPass,
        permits: &'s Permits,
        access: &'s Access,
    ) -> Self {
        Self {
            pass,
            permits,
            access,
            again: Cell::new(MOST_AGAIN),
        }
    }

    /// Does what the source says with the objects of links. Objects that were deleted by hand only
    /// lose their links.
    pub(super) fn treat(
        &self,
        tx: &mut WriteTx<'_>,
        links: Vec<SourceLink>,
        rows: &[ObjectRow],
    ) -> Result<Vec<RowResult>, Error> {
        let ids: Vec<ObjectId> = links.iter().map(|link| link.object).collect();
        let rows: HashMap<ObjectId, &ObjectRow> =
            rows.iter().map(|row| (row.public_id, row)).collect();
        let mut left: Vec<(SourceLink, &ObjectRow, Option<Error>)> = Vec::new();
        let mut done: Vec<(SourceLink, Done)> = Vec::new();
        for link in links {
            if let Some(row) = rows.get(&link.object).copied() {
                left.push((link, row, None));
                continue;
            }
            match tx.object(&self.access.scope, link.object)? {
                Visibility::Missing => {}
                hidden => done.push((link.clone(), seen(hidden, link.object).map(|_| None))),
            }
        }
        // They may refer to each other, so what was refused is tried again, the other way round.
        for _ in 0..ROUNDS {
            let (tried, mut refused) = (left.len(), Vec::new());
            for (link, row, _) in mem::take(&mut left) {
                match self.apply(tx, row, 0) {
                    Ok(written) => done.push((link, Ok(written))),
                    Err(error) if refusal(&error).is_some() => {
                        refused.push((link, row, Some(error)));
                    }
                    Err(error) => return Err(error),
                }
            }
            refused.reverse();
            left = refused;
            if left.len() == tried {
                break;
            }
        }
        let refused = left
            .into_iter()
            .filter_map(|(link, _, error)| Some((link, Err(error?))));
        done.extend(refused);
        self.finish(tx, &ids, done)
    }

    /// Does it with one object. A check takes back each part, so that what earlier ones deleted is
    /// there again and may refer to the object.
    fn apply(&self, tx: &mut WriteTx<'_>, row: &ObjectRow, depth: usize) -> Done {
        match self.apply_once(tx, row) {
            Err(error) if refusal(&error).is_some() && self.delete_again(tx, row, depth)? => {
                self.apply_once(tx, row)
            }
            done => done,
        }
    }

    /// Deletes again, in a check, what refers to an object. Returns whether all of it was deleted by
    /// earlier parts.
    fn delete_again(
        &self,
        tx: &mut WriteTx<'_>,
        row: &ObjectRow,
        depth: usize,
    ) -> Result<bool, Error> {
        let deletes = self.pass.bound.missing == Missing::Delete;
        if self.pass.keys.is_none() || !deletes || depth == MOST_DEEP {
            return Ok(false);
        }
        let target = BTreeSet::from([row.public_id]);
        let referrers = tx.last_referrers(&target, self.again.get())?;
        let ids = referrers.found.iter().map(|referrer| referrer.id);
        let ids: Vec<ObjectId> = ids.filter(|id| *id != row.public_id).collect();
        let is_earlier = ids.iter().all(|id| id.get() >= self.pass.end());
        if referrers.may_be_more || ids.is_empty() || !is_earlier {
            return Ok(false);
        }
        let links = tx.source_links_of(self.pass.bound.id, &ids)?;
        let rows = objects(tx, self.access, ids.clone(), &mut Room::new(MOST_CHANGED))?;
        let all_missing = links.iter().all(|link| !self.pass.sees(link));
        if !all_missing || links.len() < ids.len() || rows.len() < ids.len() {
            return Ok(false);
        }
        self.again.set(self.again.get().saturating_sub(ids.len()));
        for row in &rows {
            match self.apply(tx, row, depth + 1) {
                Err(error) if refusal(&error).is_some() => return Ok(false),
                done => done?,
            };
        }
        Ok(true)
    }

    fn apply_once(&self, tx: &mut WriteTx<'_>, row: &ObjectRow) -> Done {
        if row.type_id != self.pass.type_id {
            let detail = format!("object {} is of another type now", row.public_id);
            return Err(Error::invalid("", detail));
        }
        match (self.pass.bound.missing, &self.permits.delete) {
            (Missing::Delete, Some(permit)) => {
                delete::remove(permit, tx, row, References::Protect)?;
                Ok(Some(Revisions(row.revision, row.revision.next())))
            }
            (Missing::Deactivate, _) => {
                let after = state::set(tx, self.access, row, false)?.revision;
                let is_changed = after != row.revision;
                Ok(is_changed.then_some(Revisions(row.revision, after)))
            }
            _ => Ok(None),
        }
    }

    /// Writes the links.
    fn finish(
        &self,
        tx: &mut WriteTx<'_>,
        ids: &[ObjectId],
        done: Vec<(SourceLink, Done)>,
    ) -> Result<Vec<RowResult>, Error> {
        let source = self.pass.bound.id;
        let (mut row_results, mut links) = (Vec::new(), Vec::new());
        for (before, done) in done {
            let (written, problem) = match done {
                Ok(written) => (written, None),
                Err(error) => match refusal(&error) {
                    Some(detail) => (None, Some(detail)),
                    None => return Err(error),
                },
            };
            let after = self.link(tx.context().now, &before, written.is_some());
            let status = if problem.is_some() {
                RowStatus::Kept
            } else {
                RowStatus::Missing
            };
            row_results.push(RowResult {
                object: Some(before.object),
                written,
                problems: problem.map(RowProblem::of_row).into_iter().collect(),
                link: Some(LinkChange::new(
                    std::slice::from_ref(&before),
                    after.as_ref(),
                )),
                ..RowResult::new(status)
            });
            links.extend(after);
        }
        tx.replace_source_links(source, ids, &links)?;
        Ok(row_results)
    }

    /// The link of a missing record; `None` if its object was deleted.
    fn link(&self, now: Timestamp, before: &SourceLink, is_changed: bool) -> Option<SourceLink> {
        let missing = self.pass.bound.missing;
        if missing == Missing::Delete && is_changed {
            return None;
        }
        let since = before.missing_since.unwrap_or(now);
        Some(SourceLink {
            import: self.pass.import.id.get(),
            missing_since: match missing {
                Missing::Keep => before.missing_since,
                _ => Some(since),
            },
            is_deactivated: before.is_deactivated || (missing == Missing::Deactivate && is_changed),
            ..before.clone()
        })
    }
}

/// Why an object stays as it is; `None` if the transaction failed.
fn refusal(error: &Error) -> Option<String> {
    error.is_refusal().then(|| error.to_string())
}
