//! Backups that the server makes by itself.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, value_parser};

use super::duration;

/// Where, how often, and how many.
#[derive(Args, Clone)]
#[command(next_help_heading = "Backups")]
#[expect(clippy::struct_field_names, reason = "a field is named as its flag")]
pub(crate) struct Backups {
    /// Directory for backups that the running server makes, created if missing [default: it makes
    /// none]
    #[arg(long, env = "STOCKROOM_BACKUP_DIRECTORY", value_name = "DIR")]
    backup_directory: Option<PathBuf>,
    /// Time from one backup to the next, such as 24h, 30m or 7d
    #[arg(
        long,
        env = "STOCKROOM_BACKUP_INTERVAL",
        value_name = "TIME",
        default_value = "24h",
        value_parser = duration::parse_interval
    )]
    backup_interval: Duration,
    /// Backups to keep; after each one, the oldest beyond this number are deleted
    #[arg(
        long,
        env = "STOCKROOM_BACKUP_KEEP",
        value_name = "NUMBER",
        default_value_t = 7,
        value_parser = value_parser!(u32).range(1..)
    )]
    backup_keep: u32,
}

impl Backups {
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.backup_directory.as_deref()
    }

    pub(crate) const fn interval(&self) -> Duration {
        self.backup_interval
    }

    pub(crate) fn keep(&self) -> usize {
        usize::try_from(self.backup_keep).unwrap_or(usize::MAX)
    }
}
