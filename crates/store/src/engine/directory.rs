//! The directory of an embedded database: its permissions, its lock, and the consistency of its
//! files.

mod high_water;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::Error;

pub(crate) use high_water::HighWater;

pub(crate) const DATABASE_FILE: &str = "stockroom.db";
const WRITE_AHEAD_LOG: &str = "stockroom.db-wal";
const SHARED_MEMORY: &str = "stockroom.db-shm";
const LOCK_FILE: &str = "stockroom.lock";
const STATE_FILE: &str = "stockroom.state";
const RESERVE_FILE: &str = "stockroom.reserve";

/// The permission bits of users other than the owner.
const OTHERS: u32 = 0o077;
pub(crate) const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_DIRECTORY: u32 = 0o700;

/// The data directory, locked for this process.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    _lock: File,
}

impl Directory {
    /// Locks the directory, creates it and the database file if missing, and keeps other users out.
    ///
    /// # Errors
    ///
    /// [`Error::Exposed`], [`Error::Locked`], [`Error::Incomplete`], and [`Error::File`] if a file
    /// cannot be used.
    pub(crate) fn take(path: &Path) -> Result<Self, Error> {
        make(path).map_err(|source| file_error(path, source))?;
        refuse_others(path)?;
        let directory = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        directory.refuse_remains()?;
        for name in [DATABASE_FILE, WRITE_AHEAD_LOG, SHARED_MEMORY, STATE_FILE] {
            directory.tighten(name)?;
        }
        // SQLite gives its other files the same mode as this one.
        open_private(&directory.database())?;
        Ok(directory)
    }

    /// The database file.
    pub(crate) fn database(&self) -> PathBuf {
        self.path.join(DATABASE_FILE)
    }

    /// The write-ahead log.
    pub(crate) fn log(&self) -> PathBuf {
        self.path.join(WRITE_AHEAD_LOG)
    }

    /// The file that reserves room on the disk.
    pub(crate) fn reserve(&self) -> PathBuf {
        self.path.join(RESERVE_FILE)
    }

    /// Another file in the directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes renamed files survive a power failure.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        File::open(&self.path)
            .and_then(|directory| directory.sync_all())
            .map_err(|source| file_error(&self.path, source))
    }

    /// The record of the newest acknowledged change; `found` is the newest one in the database.
    ///
    /// # Errors
    ///
    /// [`Error::Lost`] if the database has fewer changes than were acknowledged.
    pub(crate) fn high_water(&self, found: i64) -> Result<HighWater, Error> {
        let path = self.path.join(STATE_FILE);
        let water = HighWater::open(&path).map_err(|source| file_error(&path, source))?;
        if let Some(acknowledged) = water.highest() {
            refuse_loss(&self.path, acknowledged, found)?;
        }
        water
            .record(found)
            .map_err(|source| file_error(&path, source))?;
        Ok(water)
    }

    /// If only remains of a database exist, a new empty database would hide the loss.
    fn refuse_remains(&self) -> Result<(), Error> {
        let length = fs::metadata(self.database()).map_or(0, |metadata| metadata.len());
        let remains: Vec<&str> = [WRITE_AHEAD_LOG, STATE_FILE]
            .into_iter()
            .filter(|name| self.path.join(name).exists())
            .collect();
        if length > 0 || remains.is_empty() {
            return Ok(());
        }
        Err(Error::Incomplete {
            directory: self.path.display().to_string(),
            database: DATABASE_FILE,
            remains: remains.join(" and "),
        })
    }

    /// Makes a file private that an older release created or that was copied here.
    fn tighten(&self, name: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        let Ok(metadata) = fs::metadata(&path) else {
            return Ok(());
        };
        if metadata.permissions().mode() & OTHERS == 0 {
            return Ok(());
        }
        fs::set_permissions(&path, Permissions::from_mode(PRIVATE_FILE))
            .map_err(|source| file_error(&path, source))
    }
}

/// The newest change that was acknowledged in a directory, if that is known.
pub(crate) fn newest_acknowledged(directory: &Path) -> Result<Option<i64>, Error> {
    let path = directory.join(STATE_FILE);
    HighWater::read(&path).map_err(|source| file_error(&path, source))
}

/// Compares the newest acknowledged change with the newest one in the database.
///
/// # Errors
///
/// [`Error::Lost`] if the database has fewer changes than were acknowledged.
pub(crate) fn refuse_loss(directory: &Path, acknowledged: i64, found: i64) -> Result<(), Error> {
    if acknowledged <= found {
        return Ok(());
    }
    Err(Error::Lost {
        directory: directory.display().to_string(),
        expected: acknowledged,
        found,
        log: WRITE_AHEAD_LOG,
        state: STATE_FILE,
    })
}

pub(crate) fn file_error(path: &Path, cause: io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        cause,
    }
}

/// Private, because the database holds password hashes and, by default, the master key.
fn make(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_DIRECTORY)
        .create(directory)
}

/// Makes an empty directory private. If others can use a directory with content, refuses it: its
/// mode may be intended.
fn refuse_others(directory: &Path) -> Result<(), Error> {
    let metadata = fs::metadata(directory).map_err(|source| file_error(directory, source))?;
    let mode = metadata.permissions().mode() & 0o777;
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let mut entries = fs::read_dir(directory).map_err(|source| file_error(directory, source))?;
    let private = Permissions::from_mode(PRIVATE_DIRECTORY);
    if entries.next().is_none() && fs::set_permissions(directory, private).is_ok() {
        return Ok(());
    }
    Err(Error::Exposed {
        directory: directory.display().to_string(),
        mode,
    })
}

fn lock(directory: &Path) -> Result<File, Error> {
    let path = directory.join(LOCK_FILE);
    let file = open_private(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(Error::Locked(directory.display().to_string())),
        Err(fs::TryLockError::Error(source)) => Err(file_error(&path, source)),
    }
}

pub(crate) fn open_private(path: &Path) -> Result<File, Error> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(PRIVATE_FILE)
        .open(path)
        .map_err(|source| file_error(path, source))
}

#[cfg(test)]
mod tests;
