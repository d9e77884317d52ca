//! Backups that the server makes by itself.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, value_parser};

/// Where, how often, and how many.
#[derive(Args, Clone)]
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
        default_value = "24h"
    )]
    backup_interval: Interval,
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
        self.backup_interval.0
    }

    pub(crate) fn keep(&self) -> usize {
        usize::try_from(self.backup_keep).unwrap_or(usize::MAX)
    }
}

/// A time with a unit, of a second or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval(Duration);

const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];

impl FromStr for Interval {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = UNITS.iter().find_map(|(unit, seconds)| {
            let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
            // A century, so that it can be added to any time.
            let seconds = number.checked_mul(*seconds)?;
            (1..=3_153_600_000).contains(&seconds).then_some(seconds)
        });
        seconds
            .map(|seconds| Self(Duration::from_secs(seconds)))
            .ok_or("expected a number with a unit, such as 24h, 30m or 7d")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_a_number_and_a_unit() {
        for (text, seconds) in [("1s", 1), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800)] {
            let expected = Interval(Duration::from_secs(seconds));
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in [
            "",
            "24",
            "h",
            "0h",
            "-1h",
            "1.5h",
            "1 h",
            "24H",
            "99999999999d",
        ] {
            assert!(text.parse::<Interval>().is_err(), "{text}");
        }
    }
}
