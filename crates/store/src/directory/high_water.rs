//! The number of the newest change that clients were told of, in a file beside the database. A
//! database with fewer changes has lost some: its log was removed or cut.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Wide enough for every number, so that each write replaces the whole text.
const WIDTH: usize = 19;

/// The file, open for writing.
#[derive(Debug)]
pub(crate) struct HighWater {
    file: File,
    highest: Option<i64>,
}

impl HighWater {
    /// Opens the file and makes it if need be.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        let mut text = String::new();
        // A loss of power may leave anything in it, and then it says nothing.
        let highest = match file.read_to_string(&mut text) {
            Ok(_) => text.trim().parse().ok(),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
            Err(error) => return Err(error),
        };
        Ok(Self { file, highest })
    }

    /// What it said when it was opened.
    pub(crate) const fn highest(&self) -> Option<i64> {
        self.highest
    }

    /// Records a change that is safe on the disk. This record need not be: after a loss of power it
    /// may be older, and then demands less.
    pub(crate) fn record(&self, change: i64) -> io::Result<()> {
        self.file
            .write_all_at(format!("{change:0WIDTH$}\n").as_bytes(), 0)
    }
}
