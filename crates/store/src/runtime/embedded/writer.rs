//! The writer thread, which commits all queued writes together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use stockroom_fair::Next;

use super::task::{Undone, WriteTask};
use crate::Error;
use crate::anchor::Anchor;
use crate::catalog::Catalog;
use crate::checkpoint::Checkpoints;
use crate::directory::HighWater;
use crate::disk::{Disk, REWRITE_ANY};
use crate::driver::Driver;
use crate::runtime::priority::{Priority, let_others_go_first};
use crate::runtime::{Queue, depth, waited};
use crate::transaction::{Commit, newest_change};
use crate::writers::Writers;

/// Maximum number of writes in one commit.
const GROUP_SIZE: usize = 256;
/// How long a group takes up more writes, unless the last commit took longer. A long group means a
/// long pause for reads on the same core, and so do the many answers at its end.
const GROUP_TIME: Duration = Duration::from_millis(2);

/// How often a full disk is probed.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// The state of the writer thread.
pub(crate) struct Writer {
    pub(crate) driver: Box<dyn Driver + Send>,
    pub(crate) anchor: Anchor,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) high_water: HighWater,
    pub(crate) disk: Arc<Disk>,
    pub(crate) writers: Arc<Writers>,
}

impl Writer {
    pub(super) fn run(mut self, queue: &Queue<Box<dyn WriteTask>>, catalog: &ArcSwap<Catalog>) {
        Priority::Lower.apply();
        self.anchor.hold();
        let mut time_limit = GROUP_TIME;
        let mut postponed = None;
        while let Some(first) = postponed.take().or_else(|| self.next(queue)) {
            self.anchor.release();
            let mut group = Group {
                catalog: catalog.load_full(),
                commit: Commit::begin(&self.writers, true, false),
                writers: &self.writers,
                tasks: Vec::new(),
                postponed: None,
                time_limit,
                newest_change: None,
            };
            let began = Instant::now();
            let outcome = group.commit(self.driver.as_mut(), first, queue);
            group.commit.log_if_slow(began.elapsed());
            let undone = match outcome {
                // Published before the commit is acknowledged.
                Ok(changed) => {
                    if let Some(changed) = changed {
                        catalog.store(Arc::new(changed));
                    }
                    self.committed(group.newest_change);
                    None
                }
                Err(error) => {
                    tracing::error!(%error, "a commit failed");
                    let _ = self.driver.script("ROLLBACK");
                    Some(Undone {
                        reason: error.to_string(),
                        // After a full disk, the error itself may be a later one, such as of the
                        // rollback.
                        is_disk_full: self.disk.is_full(),
                    })
                }
            };
            time_limit = group.time_limit;
            postponed = group.postponed;
            self.anchor.hold();
            for task in group.tasks {
                task.finish(undone.as_ref());
                // Many answers at once would hold up reads.
                let_others_go_first();
            }
            self.checkpoints
                .restart_long_log(self.driver.as_mut(), &mut self.anchor);
        }
        self.end();
    }

    /// The next write. While the disk is full and no write comes, probes it every second.
    fn next(&mut self, queue: &Queue<Box<dyn WriteTask>>) -> Option<(Instant, Box<dyn WriteTask>)> {
        loop {
            let probe_at = self.disk.is_full().then(|| Instant::now() + PROBE_INTERVAL);
            match queue.next(probe_at) {
                Next::Work(write, _) => return Some(write),
                Next::Timeout => self.probe(),
                Next::Closed => return None,
            }
        }
    }

    fn probe(&mut self) {
        self.anchor.release();
        let written = self
            .driver
            .execute("BEGIN IMMEDIATE", &[])
            .and_then(|_| self.driver.execute(REWRITE_ANY, &[]))
            .and_then(|_| self.driver.execute("COMMIT", &[]));
        match written {
            Ok(_) => self.disk.note_written(),
            Err(_) => _ = self.driver.script("ROLLBACK"),
        }
        self.anchor.hold();
    }

    /// Called before the commit is acknowledged.
    fn committed(&self, newest_change: Option<i64>) {
        let Some(change) = newest_change else {
            return;
        };
        self.disk.note_written();
        if let Err(error) = self.high_water.record(change) {
            tracing::warn!(%error, "the newest change could not be recorded");
        }
    }

    /// Empties the log into the database file, so that a copy of the file is complete.
    fn end(mut self) {
        self.anchor.release();
        self.checkpoints.end();
        if let Err(error) = self.driver.script("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::error!(%error, "the log could not be emptied; keep it beside the database");
        }
    }
}

/// The writes of one commit.
struct Group<'w> {
    catalog: Arc<Catalog>,
    writers: &'w Writers,
    commit: Commit,
    tasks: Vec<Box<dyn WriteTask>>,
    /// The first write of the next group, if it must not join this one.
    postponed: Option<(Instant, Box<dyn WriteTask>)>,
    /// How long it takes up more of them; after the commit, the value for the next group.
    time_limit: Duration,
    /// The number of its last change, if there was one.
    newest_change: Option<i64>,
}

impl Group<'_> {
    /// Runs the queued writes in one transaction; returns the catalog if it changed.
    fn commit(
        &mut self,
        driver: &mut dyn Driver,
        first: (Instant, Box<dyn WriteTask>),
        queue: &Queue<Box<dyn WriteTask>>,
    ) -> Result<Option<Catalog>, Error> {
        driver.execute("BEGIN IMMEDIATE", &[])?;
        let began = Instant::now();
        let mut next = Some(first);
        while let Some((since, task)) = next {
            waited("write", since);
            let is_open = task.is_open();
            self.run_one(driver, task)?;
            next = if self.takes_more(began) && !is_open {
                queue.try_next().map(|(write, _)| write)
            } else {
                None
            };
            // The writes so far must not wait for it.
            self.postponed = next.take_if(|(_, task)| task.is_open());
        }
        metrics::histogram!("stockroom_store_group_size").record(depth(self.tasks.len()));
        let counted = self.commit.flush(driver, self.writers)?;
        // Loaded before the commit: afterwards a failure could no longer undo it.
        let changed = self.commit.changed_catalog(driver, &self.catalog)?;
        if !self.commit.touched.is_empty() {
            self.newest_change = Some(newest_change(driver)?);
        }
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
        self.time_limit = GROUP_TIME.max(began.elapsed());
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
    fn run_one(
        &mut self,
        driver: &mut dyn Driver,
        mut task: Box<dyn WriteTask>,
    ) -> Result<(), Error> {
        if !task.is_wanted() {
            return Ok(());
        }
        driver.execute("SAVEPOINT task", &[])?;
        let savepoint = self.commit.savepoint();
        let keep = catch_unwind(AssertUnwindSafe(|| {
            task.run(driver, &self.catalog, self.writers, &mut self.commit)
        }));
        if !matches!(keep, Ok(true)) {
            driver.execute("ROLLBACK TO task", &[])?;
            self.commit.undo(savepoint);
        }
        self.tasks.push(task);
        driver.execute("RELEASE task", &[])?;
        Ok(())
    }
}
