use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::csv::{self, Writer, undo};

const LIMITS: Limits = Limits {
    cell_bytes: 8,
    row_bytes: 16,
    columns: 4,
    rows: 100,
    workbook_bytes: 0,
    workbook_text_bytes: 0,
};

fn split<'p>(limits: &Limits, pieces: impl IntoIterator<Item = &'p str>) -> Vec<Record> {
    let mut records = Vec::new();
    let mut each = |record| {
        records.push(record);
        Ok(())
    };
    let mut splitter = Splitter::new(b',', limits);
    for piece in pieces {
        splitter.feed(piece, &mut each).unwrap();
    }
    splitter.finish(&mut each).unwrap();
    records
}

/// One character at a time.
fn characters(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices();
    ends.map(|(at, character)| &text[at..at + character.len_utf8()])
}

/// A short form of records: `~` is nothing, `!` broken, `#` a row with a problem.
fn short(records: &[Record]) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Nothing => "~".to_owned(),
        Cell::Value(value) => value.as_str().unwrap().to_owned(),
        _ => "!".to_owned(),
    };
    let row = |record: &Record| match &record.problem {
        Some(_) => "#".to_owned(),
        None => record.cells.iter().map(cell).collect::<Vec<_>>().join("|"),
    };
    records.iter().map(row).collect()
}

#[test]
fn records_are_split_at_any_piece() {
    for (text, expected) in [
        ("", &[][..]),
        ("a", &["a"]),
        ("a,b\n", &["a|b"]),
        ("a,b\r\nc,d\r\n", &["a|b", "c|d"]),
        ("a\rb\r\rc", &["a", "b", "~", "c"]),
        ("a\n\r\nb", &["a", "~", "b"]),
        ("a,\n,b\n,", &["a|~", "~|b", "~|~"]),
        ("\"\",", &["|~"]),
        ("\"a,b\",\"c\nd\"", &["a,b|c\nd"]),
        ("\"a\r\nb\"\r\nc", &["a\r\nb", "c"]),
        ("\"a\"\"b\",\"\"\"\"", &["a\"b|\""]),
        ("a\"b,\"c\"d,\"e\" \"f\"", &["a\"b|!|!"]),
        ("\"a\"  ,\"b\"\t\nc", &["a|b", "c"]),
        (" \"a\"", &[" \"a\""]),
        ("a\0,b", &["!|b"]),
        ("123456789,b", &["!|b"]),
        ("12345678,\"1234567\"\"\"", &["12345678|1234567\""]),
        ("1234567,1234567,123\nb", &["#", "b"]),
        ("a,b,c,d,e,f", &["a|b|c|d"]),
        ("a,\"b\nc,d\n", &["#"]),
        ("a,\"", &["#"]),
        ("ü,日本\n", &["ü|日本"]),
    ] {
        let whole = split(&LIMITS, [text]);
        assert_eq!(short(&whole), expected, "{text:?}");
        assert_eq!(split(&LIMITS, characters(text)), whole, "{text:?}");
    }
}

#[test]
fn problems_say_what_and_where() {
    let records = split(&LIMITS, ["a\n\nb,\"c\nd\n"]);
    let problem = records[2].problem.as_deref().unwrap();
    assert_eq!(records[2].number, 3);
    assert_eq!(
        problem,
        "opens a quote in row 3, cell 2, that is never closed"
    );
    let records = split(&LIMITS, ["1234567,1234567,1234567,1234567"]);
    assert_eq!(
        records[0].problem.as_deref(),
        Some("is longer than 16 bytes")
    );
    let records = split(&LIMITS, ["a,b,,d,,,g,,"]);
    assert_eq!((records[0].width, records[0].filled), (9, 7));
}

fn cells() -> impl Strategy<Value = Vec<Vec<Option<String>>>> {
    let cell = prop::option::of("[a,;|\"'=\\\\\r\n\tü -]{0,5}");
    prop::collection::vec(prop::collection::vec(cell, 2..5), 0..5)
}

proptest! {
    #[test]
    fn pieces_do_not_matter(text in "[ab,\"\r\n\0ü]{0,40}", at in prop::collection::vec(0..40_usize, 0..6)) {
        let mut at: Vec<usize> = at.into_iter().filter(|at| text.is_char_boundary(*at)).collect();
        at.extend([0, text.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        let whole = split(&LIMITS, [&*text]);
        prop_assert_eq!(split(&LIMITS, pieces), &whole[..]);
        prop_assert_eq!(split(&LIMITS, characters(&text)), whole);
    }

    #[test]
    fn what_was_written_is_read(rows in cells()) {
        let mut text = String::new();
        for row in &rows {
            let cells = row.iter().map(|cell| match cell {
                None => csv::Cell::Nothing,
                Some(text) => csv::Cell::Text(Cow::Borrowed(text)),
            });
            Writer::new(b',').line(&mut text, cells);
        }
        let limits = Limits::default();
        let read: Vec<Vec<Option<String>>> = split(&limits, [&*text]).iter().map(|record| {
            record.cells.iter().map(|cell| match cell {
                Cell::Value(value) => Some(undo(value.as_str().unwrap()).to_owned()),
                _ => None,
            }).collect()
        }).collect();
        prop_assert_eq!(read, rows);
    }

    #[test]
    fn nothing_is_kept_of_what_is_too_long(cells in 0..200_usize, quote: bool) {
        let cell = if quote { "\"aaaaaaaaaaaa\"\"\"," } else { "aaaaaaaaaaaa," };
        let records = split(&LIMITS, std::iter::repeat_n(cell, cells));
        let cell = Cell::Broken("is longer than 8 bytes".to_owned());
        prop_assert!(records.iter().all(|record| record.cells.len() <= LIMITS.columns
            && record.cells.iter().all(|found| *found == cell || *found == Cell::Nothing)));
    }
}

#[test]
fn values_are_texts() {
    let records = split(&LIMITS, ["1,true,null"]);
    let expected = ["1", "true", "null"].map(|text| Cell::Value(json!(text)));
    assert_eq!(records[0].cells, expected);
}
