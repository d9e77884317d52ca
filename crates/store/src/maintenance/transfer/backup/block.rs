//! The blocks in the compressed part of a backup file: a tag, a length and bytes.

use std::io::{self, Read, Write};

use super::tables::Description;
use crate::maintenance::transfer::Step;
use crate::maintenance::transfer::rows::{Batch, Sum};

const TABLE: u8 = b'T';
const ROWS: u8 = b'R';
const END: u8 = b'E';
const FINISHED: u8 = b'F';
/// The bytes of a block, which has one row at least. A forged one may unpack to anything.
const MOST_BYTES: u64 = 256 * 1_024 * 1_024;

/// Writes a step as a block.
pub(super) fn write(step: &Step, out: &mut impl Write) -> io::Result<()> {
    match step {
        Step::Opened(_) => Ok(()),
        Step::Table(table) => {
            let text = serde_json::to_vec(&Description::of(table))?;
            write_parts(TABLE, &[&text], out)
        }
        Step::Rows(batch) => {
            let count = batch.len().to_be_bytes();
            write_parts(ROWS, &[&count, &batch.bytes], out)
        }
        Step::End(sum) => write_parts(END, &[&sum.rows.to_be_bytes(), &sum.digest], out),
        Step::Finished => write_parts(FINISHED, &[], out),
    }
}

fn write_parts(tag: u8, parts: &[&[u8]], out: &mut impl Write) -> io::Result<()> {
    let length: u64 = parts.iter().map(|part| part.len() as u64).sum();
    out.write_all(&[tag])?;
    out.write_all(&length.to_be_bytes())?;
    parts.iter().try_for_each(|part| out.write_all(part))
}

/// Reads a block as a step.
///
/// # Errors
///
/// It cannot be read, or is malformed.
pub(super) fn read_block(input: &mut impl Read) -> io::Result<Step> {
    let mut head = [0; 9];
    input.read_exact(&mut head)?;
    let [tag, length @ ..] = head;
    let length = u64::from_be_bytes(length);
    if length > MOST_BYTES {
        return Err(malformed());
    }
    let mut bytes = Vec::new();
    // Memory grows with what is there, not with what the length claims.
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(malformed());
    }
    match tag {
        TABLE => {
            let described: Description = serde_json::from_slice(&bytes)?;
            described.table().map(Step::Table)
        }
        ROWS => rows(bytes),
        END => sum(&bytes).map(Step::End),
        FINISHED if bytes.is_empty() => Some(Step::Finished),
        _ => None,
    }
    .ok_or_else(malformed)
}

fn rows(mut bytes: Vec<u8>) -> Option<Step> {
    let count = *bytes.first_chunk()?;
    bytes.drain(..size_of_val(&count));
    let rows = usize::try_from(u64::from_be_bytes(count)).ok()?;
    Some(Step::Rows(Batch { bytes, rows }))
}

fn sum(bytes: &[u8]) -> Option<Sum> {
    let (rows, digest) = bytes.split_first_chunk()?;
    Some(Sum {
        rows: u64::from_be_bytes(*rows),
        digest: digest.try_into().ok()?,
    })
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a block is malformed")
}
