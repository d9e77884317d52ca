//! Writes what Stockroom has no place for into a folder.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use stockroom_datagerry::{
    Converted, Dump as _, Inventory, LOCATIONS, Leftover, Objects, Report, leftover, multi_data,
};

use super::files::Files;
use super::source::Source;

/// Longest name of a file, before its extension.
const MAX_NAME: usize = 100;

/// The folder.
pub(crate) struct Leftovers<'s> {
    folder: &'s Path,
    source: &'s Source,
}

impl<'s> Leftovers<'s> {
    /// Writes everything into a folder, which must be new or empty.
    pub(crate) fn write(
        folder: &'s Path,
        source: &'s Source,
        inventory: &Inventory,
    ) -> anyhow::Result<()> {
        let leftovers = Self { folder, source };
        let shown = folder.display();
        fs::create_dir_all(folder).with_context(|| format!("cannot make {shown}"))?;
        let mut entries = fs::read_dir(folder).with_context(|| format!("cannot read {shown}"))?;
        ensure!(entries.next().is_none(), "{shown} is not empty");
        leftovers.objects(inventory)?;
        leftovers.records(inventory)?;
        for collection in source.collections() {
            let is_whole = matches!(leftover(&collection), Leftover::Lines(_));
            // Only the tree of locations is moved.
            if is_whole || collection == LOCATIONS {
                leftovers.lines_of(&collection)?;
            }
        }
        Files::write(folder, source)
    }

    /// Records other than objects that are not moved, and members of those that are.
    fn records(&self, inventory: &Inventory) -> anyhow::Result<()> {
        let lists = [
            ("left-out", &inventory.left_out),
            ("members-left-out", &inventory.members_left_out),
        ];
        for (what, list) in lists {
            let mut files = BTreeMap::new();
            for (kind, line) in list {
                let name = format!("{}-{what}", kind.name());
                let lines = files.entry(*kind);
                let lines = lines.or_insert_with(|| Lines::new(self.folder, &name));
                lines.add(line)?;
            }
            for lines in files.into_values() {
                lines.finish()?;
            }
        }
        Ok(())
    }

    /// The rows of multi-data sections, objects that are not moved, and members that are not.
    fn objects(&self, inventory: &Inventory) -> anyhow::Result<()> {
        let mut rows = Lines::new(self.folder, "multi-data-sections");
        let mut objects_left_out = Lines::new(self.folder, "objects-left-out");
        let mut members = Lines::new(self.folder, "objects-members-left-out");
        let (mut objects, mut ignored) = (Objects::of(inventory), Report::default());
        let mut failure = Ok(());
        let read = self.source.each("framework.objects", &mut |document| {
            let whole = Value::Object(document.members.clone());
            let sections = multi_data(&document);
            let Some(Converted { body, left_out }) = objects.convert(document, &mut ignored)?
            else {
                return stop_at(&mut failure, objects_left_out.add(&whole));
            };
            let line = sections.map_or(Ok(()), |sections| rows.add(&sections));
            let line = line.and_then(|()| match left_out {
                Some(left_out) => {
                    let name = format!("object {}", body["public_id"]);
                    members.add(&json!({"record": name, "left_out": left_out}))
                }
                None => Ok(()),
            });
            stop_at(&mut failure, line)
        });
        failure?;
        read?;
        rows.finish()?;
        members.finish()?;
        objects_left_out.finish()
    }

    fn lines_of(&self, collection: &str) -> anyhow::Result<()> {
        let mut lines = Lines::new(self.folder, collection);
        let mut failure = Ok(());
        let read = self.source.each(collection, &mut |document| {
            stop_at(&mut failure, lines.add(&Value::Object(document.members)))
        });
        failure?;
        read?;
        lines.finish()
    }
}

/// Keeps the failure of a write and stops the reader.
pub(super) fn stop_at(
    failure: &mut anyhow::Result<()>,
    written: anyhow::Result<()>,
) -> Result<(), stockroom_datagerry::Error> {
    written.map_err(|error| {
        *failure = Err(error);
        stockroom_datagerry::Error::Stopped
    })
}

/// A file of JSON lines, made with the first line.
pub(super) struct Lines {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Lines {
    pub(super) fn new(folder: &Path, name: &str) -> Self {
        Self {
            path: folder.join(format!("{}.ndjson", safe(name))),
            file: None,
        }
    }

    pub(super) fn add(&mut self, line: &Value) -> anyhow::Result<()> {
        let failed = || format!("cannot write {}", self.path.display());
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let made = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&self.path);
                none.insert(BufWriter::new(made.with_context(failed)?))
            }
        };
        writeln!(file, "{line}").with_context(failed)
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Some(mut file) = self.file else {
            return Ok(());
        };
        file.flush()
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A name without characters that mean something in paths.
pub(super) fn safe(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let letters = name.chars().take(MAX_NAME);
    let safe: String = letters
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    safe.trim_start_matches('.').to_owned()
}
