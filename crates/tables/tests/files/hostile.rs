//! Whatever the bytes are, reading ends without a panic and within the limits.

use proptest::prelude::*;
use stockroom_tables::{Format, Limits, Options, encoding_named};

use crate::common::{text_with, workbook_with};
use crate::xlsx::{Book, rows};

const LIMITS: Limits = Limits {
    cell_bytes: 10,
    row_bytes: 30,
    columns: 3,
    rows: 10,
    workbook_bytes: 100_000,
    workbook_text_bytes: 50_000,
};

fn book() -> Vec<u8> {
    let rows = rows(&[
        (1, &[("A1", "a"), ("B1", "t=\"s\"><v>0</v>")]),
        (
            2,
            &[("A2", "s=\"1\"><v>45351</v>"), ("B2", "t=\"b\"><v>1</v>")],
        ),
    ]);
    Book::new(&[("S", &rows)], &["shared"]).bytes()
}

proptest! {
    #[test]
    fn texts_are_read_to_an_end(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>(),
            prop::sample::select(b"[]{}\",:;\\\r\n\0 nul1".to_vec()),
        ], 0..200),
        format in prop::option::of(prop::sample::select(Format::ALL.to_vec())),
        encoding in prop::option::of(prop::sample::select(vec!["utf-8", "utf-16le", "latin1", "shift_jis"])),
    ) {
        let options = Options {
            format,
            encoding: encoding.and_then(encoding_named),
            ..Options::default()
        };
        let file = text_with(&bytes, &options, &LIMITS);
        prop_assert!(file.rows.len() <= 10);
        prop_assert!(file.rows.iter().all(|row| row.cells.len() <= 3));
    }

    #[test]
    fn damaged_workbooks_are_read_to_an_end(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = book();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let file = workbook_with(&bytes, &Options::default(), &LIMITS);
        prop_assert!(file.rows.len() <= 10);
    }

    #[test]
    fn crafted_sheets_are_read_to_an_end(
        sheet in r#"(<row( r="[0-9]{1,12}")?>|</row>|<c( r="[A-Z]{1,9}[0-9]{1,12}")?( t="(s|b|e|n|d|str|inlineStr)")?( s="[0-9]")?>|</c>|<v>|</v>|<is>|</is>|<t>|</t>|[0-9.e#-]{1,3}){0,20}"#,
    ) {
        let bytes = Book::new(&[("S", &sheet)], &["x"]).bytes();
        let file = workbook_with(&bytes, &Options::default(), &LIMITS);
        prop_assert!(file.rows.iter().all(|row| row.cells.len() <= 3));
    }
}
