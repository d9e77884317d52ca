//! What the writes of a commit change, and who holds what meanwhile.

use std::collections::HashMap;

use stockroom_model::ObjectId;

use super::{Held, UniqueRow};
use crate::records::pending::Step;
use crate::records::pending::log::{Log, LogSavepoint};

/// Rows that a commit inserts and deletes.
#[derive(Debug, Default)]
pub(crate) struct UniqueChanges {
    steps: Log<(UniqueRow, Step)>,
    /// Who holds what after these steps, as far as it was looked up.
    holders: HashMap<Held, Option<ObjectId>>,
    /// The steps from this one on belong to the running write.
    write_start: usize,
}

impl UniqueChanges {
    /// Replaces the rows of an object.
    pub(crate) fn replace(&mut self, old: &[UniqueRow], new: &[UniqueRow]) {
        for row in old.iter().filter(|row| !new.contains(row)) {
            self.step(*row, Step::Delete);
        }
        for row in new.iter().filter(|row| !old.contains(row)) {
            self.step(*row, Step::Insert);
        }
    }

    fn step(&mut self, row: UniqueRow, step: Step) {
        self.steps.push((row, step));
        let holder = self.holders.get_mut(&row.held());
        match (step, holder) {
            (Step::Insert, _) => _ = self.holders.insert(row.held(), Some(row.object_id)),
            (Step::Delete, Some(holder)) if *holder == Some(row.object_id) => *holder = None,
            (Step::Delete, Some(_)) => {}
            // Without its row, nobody holds it.
            (Step::Delete, None) => _ = self.holders.insert(row.held(), None),
        }
    }

    pub(crate) fn savepoint(&mut self) -> LogSavepoint {
        self.holders.clear();
        self.write_start = self.steps.all().len();
        self.steps.savepoint()
    }

    pub(crate) fn undo(&mut self, savepoint: LogSavepoint) {
        self.holders.clear();
        self.steps.undo(savepoint);
    }

    /// Of what is to be known, the part that is not.
    pub(crate) fn unknown(&self, wanted: impl Iterator<Item = Held>) -> Vec<Held> {
        wanted
            .filter(|held| !self.holders.contains_key(held))
            .collect()
    }

    /// Takes note of who holds what.
    pub(crate) fn learn(&mut self, known: impl Iterator<Item = (Held, Option<ObjectId>)>) {
        self.holders.extend(known);
    }

    /// The first row that another object is known to hold, and that object.
    pub(crate) fn held_by_another(&self, rows: &[UniqueRow]) -> Option<(UniqueRow, ObjectId)> {
        rows.iter().find_map(|row| {
            let holder = self.holders.get(&row.held()).copied().flatten()?;
            (holder != row.object_id).then_some((*row, holder))
        })
    }

    /// Whether the running write gave an object what it holds.
    pub(crate) fn gave(&self, row: &UniqueRow) -> bool {
        let steps = self.steps.all().get(self.write_start..);
        let mut steps = steps.unwrap_or_default().iter();
        steps.any(|(given, step)| given == row && *step == Step::Insert)
    }

    /// The rows to delete and those to insert, which are then taken for written. Each are in their
    /// order: two commits then rarely wait for each other in a circle.
    pub(crate) fn take_unwritten(&mut self) -> (Vec<UniqueRow>, Vec<UniqueRow>) {
        let mut last: HashMap<UniqueRow, Step> = HashMap::new();
        last.extend(self.steps.unwritten().iter().copied());
        self.steps.set_written();
        let with = |wanted: Step| {
            let rows = last.iter().filter(|(_, step)| **step == wanted);
            let mut rows: Vec<UniqueRow> = rows.map(|(row, _)| *row).collect();
            rows.sort_unstable();
            rows
        };
        (with(Step::Delete), with(Step::Insert))
    }
}
