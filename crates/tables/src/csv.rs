//! CSV (RFC 4180) that spreadsheets open safely and that can be read back without loss
//! (`docs/guide/src/exports.md`). Pure.
//!
//! | cell | value |
//! |---|---|
//! | nothing | null |
//! | `""` | the empty text |
//! | `\` | none: the object has no such field |
//! | `\` and JSON | a value that would be mistaken for another one |
//! | `\\…` | a text that begins with `\` |
//! | anything else | fields of texts: a text; other fields: JSON, or else a text |

pub mod cell;
pub mod defuse;

pub(crate) mod reader;
mod split;

pub use cell::Cell;
pub use defuse::{defuse, undo};

/// The last column of files with refused rows: why each row was refused.
pub const PROBLEM: &str = "import_problem";

/// The end of a line.
const END: &str = "\r\n";

/// Writes lines of cells.
#[derive(Debug, Clone, Copy)]
pub struct Writer {
    separator: u8,
}

impl Writer {
    /// A writer of cells between this ASCII character.
    #[must_use]
    pub const fn new(separator: u8) -> Self {
        Self { separator }
    }

    /// Appends a line.
    pub fn line<'c>(self, out: &mut String, cells: impl IntoIterator<Item = Cell<'c>>) {
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                out.push(char::from(self.separator));
            }
            match cell {
                Cell::Nothing => {}
                Cell::Number(text) => self.text(out, text),
                Cell::Text(text) => self.text(out, &defuse(&text)),
            }
        }
        out.push_str(END);
    }

    fn text(self, out: &mut String, text: &str) {
        let is_special =
            |byte: &u8| matches!(byte, b'"' | b'\r' | b'\n') || *byte == self.separator;
        if !text.is_empty() && !text.as_bytes().iter().any(is_special) {
            out.push_str(text);
            return;
        }
        out.push('"');
        for (index, part) in text.split('"').enumerate() {
            if index > 0 {
                out.push_str("\"\"");
            }
            out.push_str(part);
        }
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn line(separator: u8, cells: &[&str]) -> String {
        let mut out = String::new();
        let cells = cells.iter().map(|text| Cell::Text(Cow::Borrowed(text)));
        Writer::new(separator).line(&mut out, cells);
        out
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        for (cell, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("a;b", "a;b"),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            ("", "\"\""),
            ("ü 日本", "ü 日本"),
            ("=1+1", "'=1+1"),
            ("@a,b", "\"'@a,b\""),
        ] {
            assert_eq!(line(b',', &[cell]), format!("{expected}\r\n"));
        }
        assert_eq!(line(b';', &["a;b", "c,d"]), "\"a;b\";c,d\r\n");
        assert_eq!(line(b'\t', &["a\tb", "c"]), "\"a\tb\"\tc\r\n");
    }

    #[test]
    fn null_and_numbers_stand_as_they_are() {
        let mut out = String::new();
        let cells = [Cell::Nothing, Cell::Number("-5"), Cell::Nothing];
        Writer::new(b',').line(&mut out, cells);
        assert_eq!(out, ",-5,\r\n");
    }
}
