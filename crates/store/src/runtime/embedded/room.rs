//! What a full disk means for the writer.

use std::sync::Arc;

use crate::Error;
use crate::engine::disk::{Disk, REWRITE_ANY, ReserveUse, Space};
use crate::engine::driver::Driver;

/// The disk as the writer knows it.
#[derive(Clone)]
pub(crate) struct Room {
    disk: Arc<Disk>,
    space: Arc<Space>,
}

impl Room {
    pub(crate) fn new(disk: &Arc<Disk>, space: &Arc<Space>) -> Self {
        Self {
            disk: Arc::clone(disk),
            space: Arc::clone(space),
        }
    }

    /// Whether usual writes are tried.
    pub(super) fn is_for_all(&self, driver: &mut dyn Driver) -> bool {
        !self.disk.is_full() || self.space.has_room(driver)
    }

    /// Checks that the open transaction can be committed; see [`Space::check_commit`].
    pub(super) fn check(&self, driver: &mut dyn Driver, reserve: ReserveUse) -> Result<(), Error> {
        self.check_statements()?;
        self.space.check_commit(driver, reserve)
    }

    /// See [`Space::cut_log`].
    pub(super) fn cut_log(&self) {
        self.space.cut_log();
    }

    /// Forgets statements that failed for lack of space, such as those of a checkpoint.
    pub(super) fn forget_failures(&self) {
        self.disk.take_failure();
    }

    /// Checks that no statement failed for lack of space. A write may have made another error of it.
    pub(super) fn check_statements(&self) -> Result<(), Error> {
        if self.disk.take_failure() {
            return Err(Error::DiskFull("a statement failed".to_owned()));
        }
        Ok(())
    }

    /// Whether a commit failed for lack of space.
    pub(super) fn is_lacking(&self, outcome: &Result<impl Sized, Error>) -> bool {
        // After a full disk, the error itself may be a later one, such as of a rollback.
        let has_failed = self.disk.take_failure();
        outcome
            .as_ref()
            .is_err_and(|error| has_failed || matches!(error, Error::DiskFull(_)))
    }

    /// Writes something, to learn whether there is room again.
    pub(super) fn probe(&self, driver: &mut dyn Driver) {
        if !self.space.has_room(driver) {
            return;
        }
        let written = driver
            .execute("BEGIN IMMEDIATE", &[])
            .and_then(|_| driver.execute(REWRITE_ANY, &[]))
            .and_then(|_| driver.execute("COMMIT", &[]));
        match written {
            Ok(_) => self.record_written(),
            Err(_) => _ = driver.script("ROLLBACK"),
        }
    }

    /// Notes that a usual write was committed.
    pub(super) fn record_written(&self) {
        self.disk.record_written();
    }

    pub(super) fn fill_reserve(&self) {
        self.space.fill_reserve();
    }

    pub(super) fn record_full(&self) {
        self.disk.record_full();
    }

    pub(super) fn is_full(&self) -> bool {
        self.disk.is_full()
    }

    /// Runs `empty_log` with the room of the reserve.
    pub(super) fn with_reserve(&self, empty_log: impl FnOnce()) {
        self.space.give_up_reserve();
        empty_log();
        self.space.fill_reserve();
    }
}
