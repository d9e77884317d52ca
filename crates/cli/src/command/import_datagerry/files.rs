//! Writes the files that DATAGERRY keeps in `GridFS`: chunks of a file are documents.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use stockroom_datagerry::{CHUNKS, Dump as _, FILES};

use super::leftovers::{Lines, safe, stop_at};
use super::source::Source;
use crate::logging::complain;

/// Maximum number of files.
const MAX_FILES: usize = 1_000_000;

/// The files of a dump, by their ids.
pub(crate) struct Files {
    folder: PathBuf,
    known: HashMap<String, Entry>,
    /// The file that was written last.
    open: Option<(String, File)>,
}

struct Entry {
    name: String,
    length: u64,
    chunk: u64,
    written: u64,
}

impl Files {
    /// Writes each file to `files`, and what is known of it to `files.ndjson`.
    pub(crate) fn write(folder: &Path, source: &Source) -> anyhow::Result<()> {
        let mut files = Self {
            folder: folder.join("files"),
            known: HashMap::new(),
            open: None,
        };
        files.list(folder, source)?;
        if files.known.is_empty() {
            return Ok(());
        }
        files.contents(source)?;
        for entry in files
            .known
            .values()
            .filter(|entry| entry.written != entry.length)
        {
            let Entry {
                name,
                length,
                written,
                ..
            } = entry;
            complain(&format!(
                "{name} is incomplete: it has {written} of {length} bytes"
            ));
        }
        Ok(())
    }

    fn list(&mut self, folder: &Path, source: &Source) -> anyhow::Result<()> {
        let (mut lines, mut failure) = (Lines::new(folder, "files"), Ok(()));
        let read = source.each(FILES, &mut |document| {
            stop_at(&mut failure, self.add(document.members, &mut lines))
        });
        failure?;
        read?;
        lines.finish()
    }

    fn add(&mut self, mut members: Map<String, Value>, lines: &mut Lines) -> anyhow::Result<()> {
        ensure!(
            self.known.len() < MAX_FILES,
            "there are more than {MAX_FILES} files"
        );
        if self.known.is_empty() {
            let made = fs::create_dir(&self.folder);
            made.with_context(|| format!("cannot make {}", self.folder.display()))?;
        }
        let number = |key: &str| members.get(key).and_then(Value::as_u64);
        let sent = members.get("filename").and_then(Value::as_str);
        let name = format!(
            "{:06}-{}",
            self.known.len() + 1,
            safe(sent.unwrap_or_default())
        );
        let entry = Entry {
            length: number("length").unwrap_or_default(),
            chunk: number("chunkSize").unwrap_or_default(),
            written: 0,
            name: name.clone(),
        };
        let path = self.folder.join(&name);
        File::create_new(&path).with_context(|| format!("cannot make {}", path.display()))?;
        if let Some(id) = members.get("_id") {
            self.known.insert(id.to_string(), entry);
        }
        members.insert(
            "written_to".to_owned(),
            Value::String(format!("files/{name}")),
        );
        lines.add(&Value::Object(members))
    }

    fn contents(&mut self, source: &Source) -> anyhow::Result<()> {
        let mut failure = Ok(());
        let read = source.each(CHUNKS, &mut |document| {
            stop_at(&mut failure, self.chunk(&document.members))
        });
        failure?;
        Ok(read?)
    }

    /// Writes a chunk to its place; chunks of no file, or beyond its end, are left out.
    fn chunk(&mut self, members: &Map<String, Value>) -> anyhow::Result<()> {
        let id = members
            .get("files_id")
            .map(Value::to_string)
            .unwrap_or_default();
        let bytes = members.get("data").and_then(Value::as_str);
        let bytes = bytes
            .and_then(|text| STANDARD.decode(text).ok())
            .unwrap_or_default();
        let Some(entry) = self.known.get_mut(&id) else {
            return Ok(());
        };
        let number = members.get("n").and_then(Value::as_u64);
        let start = number.and_then(|number| number.checked_mul(entry.chunk));
        let length = bytes.len() as u64;
        let end = start.and_then(|start| start.checked_add(length));
        let (Some(start), Some(end)) = (start, end) else {
            return Ok(());
        };
        if end > entry.length || bytes.is_empty() {
            return Ok(());
        }
        entry.written += length;
        let path = self.folder.join(&entry.name);
        let failed = || format!("cannot write {}", path.display());
        if self.open.as_ref().is_none_or(|(open, _)| *open != id) {
            let opened = OpenOptions::new()
                .write(true)
                .open(&path)
                .with_context(failed)?;
            self.open = Some((id, opened));
        }
        if let Some((_, file)) = &mut self.open {
            file.seek(SeekFrom::Start(start)).with_context(failed)?;
            file.write_all(&bytes).with_context(failed)?;
        }
        Ok(())
    }
}
