//! Parses `SUMMARY.md`, the list of chapters.

use std::path::{Path, PathBuf};

/// A chapter in the summary.
pub(crate) struct Entry {
    /// The title in lists of chapters.
    pub(crate) title: String,
    /// The name of its page.
    pub(crate) page: String,
    /// Its Markdown file.
    pub(crate) source: PathBuf,
    /// The part of the guide that it belongs to; none before the first one.
    pub(crate) part: Option<String>,
}

impl Entry {
    pub(crate) fn new(title: &str, file: &str, folder: &Path, part: Option<&str>) -> Self {
        Self {
            title: title.to_owned(),
            page: page(file),
            source: folder.join(file),
            part: part.map(str::to_owned),
        }
    }
}

/// The chapters that a summary links to.
pub(crate) fn entries(summary: &str, folder: &Path) -> Vec<Entry> {
    // The first heading is that of the whole summary.
    let mut headings = 0;
    let mut part = None;
    let links = summary.lines().filter_map(|line| {
        if let Some(heading) = line.strip_prefix("# ") {
            headings += 1;
            part = (headings > 1).then_some(heading);
        }
        let link = line.trim_start().trim_start_matches("- ");
        let (title, file) = link.strip_prefix('[')?.split_once("](")?;
        Some(Entry::new(title, file.strip_suffix(')')?, folder, part))
    });
    links.collect()
}

/// The page of a Markdown file; the README is the first page, as in mdBook.
pub(crate) fn page(file: &str) -> String {
    match file.strip_suffix(".md").unwrap_or(file) {
        "README" => "index.html".to_owned(),
        name => format!("{name}.html"),
    }
}
