//! Refuses workbooks that unpack to more than they should, before calamine reads them. It holds the
//! texts, styles and names of a workbook in memory, and repeats some of them.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use super::parts::{Kind, Parts, is_links, normal};
use super::{lengths, well_formed};
use crate::{Error, Limits, foreign};

/// The files that a workbook may consist of.
const ENTRIES: usize = 2_000;
/// The sheets that it may have.
pub(super) const SHEETS: usize = 10_000;
/// The bytes of the tag of a sheet. Calamine keeps its name several times.
const SHEET_BYTES: usize = 4 * 1_024;
/// The names of ranges that it may have, and the links of one of its files.
pub(super) const NAMES: usize = 200_000;
/// The texts in its list. Each takes 24 bytes, and 32 more unless it is empty.
const TEXTS: u64 = 2_000_000;
/// The bytes of the shortest text in the list of texts.
const TEXT_BYTES: u64 = 5;
/// The styles, fonts, fills, borders and formats. A style takes some 200 bytes.
const STYLES: usize = 250_000;
/// The bytes of the longest link between its files. Each sheet repeats one.
pub(super) const LINK_BYTES: usize = 16 * 1_024;
/// How many bytes a byte of a text may take in XML, as `&quot;` or `&#x1F600;`.
const ESCAPED: usize = 10;
/// How zip archives begin.
const ZIP: &[u8] = b"PK\x03\x04";

/// Returns whether a sheet has formulas.
pub(super) fn check(input: &mut (impl Read + Seek), limits: &Limits) -> Result<bool, Error> {
    check_beginning(input)?;
    let mut archive = ZipArchive::new(&mut *input).map_err(broken)?;
    let entries = archive.len();
    if entries > ENTRIES {
        return Err(limit("files in the workbook", ENTRIES as u64));
    }
    let mut unpacked = Unpacked::default();
    let mut parts = Parts::default();
    let mut files = Vec::with_capacity(entries);
    for index in 0..entries {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let name = normal(&entry.name().map_err(broken)?);
        if is_links(&name) {
            unpacked.add(&mut entry, Kind::Links, limits)?;
            drop(entry);
            parts.read(archive.by_index(index).map_err(broken)?)?;
        } else {
            files.push((index, name));
        }
    }
    for (index, name) in files {
        let kind = parts.kind(&name);
        let mut entry = archive.by_index(index).map_err(broken)?;
        let size = unpacked.add(&mut entry, kind, limits)?;
        drop(entry);
        if matches!(kind, Kind::Sheet | Kind::Texts) && size > text_bytes(limits) as u64 {
            let entry = archive.by_index(index).map_err(broken)?;
            if lengths::longest_text(entry) > text_bytes(limits) {
                return Err(limit("bytes in a cell", limits.cell_bytes as u64));
            }
        }
        let entry = archive.by_index(index).map_err(broken)?;
        match kind {
            Kind::Texts => check_texts(entry, size)?,
            Kind::Styles => check_styles(entry, limits)?,
            Kind::Book => check_book(entry)?,
            Kind::Sheet => well_formed::check(entry)?,
            Kind::Links | Kind::Other => {}
        }
    }
    input.rewind()?;
    Ok(unpacked.has_formulas)
}

/// The bytes of the longest text in XML.
fn text_bytes(limits: &Limits) -> usize {
    limits.cell_bytes.saturating_mul(ESCAPED)
}

fn check_beginning(input: &mut (impl Read + Seek)) -> Result<(), Error> {
    let mut beginning = Vec::new();
    input.seek(SeekFrom::Start(0))?;
    input
        .by_ref()
        .take(foreign::BEGINNING as u64)
        .read_to_end(&mut beginning)?;
    let message = match foreign::refusal(&beginning) {
        Some(message) => message,
        None if beginning.starts_with(ZIP) => return Ok(()),
        None => "it is no workbook (.xlsx)",
    };
    Err(Error::Unreadable(message.to_owned()))
}

/// What was unpacked so far.
#[derive(Default)]
struct Unpacked {
    all: u64,
    text: u64,
    has_formulas: bool,
}

impl Unpacked {
    /// Unpacks an entry, and gives its size. What its header says of that may be a lie.
    fn add(&mut self, entry: &mut impl Read, kind: Kind, limits: &Limits) -> Result<u64, Error> {
        let before = self.all;
        let mut bytes = vec![0; 64 * 1_024];
        let mut kept = 0;
        let text = text_bytes(limits);
        let mut piece = Piece {
            most: if kind == Kind::Sheet {
                text
            } else {
                text.max(LINK_BYTES)
            },
            bytes: 0,
        };
        loop {
            let read = match entry.read(bytes.get_mut(kept..).unwrap_or_default()) {
                Ok(0) => return Ok(self.all - before),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(broken(ZipError::Io(error))),
            };
            self.all += read as u64;
            self.text += if kind == Kind::Sheet { 0 } else { read as u64 };
            if self.all > limits.workbook_bytes {
                return Err(limit("bytes, unpacked,", limits.workbook_bytes));
            }
            if self.text > limits.workbook_text_bytes {
                return Err(limit(
                    "bytes of texts and styles, unpacked,",
                    limits.workbook_text_bytes,
                ));
            }
            let filled = bytes.get(..kept + read).unwrap_or_default();
            if kind == Kind::Sheet {
                self.has_formulas = self.has_formulas || has_formula(filled);
            }
            if kind != Kind::Other {
                piece.add(filled.get(kept..).unwrap_or_default(), limits)?;
            }
            // A tag may be cut in two.
            let rest = filled.len().min(TAG - 1);
            let start = filled.len() - rest;
            bytes.copy_within(start..start + rest, 0);
            kept = rest;
        }
    }
}

/// A tag with the text behind it. Calamine holds it whole, several times.
struct Piece {
    most: usize,
    bytes: usize,
}

impl Piece {
    fn add(&mut self, read: &[u8], limits: &Limits) -> Result<(), Error> {
        let mut begin = 0;
        for tag in memchr::memchr_iter(b'<', read).chain([read.len()]) {
            self.bytes += tag - begin;
            if self.bytes > self.most {
                return Err(limit("bytes in a cell", limits.cell_bytes as u64));
            }
            if tag < read.len() {
                (self.bytes, begin) = (0, tag);
            }
        }
        Ok(())
    }
}

/// Whether the tag of a formula begins in the bytes, maybe with a prefix.
fn has_formula(bytes: &[u8]) -> bool {
    let mut tags = memchr::memchr_iter(b'f', bytes);
    tags.any(|at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let behind = bytes.get(at + 1);
        matches!(before, Some(b'<' | b':'))
            && behind.is_some_and(|byte| matches!(byte, b'/' | b'>') || byte.is_ascii_whitespace())
    })
}

/// The length of `<f` and the character behind it.
const TAG: usize = 3;

/// Refuses a list of too many texts, or one that claims to be longer than it can be: calamine
/// allocates its length.
fn check_texts(entry: impl Read, size: u64) -> Result<(), Error> {
    let (mut texts, mut is_broken, mut is_inside) = (0, false, false);
    tags(entry, |name, tag| {
        if name == "sst" && !is_inside {
            let counts = tag.split("uniqueCount").skip(1).filter_map(leading_number);
            let claimed = counts.max().unwrap_or_default();
            is_broken = claimed > size / TEXT_BYTES;
            is_inside = true;
            texts = if claimed > TEXTS { claimed } else { 0 };
        }
        texts += u64::from(name == "si");
        !is_broken && texts <= TEXTS
    })?;
    if is_broken {
        return Err(Error::Unreadable("its list of texts is broken".to_owned()));
    }
    if texts > TEXTS {
        return Err(limit("texts in the workbook", TEXTS));
    }
    Ok(())
}

/// The number in `="7"`, at most `u64::MAX`.
fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches(|first: char| !first.is_ascii_digit());
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let digits = text.get(..digits).filter(|digits| !digits.is_empty())?;
    Some(digits.parse().unwrap_or(u64::MAX))
}

/// Refuses styles that take too much memory: calamine copies names and formats into each of them.
fn check_styles(entry: impl Read, limits: &Limits) -> Result<(), Error> {
    let (mut styles, mut parts, mut longest) = (0_u64, 0, 0_u64);
    tags(entry, |name, tag| {
        styles += u64::from(name == "xf");
        parts += usize::from(matches!(name, "xf" | "font" | "fill" | "border" | "numFmt"));
        if name != "styleSheet" {
            longest = longest.max(tag.len() as u64);
        }
        parts <= STYLES
    })?;
    if parts > STYLES {
        return Err(limit("styles", STYLES as u64));
    }
    // The name of a font and a format.
    if styles.saturating_mul(2).saturating_mul(longest) > limits.workbook_text_bytes {
        return Err(limit("bytes of styles", limits.workbook_text_bytes));
    }
    Ok(())
}

fn check_book(entry: impl Read) -> Result<(), Error> {
    let (mut sheets, mut names, mut longest) = (0, 0, 0);
    tags(entry, |name, tag| {
        sheets += usize::from(name == "sheet");
        names += usize::from(name == "definedName");
        if name == "sheet" {
            longest = longest.max(tag.len());
        }
        sheets <= SHEETS && names <= NAMES
    })?;
    if sheets > SHEETS {
        return Err(limit("sheets", SHEETS as u64));
    }
    if names > NAMES {
        return Err(limit("names in the workbook", NAMES as u64));
    }
    if longest > SHEET_BYTES {
        return Err(limit("bytes in the name of a sheet", SHEET_BYTES as u64));
    }
    Ok(())
}

/// Passes on the local name and the text of tags, until `each` is false.
pub(super) fn tags(
    entry: impl Read,
    mut each: impl FnMut(&str, &str) -> bool,
) -> Result<(), Error> {
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(entry));
    // As calamine does, so that both see the same tags.
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let goes_on = match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag) | Event::Empty(tag)) => each(tag.local_name().as_ref(), &tag),
            // Calamine fails at errors, too.
            Ok(Event::Eof) | Err(_) => false,
            Ok(_) => true,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

pub(super) fn limit(what: &'static str, limit: u64) -> Error {
    Error::Limit { what, limit }
}

/// An archive that cannot be unpacked, unless the input itself failed.
fn broken(error: ZipError) -> Error {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    match error {
        ZipError::Io(error)
            if !matches!(
                error.kind(),
                InvalidData | InvalidInput | Other | UnexpectedEof
            ) =>
        {
            Error::Input(error)
        }
        error => Error::Unreadable(format!("it is a broken workbook: {error}")),
    }
}
