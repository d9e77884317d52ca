//! The format of a file, by its beginning.

use crate::beginning::TITLE;

/// The format of a file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Cells between separators (RFC 4180).
    Csv,
    /// A workbook of Excel.
    Xlsx,
    /// A list of documents.
    Json,
    /// A document on each line.
    Ndjson,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Xlsx, Self::Json, Self::Ndjson];

    /// The word in parameters, which is also the end of a file's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    /// The format of a word in parameters.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == word)
    }

    /// The format that the name of a file tells.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match &*ending.to_ascii_lowercase() {
            "txt" | "tsv" => Some(Self::Csv),
            "jsonl" => Some(Self::Ndjson),
            other => Self::named(other),
        }
    }

    /// The format of a file that begins with these bytes.
    #[must_use]
    pub fn of_bytes(beginning: &[u8]) -> Self {
        if beginning.starts_with(b"PK\x03\x04") {
            return Self::Xlsx;
        }
        let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        match text.trim_ascii_start() {
            [b'{', ..] => Self::Ndjson,
            [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [b'{' | b']', ..]) => Self::Json,
            _ => Self::Csv,
        }
    }
}

/// The characters that may separate cells. The first is the default.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// The lines by which the separator is found.
const LINES: usize = 50;

/// The separator that most lines agree on.
pub(crate) fn separator(beginning: &str) -> u8 {
    let score = |separator: u8| {
        let mut counts = counts(beginning, separator);
        // The last line may be cut off.
        if counts.len() > 1 {
            counts.pop();
        }
        let title = counts.iter().take_while(|count| **count == 0).count();
        let lines = counts.get(title..).unwrap_or_default();
        let first = lines.first().copied().unwrap_or_default();
        let alike = lines.iter().filter(|count| **count == first).count();
        // A title has none, but then all lines must agree.
        let is_table = title == 0 || title <= TITLE && lines.len() > 1 && alike == lines.len();
        let score = (alike * 100 / lines.len().max(1), title == 0, first);
        (first > 0 && is_table).then_some(score)
    };
    // The last of equal ones wins.
    let candidates = SEPARATORS.into_iter().rev();
    candidates
        .max_by_key(|separator| score(*separator))
        .unwrap_or(b',')
}

/// How many separators each line has, outside of quotes. Blank lines do not count.
fn counts(text: &str, separator: u8) -> Vec<usize> {
    let (mut counts, mut count) = (Vec::new(), 0);
    let (mut is_quoted, mut is_blank) = (false, true);
    for byte in text.bytes() {
        if matches!(byte, b'\n' | b'\r') && !is_quoted {
            if !is_blank {
                counts.push(count);
            }
            (count, is_blank) = (0, true);
            if counts.len() == LINES {
                return counts;
            }
            continue;
        }
        is_blank = false;
        is_quoted ^= byte == b'"';
        count += usize::from(byte == separator && !is_quoted);
    }
    counts.push(count);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_found() {
        for (text, expected) in [
            ("a,b\n1,2\n", ','),
            ("a;b\n1,5;2\n3,7;4\n", ';'),
            ("a\tb, c\n1\t2\n", '\t'),
            ("a|b\n1|2\n", '|'),
            ("\"a,b\";c\n\"d,e,f\";g\n", ';'),
            ("name\nweb-01\n", ','),
            ("", ','),
            ("a;b", ';'),
            ("\n\na;b\n\n1;2\n", ';'),
            ("a|b\r1|2\r", '|'),
            ("All assets\n\nof 2026\na;b\n1,5;2\n3;4\n", ';'),
            ("All assets\na;b\n1;2\n", ';'),
            ("note\nweb\na;b\nc\n", ','),
        ] {
            assert_eq!(char::from(separator(text)), expected, "{text:?}");
        }
    }

    #[test]
    fn formats_are_found() {
        for (bytes, expected) in [
            (&b"PK\x03\x04\x14"[..], Format::Xlsx),
            (b"\xef\xbb\xbf [\n {\"a\": 1}]", Format::Json),
            (b"[]", Format::Json),
            (b"{\"a\": 1}\n", Format::Ndjson),
            (b"[a],b\n", Format::Csv),
            (b"", Format::Csv),
        ] {
            assert_eq!(Format::of_bytes(bytes), expected);
        }
        assert_eq!(Format::of_file("Assets 2026.CSV"), Some(Format::Csv));
        assert_eq!(Format::of_file("a.xlsx"), Some(Format::Xlsx));
        assert_eq!(Format::of_file("a.pdf"), None);
    }
}
