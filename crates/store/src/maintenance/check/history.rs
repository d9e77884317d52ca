//! The history: the revisions of a record have no gaps but those of retention, the newest one is the
//! record's own, or its delete, and what the record was before each can be read.

use std::collections::HashMap;

use super::Checker;
use super::images::{Images, State};
use super::objects::Chunk;
use super::report::Kind;
use crate::Error;
use crate::engine::driver::{Driver, Row};
use crate::records::history::retention;
use crate::records::instance;
use crate::resource::Resource;
use crate::transaction::Action;

// The newest change of a record comes first, because images are read backwards, and with it the
// document of an object. The order is that of an index, so that no images are sorted.
const SELECT_CHANGES: &str = "SELECT change.record_id, change.resource, change.name, change.revision, change.action, change.image, object.doc, change.at \
     FROM change LEFT JOIN object ON object.public_id = change.record_id AND change.resource = 'object' AND object.revision = change.revision \
     WHERE change.record_id > ?1 AND change.record_id <= ?2 \
     ORDER BY change.record_id DESC, change.resource DESC, change.name DESC, change.revision DESC";

/// Records other than objects, by resource, id and name.
#[derive(Default)]
pub(super) struct Revisions(HashMap<(&'static str, i64, String), Newest>);

/// What a record is now.
pub(super) struct Newest {
    pub(super) revision: i64,
    pub(super) document: String,
}

/// The history of one record, as far as it was read.
struct Walk {
    resource: String,
    id: i64,
    name: String,
    /// The revision of the record, if it exists.
    stored: Option<i64>,
    newest: i64,
    ends_with_delete: bool,
    oldest: i64,
    gaps: Vec<i64>,
    /// Whether retention may have removed the changes before the oldest one that was read.
    may_have_gap: bool,
    images: Images,
}

/// What the walks through a chunk find.
struct Walks<'c> {
    revisions: &'c mut Revisions,
    chunk: &'c mut Chunk,
    report: &'c mut super::CheckReport,
    highest: HashMap<Resource, i64>,
    current: Option<Walk>,
    /// The time before which retention has removed changes.
    removed_before: i64,
}

impl Revisions {
    pub(super) fn expect(&mut self, resource: Resource, id: i64, name: String, newest: Newest) {
        self.0.insert((resource.as_str(), id, name), newest);
    }
}

impl Checker<'_> {
    /// Checks the history of all records whose ids are in the range of a chunk of objects.
    pub(super) fn check_history(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let params = [chunk.after.into(), chunk.last.into()];
        let removed_before = removed_before(self.driver)?;
        let mut walks = Walks {
            revisions: &mut self.revisions,
            chunk,
            report: &mut self.report,
            highest: HashMap::new(),
            current: None,
            removed_before,
        };
        self.driver
            .query(SELECT_CHANGES, &params, &mut |row| walks.add(row))?;
        walks.finish();
        for (resource, id) in walks.highest {
            self.record_seen_id(resource, id);
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

impl Walks<'_> {
    fn add(&mut self, row: &dyn Row) -> Result<(), Error> {
        self.report.changes += 1;
        let (id, resource, name) = (row.int(0)?, row.text(1)?, row.text(2)?);
        let (revision, action) = (row.int(3)?, row.text(4)?);
        let is_same = self
            .current
            .as_ref()
            .is_some_and(|walk| walk.id == id && walk.resource == resource && walk.name == name);
        if !is_same {
            self.finish();
            let is_delete = action == Action::Delete.as_str();
            let now = self.now(resource, id, name, row.opt_text(6)?);
            self.current = Some(Walk::new((resource, id, name), now, revision, is_delete));
        }
        let may_have_gap = row.int(7)? < self.removed_before;
        match &mut self.current {
            Some(walk) => walk.add(revision, action, may_have_gap, row),
            None => Ok(()),
        }
    }

    /// What a record is now, once.
    fn now(
        &mut self,
        resource: &str,
        id: i64,
        name: &str,
        document: Option<&str>,
    ) -> Option<Newest> {
        if resource == Resource::Object.as_str() {
            let document = document.unwrap_or_default().to_owned();
            let stored = self.chunk.take_revision(id)?;
            return Some(Newest {
                revision: stored,
                document,
            });
        }
        let known = Resource::from_name(resource)?;
        let key = (known.as_str(), id, name.to_owned());
        self.revisions.0.remove(&key)
    }

    fn finish(&mut self) {
        let Some(walk) = self.current.take() else {
            return;
        };
        self.record_seen_id(&walk);
        for line in walk.lines() {
            self.report.add(Kind::History, line);
        }
    }

    /// Ids of settings are those of users.
    fn record_seen_id(&mut self, walk: &Walk) {
        let resource = Resource::from_name(&walk.resource);
        let resource = resource.filter(|resource| *resource != Resource::Setting);
        if let Some(resource) = resource
            && walk.id <= crate::records::ids::HIGHEST_JUMP
        {
            let highest = self.highest.entry(resource).or_default();
            *highest = walk.id.max(*highest);
        }
    }
}

impl Walk {
    fn new(
        (resource, id, name): (&str, i64, &str),
        now: Option<Newest>,
        newest: i64,
        ends_with_delete: bool,
    ) -> Self {
        let stored = now.as_ref().map(|now| now.revision);
        let state = match now {
            Some(now) => State::Known(now.document, now.revision),
            None if ends_with_delete => State::Missing,
            None => State::Unknown,
        };
        Self {
            resource: resource.to_owned(),
            id,
            name: name.to_owned(),
            stored,
            newest,
            ends_with_delete,
            oldest: newest + 1,
            gaps: Vec::new(),
            may_have_gap: false,
            images: Images::new(id, state),
        }
    }

    fn add(
        &mut self,
        revision: i64,
        action: &str,
        may_have_gap: bool,
        row: &dyn Row,
    ) -> Result<(), Error> {
        // Retention keeps the first change, so its gap lies before that one.
        let is_of_retention = revision == 1 && self.may_have_gap;
        if revision != self.oldest - 1 && !is_of_retention {
            self.gaps.push(self.oldest);
        }
        self.oldest = revision;
        self.may_have_gap = may_have_gap;
        self.images.step(revision, action, row.opt_bytes(5)?);
        Ok(())
    }

    /// All that is wrong.
    fn lines(&self) -> Vec<String> {
        let label = record(&self.resource, self.id, &self.name);
        if Resource::from_name(&self.resource).is_none() {
            return vec![format!("{label}: no such resource")];
        }
        let before_first = (self.oldest != 1).then_some(&self.oldest);
        let gaps = self.gaps.iter().chain(before_first).map(|revision| {
            format!("{label}: revisions before {revision} are missing from its history")
        });
        let unreadable = self.images.unreadable.iter().map(|revision| {
            format!("{label}: what it was before revision {revision} cannot be read")
        });
        gaps.chain(unreadable).chain(self.end(&label)).collect()
    }

    /// Whether the history leads to what is stored.
    fn end(&self, label: &str) -> Option<String> {
        let newest = self.newest;
        match self.stored {
            Some(stored) if stored != newest => Some(format!(
                "{label}: its revision is {stored}, the newest in its history is {newest}"
            )),
            Some(_) if self.ends_with_delete => {
                Some(format!("{label}: its history ends with a delete"))
            }
            None if !self.ends_with_delete => {
                Some(format!("{label}: it is missing, and was never deleted"))
            }
            _ => None,
        }
    }
}

fn record(resource: &str, id: i64, name: &str) -> String {
    if name.is_empty() {
        format!("{resource} {id}")
    } else {
        format!("{resource} {name} of {id}")
    }
}

fn removed_before(driver: &mut dyn Driver) -> Result<i64, Error> {
    let mut before = i64::MIN;
    let name = [retention::FACT.into()];
    driver.query(instance::SELECT, &name, &mut |row| {
        before = retention::time(row.text(0)?).map_or(before, |time| time.0);
        Ok(())
    })?;
    Ok(before)
}
