//! Reads a backup file.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crossbeam_channel::Sender;
use sha2::{Digest as _, Sha256};

use super::{Header, TRAILER_BYTES, block};
use crate::Error;
use crate::engine::directory::file_error;
use crate::maintenance::transfer::source::send;
use crate::maintenance::transfer::{Step, TransferError};

const BUFFER_BYTES: usize = 256 * 1_024;

/// A file whose checksum is right.
pub(in crate::maintenance::transfer) struct Verified {
    path: PathBuf,
    file: File,
    length: u64,
}

/// Reads the whole file once and compares its checksum.
///
/// # Errors
///
/// It is not a backup of this or an older release, or it is damaged.
pub(in crate::maintenance::transfer) fn verify(path: &Path) -> Result<Verified, Error> {
    let failed = |source| file_error(path, source);
    let mut file = File::open(path).map_err(failed)?;
    // First, as its refusals say more.
    Header::read(&mut BufReader::new(&file), path)?;
    let length = file.metadata().map_err(failed)?.len();
    file.rewind().map_err(failed)?;
    let mut input = BufReader::with_capacity(BUFFER_BYTES, &file);
    let is_whole = has_checksum(&mut input, length).map_err(failed)?;
    if !is_whole {
        return Err(Error::Backup {
            path: path.display().to_string(),
            reason: "is damaged or cut off: its checksum does not match".to_owned(),
        });
    }
    Ok(Verified {
        path: path.to_owned(),
        file,
        length,
    })
}

fn has_checksum(input: &mut impl Read, length: u64) -> io::Result<bool> {
    let Some(covered) = length.checked_sub(TRAILER_BYTES) else {
        return Ok(false);
    };
    let mut digest = Sha256::new();
    let mut left = input.take(covered);
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let count = left.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(buffer.get(..count).unwrap_or_default());
    }
    let mut expected = Vec::new();
    input.take(TRAILER_BYTES + 1).read_to_end(&mut expected)?;
    Ok(expected == digest.finalize().as_slice())
}

/// Sends every row of every table in the file.
///
/// # Errors
///
/// The file cannot be read. [`Error::Closed`] means that the target gave up.
pub(in crate::maintenance::transfer) fn read_backup(
    verified: Verified,
    steps: &Sender<Step>,
) -> Result<(), TransferError> {
    let Verified {
        path,
        mut file,
        length,
    } = verified;
    let failed = |source| TransferError::Source(file_error(&path, source));
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let covered = length.saturating_sub(TRAILER_BYTES);
    let mut input = BufReader::with_capacity(BUFFER_BYTES, file.take(covered));
    let header = Header::read(&mut input, &path).map_err(TransferError::Source)?;
    let send = |step| send(steps, step).map_err(TransferError::Source);
    send(Step::Opened(header.origin()))?;
    let mut blocks = zstd::Decoder::with_buffer(input).map_err(failed)?;
    loop {
        let step = block::read_block(&mut blocks).map_err(failed)?;
        let is_last = matches!(step, Step::Finished);
        send(step)?;
        if is_last {
            return Ok(());
        }
    }
}
