//! What is known of all records: their states after each change, and all records at moments.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use stockroom_model::Timestamp;

use crate::change::Kind;

/// Records by their paths.
pub(crate) type Records = BTreeMap<String, Value>;

/// Who writes, when, and in which request.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) actor: i64,
    pub(crate) at: Timestamp,
    /// Unknown for the writes before the test.
    pub(crate) request: Option<String>,
}

/// A change of a record.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) revision: usize,
    pub(crate) action: &'static str,
    pub(crate) context: Context,
}

/// How a record that a request changed is undone: by the restore of a revision, or by a delete.
pub(crate) type Undo = (String, Option<usize>);

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) now: Records,
    /// What each record was after each of its changes; `None` after a delete.
    pub(crate) states: BTreeMap<String, Vec<Option<Value>>>,
    /// The changes of each write; those of one write are in the order of their paths.
    pub(crate) writes: Vec<Vec<Change>>,
    /// The records at some times.
    pub(crate) moments: Vec<(Timestamp, Records)>,
}

impl Model {
    /// Notes what a write has changed, also of the record that has `unseen` changes.
    pub(crate) fn note(
        &mut self,
        after: Records,
        kind: Kind,
        unseen: Option<&str>,
        context: &Context,
    ) {
        let paths: BTreeSet<&String> = self.now.keys().chain(after.keys()).collect();
        let mut changes = Vec::new();
        for path in paths {
            let state = after.get(path);
            if self.now.get(path) == state && unseen != Some(path) {
                continue;
            }
            let states = self.states.entry(path.clone()).or_default();
            states.push(state.cloned());
            changes.push(Change {
                path: path.clone(),
                revision: states.len(),
                action: kind.action(state.is_some()),
                context: context.clone(),
            });
        }
        self.now = after;
        self.writes.push(changes);
    }

    pub(crate) fn remember(&mut self, at: Timestamp) {
        self.moments.push((at, self.now.clone()));
    }

    pub(crate) fn changes(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.writes.iter().flatten()
    }

    /// The changes of a record, the oldest first.
    pub(crate) fn changes_of(&self, path: &str) -> Vec<&Change> {
        self.changes()
            .filter(|change| change.path == path)
            .collect()
    }

    /// What a record was after a revision; revision 0 is before its first insert.
    pub(crate) fn state(&self, path: &str, revision: usize) -> Option<&Value> {
        let states = &self.states[path];
        states.get(revision.checked_sub(1)?)?.as_ref()
    }

    /// How a request is undone, and whether that would overwrite later changes.
    pub(crate) fn undone(&self, request: &str) -> (BTreeSet<Undo>, bool) {
        let is_of = |change: &&Change| change.context.request.as_deref() == Some(request);
        let mut revisions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for change in self.changes().filter(is_of) {
            let of_path = revisions.entry(&change.path).or_default();
            of_path.push(change.revision);
        }
        let is_overwritten = revisions
            .iter()
            .any(|(path, revisions)| *revisions.last().unwrap() < self.states[*path].len());
        let undone = revisions.iter().filter_map(|(path, revisions)| {
            let before = revisions[0] - 1;
            if self.state(path, before).is_some() {
                return Some(((*path).to_owned(), Some(before)));
            }
            self.now
                .contains_key(*path)
                .then(|| ((*path).to_owned(), None))
        });
        (undone.collect(), is_overwritten)
    }
}

/// The ids of the records of a kind.
pub(crate) fn ids(records: &Records, folder: &str) -> Vec<i64> {
    let paths = records.keys().filter(|path| is_of(path, folder));
    let mut ids: Vec<i64> = paths.map(|path| id_of(path)).collect();
    ids.sort_unstable();
    ids
}

/// Whether a path is that of a record of a kind, and not of a writer or its group.
pub(crate) fn is_of(path: &str, folder: &str) -> bool {
    let mut parts = path.strip_prefix("/rest/").unwrap().split('/');
    let (kind, id) = (parts.next().unwrap(), parts.next().unwrap());
    if parts.next().is_some() {
        return folder == "settings";
    }
    kind == folder
        && !(kind == "users" && ["1", "2"].contains(&id))
        && !(kind == "groups" && ["1", "2", "3"].contains(&id))
}

/// The id at the end of a path.
pub(crate) fn id_of(path: &str) -> i64 {
    path.rsplit('/').next().unwrap().parse().unwrap_or_default()
}
