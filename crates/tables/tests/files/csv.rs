//! Reads CSV of the kinds that programs write.

use stockroom_tables::{Format, Limits, Looks, Options};

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
        ("a|b\n'x|\"y\"z\n", &["a", "b"], &["2: 'x | yz"]),
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
fn files_without_a_header_have_numbered_columns() {
    let options = Options {
        has_header: Some(false),
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
