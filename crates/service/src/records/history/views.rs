//! Changes of views and sources, whose documents say who sees them. A view may have been private
//! before it was shared, so a change is shown only to callers who see the record now, and who see it
//! both before and after the change.

use std::collections::{BTreeSet, HashMap, HashSet};

use stockroom_model::json::Value;
use stockroom_model::{Revision, Source, View};
use stockroom_store::{Action, Catalog, HistoryEntry, Past, ReadTx, RecordKey, Resource};

use super::visibility::HistoryScope;
use crate::{Error, view};

/// The records and revisions of changes.
pub(super) type Changes = HashSet<(RecordKey, i64)>;

/// Whether a document says who sees it.
pub(super) const fn has_audience(resource: Resource) -> bool {
    matches!(resource, Resource::View | Resource::Source)
}

impl HistoryScope {
    /// The changes of views and sources among these that the caller may see.
    pub(super) fn visible_changes(
        &self,
        tx: &mut ReadTx<'_>,
        entries: &[HistoryEntry],
    ) -> Result<Changes, Error> {
        let mut revisions: HashMap<RecordKey, BTreeSet<i64>> = HashMap::new();
        for entry in entries {
            let record = &entry.record;
            if has_audience(record.resource) && self.check_resource(record).is_ok() {
                let of = revisions.entry(record.clone()).or_default();
                of.insert(entry.revision.0);
            }
        }
        let mut visible = Changes::new();
        for (record, revisions) in revisions {
            if !self.sees_state_now(tx, &record)? {
                continue;
            }
            for (oldest, newest) in runs(revisions) {
                let states = self.visible_states(tx, &record, oldest, newest)?;
                let sees = |revision| states.get(&revision).copied().unwrap_or_default();
                let shown = (oldest..=newest).filter(|to| sees(*to) && sees(to - 1));
                visible.extend(shown.map(|to| (record.clone(), to)));
            }
        }
        Ok(visible)
    }

    /// The states of a record by revision, with whether the caller may see them.
    fn visible_states(
        &self,
        tx: &mut ReadTx<'_>,
        record: &RecordKey,
        oldest: i64,
        newest: i64,
    ) -> Result<HashMap<i64, bool>, Error> {
        let catalog = tx.catalog();
        let mut states = HashMap::new();
        tx.states_of(record, Revision(oldest), Revision(newest), |of, past| {
            let sees = match past {
                Past::Document { document, .. } => {
                    self.sees_state(catalog, record.resource, serde_json::from_str(document)?)?
                }
                Past::Missing => true,
                Past::Unknown { .. } => false,
            };
            states.insert(of.0, sees);
            Ok(())
        })?;
        Ok(states)
    }

    fn sees_state(
        &self,
        catalog: &Catalog,
        resource: Resource,
        state: Value,
    ) -> Result<bool, stockroom_store::Error> {
        if resource == Resource::Source {
            let source: Source = serde_json::from_value(state)?;
            return Ok(self.sees_type(catalog, Some(source.type_id)));
        }
        let view: View = serde_json::from_value(state)?;
        let type_id = view.type_id;
        let sees_type = type_id.is_none() || self.sees_type(catalog, type_id);
        Ok(view::is_for(&self.access, &view) && sees_type)
    }

    /// Whether the caller sees a record, or would see it if it had not been deleted.
    fn sees_state_now(&self, tx: &mut ReadTx<'_>, record: &RecordKey) -> Result<bool, Error> {
        let Some(newest) = tx.newest_change_of(record)? else {
            return Ok(false);
        };
        let last = match newest.action {
            Action::Delete => Revision(newest.revision.0 - 1),
            _ => newest.revision,
        };
        let Past::Document { document, .. } = tx.record_at_revision(record, last)? else {
            return Ok(false);
        };
        let state = serde_json::from_str(&document).map_err(Error::internal)?;
        Ok(self.sees_state(tx.catalog(), record.resource, state)?)
    }

    /// Checks that the caller sees a record. Else it seems that there never was one.
    pub(super) fn check_state_now(
        &self,
        tx: &mut ReadTx<'_>,
        record: &RecordKey,
    ) -> Result<(), Error> {
        if self.sees_state_now(tx, record)? {
            return Ok(());
        }
        Err(Error::NotFound(format!(
            "there never was a {} {}",
            record.resource.as_str(),
            record.id
        )))
    }

    /// Checks that the caller may see an earlier state of a record, if its document says who may.
    pub(super) fn check_state(
        &self,
        tx: &ReadTx<'_>,
        record: &RecordKey,
        revision: Revision,
        state: &Value,
    ) -> Result<(), Error> {
        let resource = record.resource;
        if !has_audience(resource) || self.sees_state(tx.catalog(), resource, state.clone())? {
            return Ok(());
        }
        Err(Error::NotFound(format!(
            "the {} {} was not visible to you at revision {}",
            resource.as_str(),
            record.id,
            revision.0
        )))
    }
}

/// The first and last numbers of the runs without gaps.
fn runs(numbers: BTreeSet<i64>) -> Vec<(i64, i64)> {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    runs
}
