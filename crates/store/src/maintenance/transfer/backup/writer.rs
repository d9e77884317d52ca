//! Writes a backup file.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crossbeam_channel::Receiver;
use sha2::{Digest as _, Sha256};
use stockroom_model::Timestamp;

use super::{Header, block};
use crate::Error;
use crate::engine::directory::{PRIVATE_FILE, file_error};
use crate::maintenance::transfer::{
    Origin, Progress, Stage, Step, TransferError, Transferred, rows,
};

/// zstd's own default.
const LEVEL: i32 = 3;
const BUFFER_BYTES: usize = 256 * 1_024;
/// The end of the name until the file is complete.
const UNFINISHED: &str = ".partial";

/// Writes the rows from the source to a new file, which gets its name when it is complete.
///
/// # Errors
///
/// The file exists or cannot be written. [`Error::Closed`] means that the source gave up.
pub(in crate::maintenance::transfer) fn write(
    path: &Path,
    now: Timestamp,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Transferred, TransferError> {
    // If the source cannot be opened, no file is created.
    let Ok(Step::Opened(origin)) = steps.recv() else {
        return Err(TransferError::Target(Error::Closed));
    };
    let file = Unfinished::create(path).map_err(TransferError::Target)?;
    let written = fill(&file, &origin, now, steps, progress);
    match written {
        Ok(transferred) => {
            file.finish().map_err(TransferError::Target)?;
            Ok(transferred)
        }
        Err(error) => {
            file.remove();
            Err(error)
        }
    }
}

fn fill(
    file: &Unfinished,
    origin: &Origin,
    now: Timestamp,
    steps: &Receiver<Step>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Transferred, TransferError> {
    let failed = |source| TransferError::Target(file_error(&file.partial, source));
    let mut out = Hashed::new(BufWriter::with_capacity(BUFFER_BYTES, &file.file));
    Header::new(origin, now).write(&mut out).map_err(failed)?;
    let mut out = zstd::Encoder::new(out, LEVEL).map_err(failed)?;
    let mut sums = Vec::new();
    let (mut table, mut rows) = (None, 0);
    loop {
        let Ok(step) = steps.recv() else {
            return Err(TransferError::Target(Error::Closed));
        };
        block::write(&step, &mut out).map_err(failed)?;
        match step {
            Step::Opened(_) => {}
            Step::Table(next) => (table, rows) = (Some(next), 0),
            Step::Rows(batch) => rows += batch.len(),
            Step::End(sum) => sums.extend(table.map(|table| (table, sum))),
            Step::Finished => break,
        }
        let reached = table.map(|table| Progress {
            stage: Stage::Copying,
            table: table.name,
            rows,
        });
        if reached.is_some_and(|reached| progress(reached).is_break()) {
            return Err(TransferError::Stopped);
        }
    }
    out.finish().and_then(Hashed::finish).map_err(failed)?;
    Ok(rows::total(&sums))
}

/// A file that is still written, locked so that nobody else writes it.
struct Unfinished {
    file: File,
    partial: PathBuf,
    path: PathBuf,
}

impl Unfinished {
    /// Creates the file, or takes over what an interrupted backup left.
    fn create(path: &Path) -> Result<Self, Error> {
        refuse_existing(path)?;
        let mut partial = path.to_owned().into_os_string();
        partial.push(UNFINISHED);
        let partial = PathBuf::from(partial);
        let failed = |source| file_error(&partial, source);
        // The file holds password hashes and, by default, the master key.
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(PRIVATE_FILE)
            .open(&partial)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Backup {
                    path: partial.display().to_string(),
                    reason: "is being written by another process".to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // A file that was there already keeps its mode.
        let private = Permissions::from_mode(PRIVATE_FILE);
        file.set_permissions(private).map_err(failed)?;
        file.set_len(0).map_err(failed)?;
        Ok(Self {
            file,
            partial,
            path: path.to_owned(),
        })
    }

    fn finish(self) -> Result<(), Error> {
        let renamed = self.file.sync_all().and_then(|()| {
            // Renaming would replace it.
            if self.path.exists() {
                return Ok(false);
            }
            fs::rename(&self.partial, &self.path)?;
            sync_parent(&self.path)?;
            Ok(true)
        });
        match renamed {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.remove();
                refuse_existing(&self.path)
            }
            Err(source) => {
                self.remove();
                Err(file_error(&self.path, source))
            }
        }
    }

    fn remove(&self) {
        // What is left of it, the next backup of that name overwrites.
        let _ = fs::remove_file(&self.partial);
    }
}

fn refuse_existing(path: &Path) -> Result<(), Error> {
    if path.exists() {
        return Err(Error::Backup {
            path: path.display().to_string(),
            reason: "exists already: name another file".to_owned(),
        });
    }
    Ok(())
}

/// Makes the new name survive a power failure.
fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Writes the checksum of everything at the end.
struct Hashed<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Hashed<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            digest: Sha256::new(),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.digest.finalize())?;
        self.out.flush()
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.out.write(bytes)?;
        self.digest.update(bytes.get(..length).unwrap_or_default());
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
