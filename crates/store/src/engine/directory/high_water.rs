//! The number of the newest acknowledged change, in a file beside the database. A database with
//! fewer changes has lost some: its log was removed or truncated.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Wide enough for every number, so that each write overwrites the whole text.
const WIDTH: usize = 19;

/// The file, open for writing.
#[derive(Debug)]
pub(crate) struct HighWater {
    file: File,
    highest: Option<i64>,
}

impl HighWater {
    /// Opens the file, and creates it if missing.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        let highest = number_in(&mut file)?;
        Ok(Self { file, highest })
    }

    /// The number in the file, if there is one.
    pub(crate) fn read(path: &Path) -> io::Result<Option<i64>> {
        match File::open(path) {
            Ok(mut file) => number_in(&mut file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The number in the file when it was opened.
    pub(crate) const fn highest(&self) -> Option<i64> {
        self.highest
    }

    /// Records a change that is safely on disk. This file is not synced: after a power loss it may
    /// hold an older number, which only weakens the check.
    pub(crate) fn record(&self, change: i64) -> io::Result<()> {
        self.file
            .write_all_at(format!("{change:0WIDTH$}\n").as_bytes(), 0)
    }
}

/// A power loss may leave any content, which is then ignored.
fn number_in(file: &mut File) -> io::Result<Option<i64>> {
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) => Ok(text.trim().parse().ok()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
        Err(error) => Err(error),
    }
}
