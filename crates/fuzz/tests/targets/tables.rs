//! A file is read the same in whatever pieces it arrives, and a workbook is read or refused.

use std::io::{Cursor, Read};

use stockroom_tables::{Limits, Options, Row, read_text, read_workbook};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "|",
    "\r\n",
    "\n",
    "\r",
    "sep=;\n",
    "\\",
    "'=",
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "\"fields\"",
    "\"name\"",
    "\"value\"",
    "\u{feff}",
    "\u{0}",
    "public_id",
    "import_problem",
    "PK\u{3}\u{4}",
];

/// Gives one byte at a time.
struct Slow<'b>(&'b [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let most = out.len().min(1);
        self.0.read(&mut out[..most])
    }
}

fn limits() -> Limits {
    Limits {
        cell_bytes: 40,
        row_bytes: 200,
        columns: 20,
        ..Limits::default()
    }
}

fn rows(input: impl Read) -> (String, Vec<Row>) {
    let mut rows = Vec::new();
    let read = read_text(input, &Options::default(), &limits(), |row| {
        assert!(row.cells.len() <= limits().columns);
        rows.push(row);
        Ok(())
    });
    (format!("{read:?}"), rows)
}

#[test]
fn files_are_read_in_any_pieces() {
    fuzz("tables", WORDS, |input| {
        let (read, found) = rows(input);
        assert_eq!(rows(Slow(input)), (read.clone(), found));
        let workbook = read_workbook(Cursor::new(input), &Options::default(), &limits(), |_| {
            Ok(())
        });
        kind(&(read, workbook.is_ok()))
    });
}
