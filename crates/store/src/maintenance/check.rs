//! Checks a database for damage, and rebuilds what is derived from documents.
//!
//! Tables are walked in the order of their keys, objects in chunks: memory does not grow with their
//! number. See `docs/design/checking.md`.

mod history;
mod images;
mod index;
mod objects;
mod records;
mod report;
mod search;
mod unique;

use std::collections::HashMap;

use stockroom_model::TypeId;

pub use self::report::{CheckReport, Finding, FindingKind};

use self::history::Revisions;
use self::report::Kind;
use crate::engine::counters::{self, ByType};
use crate::engine::driver::{Dialect, Driver};
use crate::engine::migrate::{self, name_keys};
use crate::engine::sequence::UPSERT_NEXT;
use crate::maintenance::offline;
use crate::records::ids::HIGHEST_JUMP;
use crate::records::object::index::Layout;
use crate::records::pending::ADD_COUNTS;
use crate::records::unique::TypeRule;
use crate::resource::Resource;
use crate::{Error, Location};

const ENGINE_CHECK: &str = "PRAGMA integrity_check(100)";
const SELECT_NEXT: &str = "SELECT resource, next_id FROM sequence ORDER BY resource";
const DELETE_COUNTS: &str = "DELETE FROM object_count";

/// Checks a database in one snapshot, while servers may use it.
///
/// # Errors
///
/// There is no database of this release, or it cannot be read.
pub fn check(location: &Location) -> Result<CheckReport, Error> {
    std::thread::scope(|threads| {
        // A connection to a server cannot be used on a thread of asynchronous code.
        let checking = threads.spawn(|| {
            let mut driver = offline::reader(location)?;
            refuse_other_releases(driver.as_mut(), location)?;
            driver.script(offline::begin_snapshot(driver.dialect()))?;
            run(driver.as_mut(), Mode::Check)
        });
        checking.join().unwrap_or(Err(Error::Closed))
    })
}

/// Rebuilds what is derived from documents, in one transaction, and returns what is still wrong.
/// Servers must be stopped.
///
/// # Errors
///
/// As for [`check`]; [`Error::Locked`] if a server uses the directory. Nothing is then changed.
pub fn repair(location: &Location) -> Result<CheckReport, Error> {
    std::thread::scope(|threads| {
        let repairing = threads.spawn(|| {
            // The writer would create what is missing.
            drop(offline::lock(location)?);
            refuse_other_releases(offline::reader(location)?.as_mut(), location)?;
            let (mut driver, _lock) = offline::writer(location)?;
            driver.script(offline::begin_exclusive(driver.dialect()))?;
            // A repair of one thing changes what is found of another.
            let found = run(driver.as_mut(), Mode::Check)?;
            if found.problems() == 0 {
                return Ok(found);
            }
            run(driver.as_mut(), Mode::Repair)?;
            let left = run(driver.as_mut(), Mode::Check)?;
            driver.script("COMMIT")?;
            Ok(left.after_repair(found))
        });
        repairing.join().unwrap_or(Err(Error::Closed))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Check,
    Repair,
}

fn refuse_other_releases(driver: &mut dyn Driver, location: &Location) -> Result<(), Error> {
    if !migrate::has_journal(driver)? {
        return Err(Error::Missing(location.to_string()));
    }
    migrate::check(driver)
}

/// What a check knows of the database.
struct Checker<'d> {
    driver: &'d mut dyn Driver,
    mode: Mode,
    report: CheckReport,
    layouts: HashMap<TypeId, Layout>,
    /// The names of the fields whose values name objects.
    references: HashMap<TypeId, Vec<String>>,
    /// All records but objects.
    revisions: Revisions,
    /// The highest id of each resource that ever was in use.
    highest: HashMap<Resource, i64>,
    counts: ByType,
    /// What is unique among the objects of a type.
    rules: HashMap<TypeId, Vec<TypeRule>>,
    /// Objects that hold other values than their documents have.
    wrong_holders: Vec<i64>,
}

fn run(driver: &mut dyn Driver, mode: Mode) -> Result<CheckReport, Error> {
    let mut checker = Checker {
        driver,
        mode,
        report: CheckReport::default(),
        layouts: HashMap::new(),
        references: HashMap::new(),
        revisions: Revisions::default(),
        highest: HashMap::new(),
        counts: ByType::new(),
        rules: HashMap::new(),
        wrong_holders: Vec::new(),
    };
    checker.check_engine()?;
    checker.check_records()?;
    checker.check_objects()?;
    checker.check_search()?;
    checker.check_counters()?;
    checker.check_sequences()?;
    Ok(checker.report)
}

impl Checker<'_> {
    fn repairs(&self) -> bool {
        self.mode == Mode::Repair
    }

    /// `PostgreSQL` checks pages by checksums while it reads them.
    fn check_engine(&mut self) -> Result<(), Error> {
        if self.driver.dialect() != Dialect::Sqlite {
            return Ok(());
        }
        let report = &mut self.report;
        self.driver.query(ENGINE_CHECK, &[], &mut |row| {
            let line = row.text(0)?;
            if line != "ok" {
                report.add(Kind::Engine, line.to_owned());
            }
            Ok(())
        })
    }

    fn check_counters(&mut self) -> Result<(), Error> {
        let stored = counters::stored(self.driver)?;
        let mut types: Vec<TypeId> = self.counts.keys().chain(stored.keys()).copied().collect();
        types.sort_unstable();
        types.dedup();
        let mut is_wrong = false;
        for type_id in types {
            let of = |counts: &ByType| counts.get(&type_id).copied().unwrap_or_default();
            let (found, expected) = (of(&stored), of(&self.counts));
            if found != expected {
                is_wrong = true;
                let line = format!(
                    "type {type_id}: the counters say {} objects, {} active, {} irregular, and there are {}, {}, {}",
                    found.total,
                    found.active,
                    found.irregular,
                    expected.total,
                    expected.active,
                    expected.irregular
                );
                self.report.add(Kind::Counter, line);
            }
        }
        if is_wrong && self.repairs() {
            self.driver.execute(DELETE_COUNTS, &[])?;
            for (type_id, counts) in &self.counts {
                let row = [
                    type_id.get(),
                    0,
                    counts.total,
                    counts.active,
                    counts.irregular,
                ];
                self.driver.execute(ADD_COUNTS, &row.map(Into::into))?;
            }
        }
        Ok(())
    }

    fn check_sequences(&mut self) -> Result<(), Error> {
        let mut stored = HashMap::new();
        self.driver.query(SELECT_NEXT, &[], &mut |row| {
            stored.insert(row.text(0)?.to_owned(), row.int(1)?);
            Ok(())
        })?;
        for resource in Resource::ALL {
            let highest = self.highest.get(&resource).copied().unwrap_or(0);
            let next = stored.get(resource.as_str()).copied().unwrap_or(1);
            if next > highest {
                continue;
            }
            let name = resource.as_str();
            let line = format!("the next id of {name} is {next}, and {highest} was in use");
            self.report.add(Kind::Sequence, line);
            if self.repairs() {
                let params = [name.into(), (highest + 1).into()];
                self.driver.execute(UPSERT_NEXT, &params)?;
            }
        }
        Ok(())
    }

    /// Ids above the highest jump do not raise the next id.
    fn record_seen_id(&mut self, resource: Resource, id: i64) {
        if id <= HIGHEST_JUMP {
            let highest = self.highest.entry(resource).or_default();
            *highest = id.max(*highest);
        }
    }

    fn refill_name_keys(&mut self) -> Result<(), Error> {
        name_keys::refill(self.driver)
    }
}

#[cfg(test)]
mod tests;
