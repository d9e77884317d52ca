//! Backup files, as source and target of a transfer.
//!
//! A file has a line with magic and format, a line of JSON ([`header`]), then zstd with tables and
//! their rows ([`block`]), then SHA-256 of everything before it. See `docs/design/backups.md`.

mod block;
mod header;
mod reader;
mod tables;
mod writer;

use self::header::Header;
pub(super) use self::reader::{read_backup, verify};
pub(super) use self::writer::write;

/// Length of the checksum at the end.
const TRAILER_BYTES: u64 = 32;
