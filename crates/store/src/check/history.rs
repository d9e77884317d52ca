//! The history: the revisions of a record have no gaps, and the newest one is the record's own, or
//! its delete.

use std::collections::HashMap;

use super::Checker;
use super::objects::Chunk;
use super::report::Kind;
use crate::Error;
use crate::resource::Resource;

const SELECT_CHANGES: &str = "SELECT record_id, resource, name, revision, action FROM change \
     WHERE record_id > ?1 AND record_id <= ?2 ORDER BY record_id, resource, name, revision";
const DELETE: &str = "delete";

/// The revisions of records other than objects, by resource, id and name.
#[derive(Default)]
pub(super) struct Revisions(HashMap<(&'static str, i64, String), i64>);

/// The history of one record, as far as it was read. What the rows hold of earlier states of the
/// record is to be checked here, row by row in the order of the revisions.
struct Walk {
    resource: String,
    id: i64,
    name: String,
    newest: i64,
    is_deleted: bool,
    gaps: Vec<i64>,
}

impl Revisions {
    pub(super) fn expect(&mut self, resource: Resource, id: i64, name: String, revision: i64) {
        self.0.insert((resource.as_str(), id, name), revision);
    }
}

impl Checker<'_> {
    /// Checks the history of all records whose ids are in the range of a chunk of objects.
    pub(super) fn check_history(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let params = [chunk.after.into(), chunk.last.into()];
        let mut walk: Option<Walk> = None;
        let mut changes = 0;
        let (report, revisions) = (&mut self.report, &mut self.revisions);
        let mut highest: HashMap<Resource, i64> = HashMap::new();
        self.driver.query(SELECT_CHANGES, &params, &mut |row| {
            changes += 1;
            let (id, resource, name) = (row.int(0)?, row.text(1)?, row.text(2)?);
            let is_same = walk.as_ref().is_some_and(|walk| {
                walk.id == id && walk.resource == resource && walk.name == name
            });
            if !is_same && let Some(walk) = walk.take() {
                finish(walk, revisions, chunk, &mut highest, report);
            }
            let walk = walk.get_or_insert_with(|| Walk {
                resource: resource.to_owned(),
                id,
                name: name.to_owned(),
                newest: 0,
                is_deleted: false,
                gaps: Vec::new(),
            });
            walk.add(row.int(3)?, row.text(4)? == DELETE);
            Ok(())
        })?;
        if let Some(walk) = walk {
            finish(walk, revisions, chunk, &mut highest, report);
        }
        report.changes += changes;
        for (resource, id) in highest {
            self.note_id(resource, id);
        }
        Ok(())
    }

    /// Reports records other than objects that have no history, at the end of all chunks.
    pub(super) fn report_without_history(&mut self) {
        let mut left: Vec<_> = std::mem::take(&mut self.revisions.0).into_keys().collect();
        left.sort();
        for (resource, id, name) in left {
            let line = format!("{}: it has no history", record(resource, id, &name));
            self.report.add(Kind::History, line);
        }
    }
}

impl Walk {
    fn add(&mut self, revision: i64, is_deleted: bool) {
        if revision != self.newest + 1 {
            self.gaps.push(revision);
        }
        self.newest = revision;
        self.is_deleted = is_deleted;
    }
}

fn finish(
    walk: Walk,
    revisions: &mut Revisions,
    chunk: &mut Chunk,
    highest: &mut HashMap<Resource, i64>,
    report: &mut super::CheckReport,
) {
    let label = record(&walk.resource, walk.id, &walk.name);
    for revision in walk.gaps {
        let line = format!("{label}: revisions before {revision} are missing from its history");
        report.add(Kind::History, line);
    }
    let Some(resource) = Resource::ALL
        .into_iter()
        .find(|known| known.as_str() == walk.resource)
    else {
        return report.add(Kind::History, format!("{label}: no such resource"));
    };
    // Ids of settings are those of users.
    if resource != Resource::Setting && walk.id <= crate::ids::HIGHEST_JUMP {
        let highest = highest.entry(resource).or_default();
        *highest = walk.id.max(*highest);
    }
    let stored = if resource == Resource::Object {
        chunk.take_revision(walk.id)
    } else {
        revisions.0.remove(&(resource.as_str(), walk.id, walk.name))
    };
    let (newest, is_deleted) = (walk.newest, walk.is_deleted);
    let line = match stored {
        Some(stored) if stored != newest => {
            format!("{label}: its revision is {stored}, the newest in its history is {newest}")
        }
        Some(_) if is_deleted => format!("{label}: its history ends with a delete"),
        None if !is_deleted => format!("{label}: it is missing, and was never deleted"),
        _ => return,
    };
    report.add(Kind::History, line);
}

fn record(resource: &str, id: i64, name: &str) -> String {
    if name.is_empty() {
        format!("{resource} {id}")
    } else {
        format!("{resource} {name} of {id}")
    }
}
