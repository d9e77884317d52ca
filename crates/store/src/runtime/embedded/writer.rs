//! The writer thread, which commits all queued writes together.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use stockroom_fair::Next;

use super::group::{DequeuedWrite, GROUP_TIME, Group};
use super::room::Room;
use super::task::{Undone, WriteTask};
use crate::engine::directory::HighWater;
use crate::engine::disk::ReserveUse;
use crate::engine::driver::Driver;
use crate::engine::pinned_snapshot::PinnedSnapshot;
use crate::engine::priority::Priority;
use crate::records::catalog::Catalog;
use crate::runtime::Receiver;
use crate::runtime::checkpoint::Checkpoints;
use crate::runtime::erasure::Erasure;
use crate::transaction::writers::Writers;

/// How often a full disk is probed.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// The state of the writer thread.
pub(crate) struct Writer {
    pub(crate) driver: Box<dyn Driver + Send>,
    pub(crate) pinned: PinnedSnapshot,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) erasure: Erasure,
    pub(crate) path: Arc<Path>,
    pub(crate) high_water: HighWater,
    pub(crate) room: Room,
    pub(crate) writers: Arc<Writers>,
}

impl Writer {
    pub(super) fn run(mut self, queue: &Receiver<Box<dyn WriteTask>>, catalog: &ArcSwap<Catalog>) {
        Priority::Lower.apply();
        self.pinned.hold();
        self.erase_if_due();
        self.room.fill_reserve();
        let mut time_limit = GROUP_TIME;
        let mut postponed = None;
        let writers = Arc::clone(&self.writers);
        while let Some(first) = postponed.take().or_else(|| self.next(queue)) {
            self.pinned.release();
            let room = self.room.clone();
            let mut group = Group::new(catalog.load_full(), &writers, &room, time_limit);
            let began = Instant::now();
            let outcome = self.commit(&mut group, first, queue);
            let took = began.elapsed();
            group.log_if_slow(took);
            group.charge(took);
            if queue.has_next() {
                group.rest(took);
            }
            let undone = match outcome {
                // Published before the commit is acknowledged.
                Ok(changed) => {
                    if let Some(changed) = changed {
                        catalog.store(Arc::new(changed));
                    }
                    self.committed(&group);
                    if group.erases() {
                        self.erasure.note();
                    }
                    None
                }
                Err(undone) => Some(undone),
            };
            time_limit = group.time_limit;
            postponed = group.postponed.take();
            self.pinned.hold();
            group.answer(undone.as_ref());
            if self.room.is_full() {
                // What is left of the disk is too little for the log to grow.
                self.empty_log();
            } else if self
                .checkpoints
                .restart_long_log(self.driver.as_mut(), &mut self.pinned)
            {
                // It grows with the data.
                self.room.fill_reserve();
            }
            self.erase_if_due();
        }
        self.end();
    }

    /// Commits a group. If there is no room for it, empties the log and tries again; then without
    /// the writes that may not use the reserve, and then without those that may not use all of it.
    fn commit(
        &mut self,
        group: &mut Group<'_>,
        first: DequeuedWrite,
        queue: &Receiver<Box<dyn WriteTask>>,
    ) -> Result<Option<Catalog>, Undone> {
        let mut outcome = group.commit(self.driver.as_mut(), first, queue);
        let mut is_lacking = self.room.is_lacking(&outcome);
        for admits in [group.admits(), ReserveUse::Most, ReserveUse::All] {
            if !is_lacking {
                break;
            }
            let _ = self.driver.script("ROLLBACK");
            self.room.cut_log();
            self.empty_log();
            self.pinned.release();
            outcome = group.commit_again(self.driver.as_mut(), admits);
            is_lacking = self.room.is_lacking(&outcome);
        }
        if is_lacking || group.admits() > ReserveUse::None {
            self.room.record_full();
        }
        outcome.map_err(|error| {
            tracing::error!(%error, "a commit failed");
            let _ = self.driver.script("ROLLBACK");
            if is_lacking {
                self.room.cut_log();
            }
            Undone {
                reason: error.to_string(),
                is_disk_full: is_lacking,
            }
        })
    }

    /// The next write. While the disk is full and no write comes, probes it every second; erases
    /// what could not be erased before.
    fn next(&mut self, queue: &Receiver<Box<dyn WriteTask>>) -> Option<DequeuedWrite> {
        loop {
            let is_full = self.room.is_full();
            let patience = if is_full {
                Some(PROBE_INTERVAL)
            } else {
                self.erasure.patience()
            };
            match queue.next(patience.map(|patience| Instant::now() + patience)) {
                Next::Work(write, turn) => return Some((write, turn)),
                Next::Timeout if !is_full => self.erase_if_due(),
                Next::Timeout => {
                    self.pinned.release();
                    self.room.probe(self.driver.as_mut());
                    self.pinned.hold();
                }
                Next::Closed => return None,
            }
        }
    }

    fn erase_if_due(&mut self) {
        self.erasure.run_if_due(
            self.driver.as_mut(),
            &self.path,
            &self.checkpoints,
            &mut self.pinned,
        );
    }

    /// Called before the commit is acknowledged.
    fn committed(&self, group: &Group<'_>) {
        let Some(change) = group.newest_change else {
            return;
        };
        if group.proves_room() {
            self.room.record_written();
        }
        if let Err(error) = self.high_water.record(change) {
            tracing::warn!(%error, "the newest change could not be recorded");
        }
    }

    /// Copies the log to the database and gives its room back, with the help of the reserve.
    fn empty_log(&mut self) {
        let Self {
            driver,
            pinned,
            checkpoints,
            room,
            ..
        } = self;
        room.with_reserve(|| checkpoints.empty_log(driver.as_mut(), pinned));
    }

    /// Empties the log into the database file, so that a copy of the file is complete.
    fn end(mut self) {
        self.pinned.release();
        self.checkpoints.end();
        if let Err(error) = self.driver.script("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::error!(%error, "the log could not be emptied; keep it beside the database");
        }
    }
}
