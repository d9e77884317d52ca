//! The writes of one commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stockroom_fair::Turn;

use super::room::Room;
use super::task::{Undone, WriteTask};
use crate::Error;
use crate::engine::disk::ReserveUse;
use crate::engine::driver::Driver;
use crate::records::catalog::Catalog;
use crate::runtime::{Receiver, depth, waited};
use crate::transaction::writers::Writers;
use crate::transaction::{Commit, newest_change};

/// Maximum number of writes in one commit.
const GROUP_SIZE: usize = 256;
/// How long a group takes up more writes, unless the last commit took longer. A long group means a
/// long pause for reads on the same core, and so do the many answers at its end.
pub(super) const GROUP_TIME: Duration = Duration::from_millis(2);
/// The longest. A commit takes long on a slow disk, and also after large writes: a group of more of
/// them would take even longer, and users with small ones would wait for it.
const MAX_GROUP_TIME: Duration = Duration::from_millis(10);

/// A write, and since when it waits.
type Queued = (Instant, Box<dyn WriteTask>);
/// A write that has its turn.
pub(super) type DequeuedWrite = (Queued, Turn<Queued>);

/// The writes of one commit.
pub(super) struct Group<'w> {
    catalog: Arc<Catalog>,
    writers: &'w Writers,
    room: &'w Room,
    commit: Commit,
    tasks: Vec<Box<dyn WriteTask>>,
    /// They end with the group, so that a batch of a user is not followed by the next one while
    /// others wait.
    turns: Vec<Turn<Queued>>,
    /// How long each of them worked.
    worked: Vec<Duration>,
    /// How long the commit itself took, which waits for the disk.
    committing: Duration,
    /// What a write must at least be allowed to use of the reserve: nothing, while the disk has
    /// room for all.
    admits: ReserveUse,
    /// The least that one of its writes may use.
    least: ReserveUse,
    /// The first write of the next group, if it must not join this one.
    pub(super) postponed: Option<DequeuedWrite>,
    /// How long it takes up more of them; after the commit, the value for the next group.
    pub(super) time_limit: Duration,
    /// The number of its last change, if there was one.
    pub(super) newest_change: Option<i64>,
}

impl<'w> Group<'w> {
    pub(super) fn new(
        catalog: Arc<Catalog>,
        writers: &'w Writers,
        room: &'w Room,
        time_limit: Duration,
    ) -> Self {
        Self {
            catalog,
            writers,
            room,
            commit: Commit::begin(writers, true, false),
            tasks: Vec::new(),
            turns: Vec::new(),
            worked: Vec::new(),
            committing: Duration::ZERO,
            admits: ReserveUse::None,
            least: ReserveUse::All,
            postponed: None,
            time_limit,
            newest_change: None,
        }
    }

    /// Runs the queued writes in one transaction; returns the catalog if it changed.
    pub(super) fn commit(
        &mut self,
        driver: &mut dyn Driver,
        first: DequeuedWrite,
        queue: &Receiver<Box<dyn WriteTask>>,
    ) -> Result<Option<Catalog>, Error> {
        self.room.forget_failures();
        if !self.room.is_for_all(driver) {
            self.admits = ReserveUse::Most;
        }
        let began = Instant::now();
        let mut next = Some(first);
        let mut outcome = driver.execute("BEGIN IMMEDIATE", &[]).map(drop);
        while let Some(((since, task), turn)) = next {
            waited("write", since);
            let is_open = task.is_open();
            self.tasks.push(task);
            self.turns.push(turn);
            self.worked.push(Duration::ZERO);
            let last = self.tasks.len() - 1;
            outcome = outcome.and_then(|()| self.run_one(driver, last));
            next = if outcome.is_ok() && self.takes_more(began) && !is_open {
                // A long write gets a group of its own: those of others would wait for it as well.
                queue.try_next(MAX_GROUP_TIME)
            } else {
                None
            };
            // The writes so far must not wait for it.
            self.postponed = next.take_if(|((_, task), _)| task.is_open());
        }
        metrics::histogram!("stockroom_store_group_size").record(depth(self.tasks.len()));
        outcome?;
        self.finish(driver)
    }

    /// Runs the same writes again after they were undone, or those of them that may use so much of
    /// the reserve.
    pub(super) fn commit_again(
        &mut self,
        driver: &mut dyn Driver,
        admits: ReserveUse,
    ) -> Result<Option<Catalog>, Error> {
        self.commit = Commit::begin(self.writers, true, true);
        (self.admits, self.least) = (admits, ReserveUse::All);
        self.newest_change = None;
        self.room.forget_failures();
        driver.execute("BEGIN IMMEDIATE", &[])?;
        for number in 0..self.tasks.len() {
            self.run_one(driver, number)?;
        }
        self.finish(driver)
    }

    /// Charges the users the time that the group took, in proportion to the work of their writes:
    /// what is written at its end, such as the rows of an index, is theirs, too. The commit is not:
    /// on a slow disk each write would be a long one, and none would share a commit.
    pub(super) fn charge(&self, took: Duration) {
        let took = took.saturating_sub(self.committing);
        let all: Duration = self.worked.iter().sum();
        let all = all.max(Duration::from_nanos(1));
        for (turn, worked) in self.turns.iter().zip(&self.worked) {
            turn.charge(took.mul_f64(worked.div_duration_f64(all)));
        }
    }

    /// Lets the user of a long transaction rest, because other writes wait.
    pub(super) fn rest(&mut self, held: Duration) {
        self.tasks.iter_mut().for_each(|task| task.rest(held));
    }

    /// Answers the callers; `undone` says why the commit failed.
    pub(super) fn answer(self, undone: Option<&Undone>) {
        drop(self.turns);
        for task in self.tasks {
            task.finish(undone);
        }
    }

    /// Whether it committed a write that needed room beside the reserve.
    pub(super) fn proves_room(&self) -> bool {
        self.least == ReserveUse::None && self.newest_change.is_some()
    }

    /// What a write must at least be allowed to use of the reserve.
    pub(super) fn admits(&self) -> ReserveUse {
        self.admits
    }

    /// Whether it committed a write that removed secrets.
    pub(super) fn erases(&self) -> bool {
        self.commit.erases
    }

    pub(super) fn log_if_slow(&self, took: Duration) {
        self.commit.log_if_slow(took);
    }

    fn finish(&mut self, driver: &mut dyn Driver) -> Result<Option<Catalog>, Error> {
        let counted = self.commit.flush(driver, self.writers)?;
        // Loaded before the commit: afterwards a failure could no longer undo it.
        let changed = self.commit.changed_catalog(driver, &self.catalog)?;
        if !self.commit.touched.is_empty() {
            self.newest_change = Some(newest_change(driver)?);
        }
        self.room.check(driver, self.least)?;
        let began = Instant::now();
        self.writers.commit(&counted, || {
            driver.execute("COMMIT", &[])?;
            if let Some(change) = self.newest_change {
                self.writers
                    .pages()
                    .advance(change, self.commit.moves(&counted));
            }
            Ok(())
        })?;
        // On a slow disk, more writes must share a commit.
        self.committing = began.elapsed();
        self.time_limit = self.committing.clamp(GROUP_TIME, MAX_GROUP_TIME);
        Ok(changed)
    }

    /// Whether another write may join the commit. A write that changes the catalog ends its group,
    /// because the next write must be checked against the new rights.
    fn takes_more(&self, began: Instant) -> bool {
        self.tasks.len() < GROUP_SIZE
            && began.elapsed() < self.time_limit
            && !self.commit.changes_catalog()
    }

    /// Runs one write in a savepoint, so that its failure undoes only this write.
    fn run_one(&mut self, driver: &mut dyn Driver, number: usize) -> Result<(), Error> {
        let Some(task) = self.tasks.get_mut(number) else {
            return Ok(());
        };
        if !task.is_wanted() {
            return Ok(());
        }
        if task.reserve() < self.admits {
            task.refuse();
            return Ok(());
        }
        let began = Instant::now();
        driver.execute("SAVEPOINT task", &[])?;
        let savepoint = self.commit.savepoint();
        let keep = catch_unwind(AssertUnwindSafe(|| {
            task.run(driver, &self.catalog, self.writers, &mut self.commit)
        }));
        self.room.check_statements()?;
        if matches!(keep, Ok(true)) {
            self.least = self.least.min(task.reserve());
        } else {
            driver.execute("ROLLBACK TO task", &[])?;
            self.commit.undo(savepoint);
        }
        driver.execute("RELEASE task", &[])?;
        if let Some(worked) = self.worked.get_mut(number) {
            *worked += began.elapsed();
        }
        Ok(())
    }
}
