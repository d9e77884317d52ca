//! The statements that tests recorded, one file each.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// One recorded statement.
pub(crate) struct Statement {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Statement {
    /// Reads all statements in a folder, sorted by name; none if the folder does not exist.
    pub(crate) fn read_all(folder: &Path) -> anyhow::Result<Vec<Self>> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "sql") {
                let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                let text = text.trim().trim_end_matches(';').to_owned();
                found.push(Self {
                    name: path.display().to_string(),
                    text,
                });
            }
        }
        found.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(found)
    }

    /// The message about a refused statement.
    pub(crate) fn refused(&self, reason: &str) -> String {
        format!(
            "{}: {}\n  {}",
            self.name,
            reason.trim(),
            self.text.replace('\n', "\n  ")
        )
    }
}
