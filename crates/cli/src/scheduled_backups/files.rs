//! The files of backups: `stockroom-20260102T030405Z.backup`, or `asked-…` for those that somebody
//! asked for.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use stockroom_model::Timestamp;

/// Backups that the schedule made.
pub(super) const SCHEDULED: &str = "stockroom-";
/// Backups that somebody asked for.
pub(super) const ASKED: &str = "asked-";
const SUFFIX: &str = ".backup";
/// A backup that was interrupted by a crash.
const UNFINISHED: &str = ".backup.partial";
const PRIVATE_DIRECTORY: u32 = 0o700;

/// The files of a directory with a prefix.
pub(super) struct Files {
    directory: PathBuf,
    prefix: &'static str,
}

impl Files {
    /// Creates the directory if it is missing.
    pub(super) fn open(directory: &Path, prefix: &'static str) -> anyhow::Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(PRIVATE_DIRECTORY)
            .create(directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let directory = directory.to_owned();
        let files = Self { directory, prefix };
        files.backups()?;
        Ok(files)
    }

    /// The file of a backup made at this time.
    pub(super) fn path(&self, time: Timestamp) -> PathBuf {
        let digits = time.to_plain().replace(['-', ':'], "").replace(' ', "T");
        self.directory
            .join(format!("{}{digits}Z{SUFFIX}", self.prefix))
    }

    /// The complete backups with their times, oldest first. Other files are not looked at.
    pub(super) fn backups(&self) -> anyhow::Result<Vec<(Timestamp, PathBuf)>> {
        let mut backups = Vec::new();
        for (name, path) in self.entries()? {
            if let Some(time) = name.strip_prefix(self.prefix).and_then(time) {
                backups.push((time, path));
            }
        }
        backups.sort();
        Ok(backups)
    }

    /// Deletes the oldest backups beyond `keep`. Those with a later time than `newest` were made while
    /// the clock was ahead, and count as the oldest.
    pub(super) fn delete_oldest(&self, keep: usize, newest: Timestamp) -> anyhow::Result<()> {
        let mut backups = self.backups()?;
        backups.sort_by_key(|(time, _)| (*time <= newest, *time));
        let beyond = backups.len().saturating_sub(keep.max(1));
        for (_, path) in backups.iter().take(beyond) {
            delete(path)?;
        }
        Ok(())
    }

    /// Deletes what crashes have left of backups: the next one may need the room.
    pub(super) fn delete_abandoned(&self) -> anyhow::Result<()> {
        for (name, path) in self.entries()? {
            if name.starts_with(self.prefix) && name.ends_with(UNFINISHED) && is_abandoned(&path) {
                delete(&path)?;
            }
        }
        Ok(())
    }

    fn entries(&self) -> anyhow::Result<Vec<(String, PathBuf)>> {
        let directory = || format!("cannot read {}", self.directory.display());
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.directory).with_context(directory)? {
            let entry = entry.with_context(directory)?;
            if let Ok(name) = entry.file_name().into_string() {
                entries.push((name, entry.path()));
            }
        }
        Ok(entries)
    }
}

fn delete(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| format!("cannot delete {}", path.display()))?;
    tracing::info!(file = %path.display(), "an old backup is deleted");
    Ok(())
}

/// A running backup locks its file.
fn is_abandoned(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// The time in a name without its prefix; `None` if it is another file.
fn time(name: &str) -> Option<Timestamp> {
    let digits = name.strip_suffix(SUFFIX)?;
    let digits = digits.strip_suffix('Z')?;
    let (date, time) = digits.split_once('T')?;
    if date.len() != 8 || time.len() != 6 {
        return None;
    }
    let part = |text: &str, from: usize, to: usize| text.get(from..to).map(str::to_owned);
    Timestamp::from_text(&format!(
        "{}-{}-{}T{}:{}:{}",
        part(date, 0, 4)?,
        part(date, 4, 6)?,
        part(date, 6, 8)?,
        part(time, 0, 2)?,
        part(time, 2, 4)?,
        part(time, 4, 6)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_time_of_a_backup_is_in_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::open(directory.path(), SCHEDULED).unwrap();
        let times = [3, 1, 2].map(|second| Timestamp(1_000_000 * second));
        for time in times {
            fs::write(files.path(time), "").unwrap();
        }
        fs::write(directory.path().join("stockroom-mine.backup"), "").unwrap();
        fs::write(directory.path().join("stockroom-197001019.backup"), "").unwrap();
        let found = files.backups().unwrap();
        let found: Vec<i64> = found.iter().map(|(time, _)| time.seconds()).collect();
        assert_eq!(found, [1, 2, 3]);
        let name = files.path(Timestamp(0));
        assert!(
            name.ends_with("stockroom-19700101T000000Z.backup"),
            "{name:?}"
        );
    }

    #[test]
    fn backups_of_the_future_are_deleted_first() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::open(directory.path(), SCHEDULED).unwrap();
        for second in [1, 2, 50, 60] {
            fs::write(files.path(Timestamp(1_000_000 * second)), "").unwrap();
        }
        files.delete_oldest(3, Timestamp(2_000_000)).unwrap();
        let left = files.backups().unwrap();
        let left: Vec<i64> = left.iter().map(|(time, _)| time.seconds()).collect();
        assert_eq!(left, [1, 2, 60]);
    }

    #[test]
    fn only_old_backups_and_abandoned_files_are_deleted() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::open(directory.path(), SCHEDULED).unwrap();
        for second in 0..4 {
            fs::write(files.path(Timestamp(1_000_000 * second)), "").unwrap();
        }
        let others = [
            "asked-19700101T000000Z.backup",
            "notes.txt",
            "stockroom-mine.backup",
        ];
        let partial = ["running", "abandoned"].map(|name| format!("stockroom-{name}{UNFINISHED}"));
        for name in others.iter().map(|name| (*name).to_owned()).chain(partial) {
            fs::write(directory.path().join(name), "").unwrap();
        }
        let running = directory.path().join("stockroom-running.backup.partial");
        let running = File::open(running).unwrap();
        running.lock().unwrap();
        files.delete_oldest(2, Timestamp(3_000_000)).unwrap();
        files.delete_abandoned().unwrap();
        assert_eq!(
            names(directory.path()),
            [
                "asked-19700101T000000Z.backup",
                "notes.txt",
                "stockroom-19700101T000002Z.backup",
                "stockroom-19700101T000003Z.backup",
                "stockroom-mine.backup",
                "stockroom-running.backup.partial",
            ]
        );
    }
}
