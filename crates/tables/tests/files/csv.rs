//! Reads CSV of the kinds that programs write.

use stockroom_tables::{Format, Header, Limits, Looks, Options};

use crate::common::{text, text_with};

#[test]
fn rows_stand_under_columns() {
    for (file, names, rows) in [
        ("a,b\n1,2\n", &["a", "b"][..], &["2: 1 | 2"][..]),
        ("\u{feff}a;b\r\n1,5;2\r\n", &["a", "b"], &["2: 1,5 | 2"]),
        ("sep=;\na;b,c\n1;2\n", &["a", "b,c"], &["2: 1 | 2"]),
        ("a,b\n\n1,2\n,\n3,4", &["a", "b"], &["3: 1 | 2", "5: 3 | 4"]),
        ("\na,b\n1,2", &["a", "b"], &["3: 1 | 2"]),
        (
            "a,b\n\"x\ny\",2\n3,4",
            &["a", "b"],
            &["2: x\ny | 2", "3: 3 | 4"],
        ),
        ("a,b\n\"\",\n", &["a", "b"], &["2:  | ~"]),
        (
            "a,,a, b \n1,2,3,4",
            &["a", "column 2", "a (2)", "b"],
            &["2: 1 | 2 | 3 | 4"],
        ),
        (
            "a,b,,\n1,2,,\n3,4,,,,\n",
            &["a", "b"],
            &["2: 1 | 2 | ~ | ~", "3: 3 | 4 | ~ | ~"],
        ),
        (
            "a,b,,\n1,2,3,\n",
            &["a", "b", "column 3"],
            &["2: 1 | 2 | 3 | ~"],
        ),
        (
            "a,b,c\n1\n1,,\n",
            &["a", "b", "c"],
            &["2: 1", "3: 1 | ~ | ~"],
        ),
        (
            "a,b\n1,2,3,,5\n6,7\n",
            &["a", "b"],
            &["2: problem: has 5 cells, but the header has 2", "3: 6 | 7"],
        ),
        (
            "a,b\n1,2\n3,\"4\n5,6\n",
            &["a", "b"],
            &[
                "2: 1 | 2",
                "3: problem: opens a quote in row 3, cell 2, that is never closed",
            ],
        ),
        (
            "a,b\n1\0,2\n",
            &["a", "b"],
            &["2: broken: has a NUL character | 2"],
        ),
        ("a\rb\rc\r", &["a"], &["2: b", "3: c"]),
        (
            "a|b\n'x|\"y\"z\n",
            &["a", "b"],
            &[
                "2: 'x | broken: has text behind its closing quote; a quote inside of quotes is written twice",
            ],
        ),
        ("a,b\n", &["a", "b"], &[]),
    ] {
        let file = text(file);
        assert_eq!(
            (file.names(), file.short()),
            (
                names.to_vec(),
                rows.iter().map(|&row| row.to_owned()).collect()
            )
        );
        assert_eq!(file.read().rows, rows.len() as u64);
    }
}

#[test]
fn a_title_above_the_header_is_left_out() {
    for (file, header, names, rows) in [
        (
            "All assets\n\nof 2026\nName;Serial\na;1\nb;2\n",
            4,
            &["Name", "Serial"][..],
            &["5: a | 1", "6: b | 2"][..],
        ),
        (
            "All assets,,\nName,Serial,Note\na,1,\n",
            2,
            &["Name", "Serial", "Note"],
            &["3: a | 1 | ~"],
        ),
        // No words, no title.
        (
            "Name\n1,2\n",
            1,
            &["Name"],
            &["2: problem: has 2 cells, but the header has 1"],
        ),
        // A table has no row with a single value.
        (
            "Name\na,b\nc\n",
            1,
            &["Name"],
            &["2: problem: has 2 cells, but the header has 1", "3: c"],
        ),
        (
            "Name\na\nb,c\n",
            1,
            &["Name"],
            &["2: a", "3: problem: has 2 cells, but the header has 1"],
        ),
        ("Name\na\nb\n", 1, &["Name"], &["2: a", "3: b"]),
    ] {
        let read = text(file);
        assert_eq!(read.names(), names, "{file}");
        assert_eq!(read.short(), rows, "{file}");
        assert_eq!(read.read().header_row, Some(header), "{file}");
    }
    let long = "title\n".repeat(11) + "a,b\n1,2\n";
    assert_eq!(text(&long).read().header_row, Some(1));
}

#[test]
fn the_row_of_the_header_may_be_told() {
    let options = |row| Options {
        header: Header::Row(row),
        ..Options::default()
    };
    let file = b"Assets,2026\n,\nName,Serial\na,1\n";
    for (row, names, rows) in [
        (1, ["Assets", "2026"], 2),
        (2, ["Name", "Serial"], 1),
        (3, ["Name", "Serial"], 1),
        (4, ["a", "1"], 0),
    ] {
        let read = text_with(file, &options(row), &Limits::default());
        assert_eq!(read.names(), names, "{row}");
        assert_eq!(read.rows.len(), rows, "{row}");
    }
    let behind = text_with(file, &options(5), &Limits::default());
    assert_eq!(
        behind.error.unwrap(),
        "it has no row 5, which should name the columns"
    );
}

#[test]
fn refused_rows_keep_all_their_cells() {
    let file = text("a,b\n1,2,3\n4,5\n");
    assert_eq!(file.rows[0].cells.len(), 3);
    assert_eq!(file.rows[1].cells.len(), 2);
}

#[test]
fn files_without_a_header_have_numbered_columns() {
    let options = Options {
        header: Header::None,
        ..Options::default()
    };
    let file = text_with(b"1,2,\n3,4\n5,6,7\n", &options, &Limits::default());
    assert_eq!(file.names(), ["column 1", "column 2", "column 3"]);
    assert_eq!(file.short(), ["1: 1 | 2 | ~", "2: 3 | 4", "3: 5 | 6 | 7"]);
    let file = text_with(b"1,2\n3,4,5\n", &options, &Limits::default());
    assert_eq!(file.names(), ["column 1", "column 2"]);
    assert_eq!(
        file.short()[1],
        "2: problem: has 3 cells, but the first row has 2"
    );
}

#[test]
fn our_own_exports_are_told_by_their_first_column() {
    let file = text("public_id,cores\n3,8\n4,\\\n5,\n");
    assert!(file.read().has_escapes);
    assert_eq!(file.short(), ["2: 3 | 8", "3: 4 | \\", "4: 5 | ~"]);
    assert_eq!(file.read().columns[1].looks(), Looks::Integer);
    assert!(!text("cores,public_id\n3,8\n").read().has_escapes);
    for given in [true, false] {
        let options = Options {
            has_escapes: Some(given),
            ..Options::default()
        };
        let file = text_with(b"public_id\n1\n", &options, &Limits::default());
        assert_eq!(file.read().has_escapes, given);
    }
}

#[test]
fn options_overrule_what_is_detected() {
    let options = Options {
        format: Some(Format::Csv),
        separator: Some(b':'),
        ..Options::default()
    };
    let file = text_with(b"sep=;\n{a:b}\n1:2", &options, &Limits::default());
    assert_eq!(file.names(), ["{a", "b}"]);
    assert_eq!(file.short(), ["2: 1 | 2"]);
    for separator in [b'"', b'\n', 0xfc, 0] {
        let options = Options {
            separator: Some(separator),
            ..Options::default()
        };
        let error = text_with(b"a", &options, &Limits::default()).error.unwrap();
        assert!(error.ends_with("cannot separate cells"), "{error}");
    }
}

#[test]
fn limits_are_kept() {
    let limits = Limits {
        cell_bytes: 10,
        row_bytes: 20,
        columns: 3,
        rows: 2,
        ..Limits::default()
    };
    let read = |file: &str| text_with(file.as_bytes(), &Options::default(), &limits);
    for (file, error) in [
        ("a,b,c,d\n", "it has more columns than the limit of 3"),
        ("a\n1\n2\n3\n", "it has more rows than the limit of 2"),
        (
            "a,12345678901\n",
            "the header of column 2 is longer than 10 bytes",
        ),
        ("a,b\0\n", "the header of column 2 has a NUL character"),
        (
            "123456789,123456789,123\n1",
            "its header, row 1, is longer than 20 bytes",
        ),
        (
            "a,\"b\n1,2",
            "its header, row 1, opens a quote in row 1, cell 2, that is never closed",
        ),
        ("", "it has no rows"),
        ("\n\n,,\n", "it has no rows"),
    ] {
        assert_eq!(read(file).error.as_deref(), Some(error), "{file:?}");
    }
    assert_eq!(read("a,b,c,,,,\n1,2,3,,,,,\n").short(), ["2: 1 | 2 | 3"]);
    assert_eq!(
        read("a,b,c\n12345678901,x\n123456789,123456789,123\n").short(),
        [
            "2: broken: is longer than 10 bytes | x",
            "3: problem: is longer than 20 bytes"
        ]
    );
}
