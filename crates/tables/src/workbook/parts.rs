//! What the files of a workbook are, by their names and the links between them.

use std::collections::HashSet;
use std::io::Read;

use super::guard::{LINK_BYTES, NAMES, SHEETS, limit, tags};
use crate::Error;

/// What calamine takes an entry for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sheet,
    /// The list of sheets and names.
    Book,
    Texts,
    /// The styles, and the theme with their colours.
    Styles,
    Links,
    Other,
}

/// A name as calamine compares it.
pub(super) fn normal(name: &str) -> String {
    name.replace('\\', "/").to_ascii_lowercase()
}

pub(super) fn is_links(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending == Some("rels")
}

/// The name of a file without its folder.
fn file_name(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, file)| file)
}

/// The files that links call sheets and lists of sheets, without their folders: their names are
/// free.
#[derive(Default)]
pub(super) struct Parts {
    sheets: HashSet<String>,
    books: HashSet<String>,
}

impl Parts {
    /// Reads the links of a file.
    pub(super) fn read(&mut self, entry: impl Read) -> Result<(), Error> {
        let (mut longest, mut links) = (0, 0);
        tags(entry, |_, tag| {
            longest = longest.max(tag.len());
            links += 1;
            let is = |kind| quoted(tag, "Type").any(|value| file_name(value) == kind);
            if is("worksheet") {
                self.sheets.extend(targets(tag));
            }
            if is("officeDocument") {
                self.books.extend(targets(tag));
            }
            links <= NAMES && self.sheets.len() + self.books.len() <= SHEETS
        })?;
        if longest > LINK_BYTES {
            let what = "bytes in a link between its files";
            return Err(limit(what, LINK_BYTES as u64));
        }
        if links > NAMES {
            return Err(limit("links in a file of the workbook", NAMES as u64));
        }
        if self.sheets.len() + self.books.len() > SHEETS {
            return Err(limit("sheets", SHEETS as u64));
        }
        Ok(())
    }

    pub(super) fn kind(&self, name: &str) -> Kind {
        let file = file_name(name);
        if name.ends_with("sharedstrings.xml") {
            Kind::Texts
        } else if name.ends_with("styles.xml") || name.ends_with("theme1.xml") {
            Kind::Styles
        } else if file == "workbook.xml" || self.books.contains(file) {
            Kind::Book
        } else if self.sheets.contains(file) {
            Kind::Sheet
        } else {
            Kind::Other
        }
    }
}

/// The files that a link may mean: calamine decodes some of these names.
fn targets(tag: &str) -> impl Iterator<Item = String> {
    quoted(tag, "Target").flat_map(|target| {
        let decoded = quick_xml::escape::unescape(target).unwrap_or_default();
        [target, &decoded].map(|target| file_name(&normal(target)).to_owned())
    })
}

/// The values of an attribute, and maybe others: names may stand in values, too.
fn quoted<'t>(tag: &'t str, attribute: &str) -> impl Iterator<Item = &'t str> {
    let places = tag.match_indices(attribute);
    places.filter_map(|(at, name)| {
        let rest = tag.get(at + name.len()..)?;
        let (_, rest) = rest.split_at_checked(rest.find(['"', '\''])?)?;
        let quote = rest.chars().next()?;
        rest.get(1..)?.split(quote).next()
    })
}
