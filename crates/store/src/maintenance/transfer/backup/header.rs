//! The readable head of a backup file: two lines.

use std::io::{self, BufRead, Read as _, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use stockroom_model::Timestamp;

use crate::Error;
use crate::engine::driver::Dialect;
use crate::engine::migrate;
use crate::maintenance::transfer::Origin;

const MAGIC: &str = "stockroom-backup ";
const FORMAT: u32 = 1;
/// Far more than a header needs: other files may have no line ends.
const MAX_LINE_BYTES: u64 = 64 * 1_024;

/// What a backup file says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// When the backup was made.
    time: String,
    /// The release that made it.
    release: String,
    /// The engine of the database.
    engine: String,
    /// The newest migration of the database.
    schema: i64,
    /// Versions and checksums of all its migrations.
    migrations: Vec<(i64, String)>,
}

impl Header {
    pub(super) fn new(origin: &Origin, now: Timestamp) -> Self {
        let engine = match origin.engine {
            Dialect::Sqlite => "sqlite",
            Dialect::Postgres => "postgresql",
        };
        Self {
            time: format!("{}Z", now.to_iso()),
            release: env!("CARGO_PKG_VERSION").to_owned(),
            engine: engine.to_owned(),
            schema: origin.migrations.last().map_or(0, |(version, _)| *version),
            migrations: origin.migrations.clone(),
        }
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{MAGIC}{FORMAT}\n{}", serde_json::to_string(self)?)
    }

    /// Reads the lines.
    ///
    /// # Errors
    ///
    /// It is no backup, or one that this release cannot restore.
    pub(super) fn read(input: &mut impl BufRead, path: &Path) -> Result<Self, Error> {
        let refused = |reason: String| Error::Backup {
            path: path.display().to_string(),
            reason,
        };
        let first = line(input).unwrap_or_default();
        let format = first
            .strip_prefix(MAGIC)
            .ok_or_else(|| refused("is not a backup of Stockroom".to_owned()))?;
        if format != FORMAT.to_string() {
            return Err(refused(format!(
                "has the format {format}, this release knows {FORMAT}: restore it with the release that made it"
            )));
        }
        let header: Self = line(input)
            .and_then(|text| serde_json::from_str(&text).ok())
            .ok_or_else(|| refused("is damaged: its header cannot be read".to_owned()))?;
        header.check().map_err(refused)?;
        Ok(header)
    }

    pub(super) fn origin(&self) -> Origin {
        let engine = if self.engine == "sqlite" {
            Dialect::Sqlite
        } else {
            Dialect::Postgres
        };
        Origin {
            engine,
            migrations: self.migrations.clone(),
        }
    }

    fn check(&self) -> Result<(), String> {
        let release = &self.release;
        match migrate::check_applied(&self.migrations) {
            Ok(()) if self.migrations.is_empty() => Err("is damaged: it has no schema".to_owned()),
            Ok(()) => Ok(()),
            Err(Error::Newer { found, known }) => Err(format!(
                "is at migration {found}, this release knows {known}: restore it with Stockroom {release} or newer"
            )),
            Err(error) => Err(format!("cannot be restored by this release: {error}")),
        }
    }
}

/// A line without its end; `None` if it is not a complete line of text.
fn line(input: &mut impl BufRead) -> Option<String> {
    let mut text = String::new();
    input.take(MAX_LINE_BYTES).read_line(&mut text).ok()?;
    text.strip_suffix('\n').map(str::to_owned)
}
