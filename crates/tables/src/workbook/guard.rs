//! Refuses workbooks that unpack to more than they should, before calamine reads them. It holds the
//! texts, styles and names of a workbook in memory, and repeats some of them.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use memchr::memmem;
use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::{Error, Limits, foreign};

/// The files that a workbook may consist of.
const ENTRIES: usize = 2_000;
/// The sheets that it may have.
const SHEETS: usize = 10_000;
/// The bytes of the shortest text in the list of texts.
const TEXT_BYTES: u64 = 5;
/// The bytes of the longest link between its files. Each sheet repeats one.
const LINK_BYTES: usize = 16 * 1_024;
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
    let mut sizes = Vec::with_capacity(entries);
    for index in 0..entries {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let kind = Kind::of(&entry.name().map_err(broken)?);
        sizes.push(unpacked.add(&mut entry, kind, limits)?);
    }
    for (index, size) in sizes.into_iter().enumerate() {
        let entry = archive.by_index(index).map_err(broken)?;
        match Kind::of(&entry.name().map_err(broken)?) {
            Kind::Texts => check_texts(entry, size)?,
            Kind::Styles => check_styles(entry, limits)?,
            Kind::Links => check_links(entry)?,
            Kind::Sheet | Kind::Other => {}
        }
    }
    input.rewind()?;
    Ok(unpacked.has_formulas)
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

/// What calamine takes an entry for. It ignores the case of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sheet,
    Texts,
    Styles,
    Links,
    Other,
}

impl Kind {
    fn of(name: &str) -> Self {
        let name = name.replace('\\', "/").to_ascii_lowercase();
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
        if name.ends_with("sharedstrings.xml") {
            Self::Texts
        } else if name.ends_with("styles.xml") {
            Self::Styles
        } else if file
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending == "rels")
        {
            Self::Links
        } else if folder.ends_with("worksheets") && file.starts_with("sheet") {
            Self::Sheet
        } else {
            Self::Other
        }
    }
}

/// What was unpacked so far.
#[derive(Default)]
struct Unpacked {
    all: u64,
    text: u64,
    sheets: usize,
    has_formulas: bool,
}

impl Unpacked {
    /// Unpacks an entry, and gives its size. What its header says of that may be a lie.
    fn add(&mut self, entry: &mut impl Read, kind: Kind, limits: &Limits) -> Result<u64, Error> {
        let before = self.all;
        let mut bytes = vec![0; 64 * 1_024];
        let tag = memmem::Finder::new("sheet");
        let mut kept = 0;
        let mut piece = Piece {
            most: limits.cell_bytes.saturating_mul(ESCAPED),
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
                piece.add(filled.get(kept..).unwrap_or_default(), limits)?;
            }
            self.sheets += tag
                .find_iter(filled)
                .filter(|at| is_tag(filled, *at))
                .count();
            if self.sheets > SHEETS {
                return Err(limit("sheets", SHEETS as u64));
            }
            // A tag may be cut in two.
            let rest = filled.len().min(TAG - 1);
            let start = filled.len() - rest;
            bytes.copy_within(start..start + rest, 0);
            kept = rest;
        }
    }
}

/// A tag of a sheet with the text behind it. Calamine holds it whole, several times.
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

/// The length of `<sheet` and the character behind it.
const TAG: usize = 7;

/// Whether a word begins an element, maybe with a prefix.
fn is_tag(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let behind = bytes.get(at + TAG - 2);
    matches!(before, Some(b'<' | b':'))
        && behind.is_some_and(|byte| matches!(byte, b'/' | b'>') || byte.is_ascii_whitespace())
}

/// Refuses a list of texts that claims to be longer than it can be: calamine allocates its length.
fn check_texts(entry: impl Read, size: u64) -> Result<(), Error> {
    let mut error = None;
    tags(entry, |name, tag| {
        let is_list = name == "sst";
        let mut counts = tag.split("uniqueCount").skip(1).filter_map(leading_number);
        if is_list && counts.any(|count| count > size / TEXT_BYTES) {
            error = Some(Error::Unreadable("its list of texts is broken".to_owned()));
        }
        !is_list
    })?;
    error.map_or(Ok(()), Err)
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
    let (mut styles, mut longest) = (0_u64, 0_u64);
    tags(entry, |name, tag| {
        styles += u64::from(name == "xf");
        longest = longest.max(tag.len() as u64);
        true
    })?;
    if styles.saturating_mul(longest) > limits.workbook_bytes {
        return Err(limit("bytes of styles", limits.workbook_bytes));
    }
    Ok(())
}

fn check_links(entry: impl Read) -> Result<(), Error> {
    let mut longest = 0;
    tags(entry, |_, tag| {
        longest = longest.max(tag.len());
        true
    })?;
    if longest > LINK_BYTES {
        return Err(limit(
            "bytes in a link between its files",
            LINK_BYTES as u64,
        ));
    }
    Ok(())
}

/// Passes on the local name and the text of tags, until `each` is false.
fn tags(entry: impl Read, mut each: impl FnMut(&str, &str) -> bool) -> Result<(), Error> {
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

fn limit(what: &'static str, limit: u64) -> Error {
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
