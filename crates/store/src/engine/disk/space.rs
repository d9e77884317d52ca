//! The room of the embedded database on its disk: the bound of its log, and a reserve, with which a
//! full disk recovers.
//!
//! A commit is first in the log, and needs room in the file of the database later. If the log took
//! the last room, it could never be copied, and so never be emptied.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustix::fs::{FallocateFlags, StatVfs, fallocate, statvfs};

use crate::Error;
use crate::engine::directory::{Directory, open_private};
use crate::engine::disk::ReserveUse;
use crate::engine::driver::Driver;

/// The length of a page of the database.
pub(crate) const PAGE: u64 = 4_096;
/// The log may always grow to this length: below it, writes would often wait for a checkpoint.
pub(crate) const MIN_LOG: u64 = if cfg!(test) { 1 << 20 } else { 4 << 20 };
/// The most bytes of the write-ahead log of an embedded database, unless [`Store::limit_log`] sets
/// another bound. The writer waits for a moment whenever the log begins again.
///
/// [`Store::limit_log`]: crate::Store::limit_log
pub const DEFAULT_LOG_BYTES: u64 = 1 << 30;
const MIN_RESERVE: u64 = 4 << 20;
const MAX_RESERVE: u64 = 64 << 20;
/// The most that a commit writes after its size was checked: its changed pages that are still in
/// memory, of which there can be a cache full.
const UNWRITTEN: u64 = 64 << 20;
/// What a commit writes even if all of its pages were written before.
const LAST_PAGES: u64 = 64 << 10;

const FIND_PAGE_COUNT: &str = "PRAGMA page_count";
const FIND_FREE_PAGES: &str = "PRAGMA freelist_count";

/// The files of the embedded database, and the disk that they are on.
pub(crate) struct Space {
    database: PathBuf,
    log: PathBuf,
    /// A file that takes up room until the disk is full.
    reserve: File,
    /// The most bytes of the log that are configured.
    log_limit: AtomicU64,
}

impl Space {
    /// Opens the reserve, and gives it up if the disk may be too full to open the database.
    ///
    /// # Errors
    ///
    /// Its file cannot be made.
    pub(crate) fn open(directory: &Directory) -> Result<Self, Error> {
        let space = Self {
            database: directory.database(),
            log: directory.log(),
            reserve: open_private(&directory.reserve())?,
            log_limit: AtomicU64::new(DEFAULT_LOG_BYTES),
        };
        if space.free() < MIN_RESERVE {
            space.give_up_reserve();
        }
        Ok(space)
    }

    /// Bounds the log.
    pub(crate) fn limit_log(&self, bytes: u64) {
        self.log_limit.store(bytes, Relaxed);
    }

    /// The bytes that the log takes up.
    pub(crate) fn log_bytes(&self) -> u64 {
        length(&self.log)
    }

    /// How long the log may become: a tenth of the room that there would be without it, and four
    /// times the data.
    pub(crate) fn most_log_bytes(&self) -> u64 {
        let free = self.free().saturating_add(self.log_bytes());
        let bound = (free / 10).min(length(&self.database).saturating_mul(4));
        bound.min(self.log_limit.load(Relaxed)).max(MIN_LOG)
    }

    /// Checks that the database can be copied from the log after the commit of the open
    /// transaction. A usual write must leave the reserve as well.
    ///
    /// # Errors
    ///
    /// [`Error::DiskFull`].
    pub(crate) fn check_commit(
        &self,
        driver: &mut dyn Driver,
        reserve: ReserveUse,
    ) -> Result<(), Error> {
        let needed = self.needed(driver, reserve)?;
        if self.room() >= needed.saturating_add(UNWRITTEN) {
            return Ok(());
        }
        driver.write_back()?;
        if self.room() >= needed.saturating_add(LAST_PAGES) {
            return Ok(());
        }
        Err(Error::DiskFull(format!(
            "{} bytes are left, and {needed} are needed",
            self.room()
        )))
    }

    /// Whether there is room for usual writes, and some more than for the last ones.
    pub(crate) fn has_room(&self, driver: &mut dyn Driver) -> bool {
        let needed = self.needed(driver, ReserveUse::None);
        needed.is_ok_and(|needed| self.room() >= needed.saturating_add(MIN_RESERVE / 4))
    }

    /// Cuts off what rolled back transactions have left in the log behind the last commit: the copy
    /// of the commits needs the room. Called while no transaction writes.
    pub(crate) fn cut_log(&self) {
        let cut = || -> std::io::Result<()> {
            let log = File::options().read(true).write(true).open(&self.log)?;
            match end_of_commits(&log)? {
                Some(end) if end < log.metadata()?.len() => log.set_len(end),
                _ => Ok(()),
            }
        };
        if let Err(error) = cut() {
            tracing::error!(%error, "the log could not be cut");
        }
    }

    /// Lets the reserve take up room again, if there is enough.
    pub(crate) fn fill_reserve(&self) {
        let wanted = self.wanted_reserve();
        let reserved = self.reserved();
        if reserved >= wanted || self.free() < (wanted - reserved).saturating_add(wanted) {
            return;
        }
        if fallocate(&self.reserve, FallocateFlags::empty(), 0, wanted).is_err() {
            self.give_up_reserve();
        }
    }

    /// Leaves the room of the reserve to the database.
    pub(crate) fn give_up_reserve(&self) {
        if let Err(error) = self.reserve.set_len(0) {
            tracing::error!(%error, "the reserve could not be given up");
        }
    }

    /// The room that a commit must leave.
    fn needed(&self, driver: &mut dyn Driver, reserve: ReserveUse) -> Result<u64, Error> {
        let pages = number(driver, FIND_PAGE_COUNT)?;
        let growth = (pages * PAGE).saturating_sub(length(&self.database));
        let left = match reserve {
            ReserveUse::None => self.wanted_reserve(),
            ReserveUse::Most => self.wanted_reserve() / 4,
            ReserveUse::All => return Ok(growth),
        };
        // What was deleted is room, too, but only for the database.
        let free = number(driver, FIND_FREE_PAGES)? * PAGE;
        Ok(growth + left.saturating_sub(free))
    }

    /// As large as the data, within bounds and an eighth of the disk.
    fn wanted_reserve(&self) -> u64 {
        let disk = self
            .disk()
            .map_or(u64::MAX, |disk| disk.f_blocks * disk.f_frsize);
        let wanted = length(&self.database).min(disk / 8);
        wanted.clamp(MIN_RESERVE, MAX_RESERVE)
    }

    fn reserved(&self) -> u64 {
        self.reserve.metadata().map_or(0, |file| file.len())
    }

    /// What is left on the disk for this database.
    fn room(&self) -> u64 {
        self.free().saturating_add(self.reserved())
    }

    /// Without the answer of the system, only a failed write tells that the disk is full.
    fn free(&self) -> u64 {
        let disk = self.disk();
        disk.map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    fn disk(&self) -> Option<StatVfs> {
        statvfs(&self.database).ok()
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// Where the last commit in a log ends; `None` if it has none. A frame that ends a commit says how
/// many pages the database has then, all others say 0
/// (<https://www.sqlite.org/fileformat2.html#walformat>).
fn end_of_commits(log: &File) -> std::io::Result<Option<u64>> {
    let (mut header, mut frame) = ([0; 32], [0; 24]);
    // On a full disk, not even the header may have been written.
    if log.metadata()?.len() < header.len() as u64 {
        return Ok(None);
    }
    log.read_exact_at(&mut header, 0)?;
    let page = header[8..12]
        .iter()
        .fold(0, |size, byte| (size << 8) | u64::from(*byte));
    if page != PAGE {
        return Ok(None);
    }
    let salts = &header[16..24];
    let (mut start, mut end) = (header.len() as u64, None);
    while log.read_exact_at(&mut frame, start).is_ok() && frame[8..16] == *salts {
        start += frame.len() as u64 + PAGE;
        if frame[4..8] != [0; 4] {
            end = Some(start);
        }
    }
    Ok(end)
}

fn number(driver: &mut dyn Driver, sql: &'static str) -> Result<u64, Error> {
    let mut number = 0;
    driver.query(sql, &[], &mut |row| {
        number = u64::try_from(row.int(0)?).unwrap_or_default();
        Ok(())
    })?;
    Ok(number)
}
