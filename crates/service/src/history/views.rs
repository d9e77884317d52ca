//! Changes of views. A view may have been private before it was shared, so a change is shown only
//! to callers who see the view now, and who see it both before and after the change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use stockroom_access::permission::ObjectView;
use stockroom_model::json::Value;
use stockroom_model::{Revision, View};
use stockroom_store::{Action, Catalog, HistoryEntry, Past, ReadTx, RecordKey, Resource};

use super::visibility::HistoryScope;
use crate::{Error, view};

/// The ids and revisions of changes.
pub(super) type Changes = HashSet<(i64, i64)>;

impl HistoryScope {
    /// The changes of views among these that the caller may see.
    pub(super) fn visible_views(
        &self,
        tx: &mut ReadTx<'_>,
        entries: &[HistoryEntry],
    ) -> Result<Changes, Error> {
        let mut revisions: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
        if self.access.holds::<ObjectView>() {
            for entry in entries {
                if entry.record.resource == Resource::View {
                    let of = revisions.entry(entry.record.id).or_default();
                    of.insert(entry.revision.0);
                }
            }
        }
        let mut visible = Changes::new();
        for (id, revisions) in revisions {
            if !self.sees_view_now(tx, id)? {
                continue;
            }
            for (oldest, newest) in runs(revisions) {
                let states = self.visible_states(tx, id, oldest, newest)?;
                let sees = |revision| states.get(&revision).copied().unwrap_or_default();
                let shown = (oldest..=newest).filter(|to| sees(*to) && sees(to - 1));
                visible.extend(shown.map(|to| (id, to)));
            }
        }
        Ok(visible)
    }

    /// The states of a view by revision, with whether the caller may see them.
    fn visible_states(
        &self,
        tx: &mut ReadTx<'_>,
        id: i64,
        oldest: i64,
        newest: i64,
    ) -> Result<HashMap<i64, bool>, Error> {
        let catalog = tx.catalog();
        let mut states = HashMap::new();
        let record = RecordKey::new(Resource::View, id);
        tx.states_of(&record, Revision(oldest), Revision(newest), |of, past| {
            let sees = match past {
                Past::Document { document, .. } => {
                    self.sees_view(catalog, &serde_json::from_str(document)?)
                }
                Past::Missing => true,
                Past::Unknown { .. } => false,
            };
            states.insert(of.0, sees);
            Ok(())
        })?;
        Ok(states)
    }

    fn sees_view(&self, catalog: &Catalog, view: &View) -> bool {
        let type_id = view.type_id;
        view::is_for(&self.access, view) && (type_id.is_none() || self.sees_type(catalog, type_id))
    }

    /// Whether the caller sees a view, or would see it if it had not been deleted.
    fn sees_view_now(&self, tx: &mut ReadTx<'_>, id: i64) -> Result<bool, Error> {
        let record = RecordKey::new(Resource::View, id);
        let Some(newest) = tx.newest_change_of(&record)? else {
            return Ok(false);
        };
        let last = match newest.action {
            Action::Delete => Revision(newest.revision.0 - 1),
            _ => newest.revision,
        };
        let Past::Document { document, .. } = tx.record_at_revision(&record, last)? else {
            return Ok(false);
        };
        let view = serde_json::from_str(&document).map_err(Error::internal)?;
        Ok(self.sees_view(tx.catalog(), &view))
    }

    /// Checks that the caller sees a view. Else it seems that there never was one.
    pub(super) fn check_view(&self, tx: &mut ReadTx<'_>, id: i64) -> Result<(), Error> {
        if self.sees_view_now(tx, id)? {
            return Ok(());
        }
        Err(Error::NotFound(format!("there never was a view {id}")))
    }

    /// Checks that the caller may see an earlier state of a record, if that is a view.
    pub(super) fn check_state(
        &self,
        tx: &ReadTx<'_>,
        record: &RecordKey,
        revision: Revision,
        state: &Value,
    ) -> Result<(), Error> {
        if record.resource != Resource::View {
            return Ok(());
        }
        let view: View = serde_json::from_value(state.clone()).map_err(Error::internal)?;
        if self.sees_view(tx.catalog(), &view) {
            return Ok(());
        }
        Err(Error::NotFound(format!(
            "the view {} was not visible to you at revision {}",
            record.id, revision.0
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
