//! Refuses workbooks that are broken, or crafted to take much memory.

use stockroom_tables::{Limits, Options};

use crate::common::workbook_with;
use crate::workbook::sheet;
use crate::xlsx::{Book, rows};

#[test]
fn far_cells_take_no_memory() {
    let far = sheet(&[(1, &[("A1", "a")]), (1_048_576, &[("XFD1048576", "x")])]);
    assert_eq!(
        far.short(),
        ["1048576: problem: has 16384 cells, but the header has 1"]
    );
    assert!(far.rows[0].cells.len() <= 1);
    let wide = sheet(&[(1, &[("XFD1", "a")])]);
    assert_eq!(
        wide.error.unwrap(),
        "it has more columns than the limit of 1000"
    );
}

#[test]
fn limits_are_kept() {
    let limits = Limits {
        cell_bytes: 10,
        row_bytes: 20,
        rows: 2,
        ..Limits::default()
    };
    let long = [(1, &[("A1", "a")][..]), (2, &[("A2", "12345678901")])];
    let wide = [
        (1, &[("A1", "a"), ("B1", "b"), ("C1", "c")][..]),
        (
            2,
            &[("A2", "123456789"), ("B2", "123456789"), ("C2", "123")],
        ),
    ];
    let far_too_long = "1".repeat(101);
    let far_too_long = [(1, &[("A1", far_too_long.as_str())][..])];
    let many = [1, 2, 3, 4].map(|number| (number, &[("A1", "><v>1</v>")][..]));
    let many = rows(&many).replace("r=\"A1\"", "");
    for (rows, expected) in [
        (rows(&long), "2: broken: is longer than 10 bytes"),
        (rows(&wide), "2: problem: is longer than 20 bytes"),
        (many, "it has more rows than the limit of 2"),
        (
            rows(&far_too_long),
            "it has more bytes in a cell than the limit of 10",
        ),
    ] {
        let bytes = Book::new(&[("S", &rows)], &[]).bytes();
        let file = workbook_with(&bytes, &Options::default(), &limits);
        let found = file.error.clone().unwrap_or_else(|| file.short().remove(0));
        assert_eq!(found, expected);
    }
}

#[test]
fn bombs_are_refused() {
    let limits = Limits {
        workbook_bytes: 4 << 20,
        workbook_text_bytes: 1 << 20,
        ..Limits::default()
    };
    let rows = rows(&[(1, &[("A1", "a")])]);
    let with = |name: &str, content: &str| {
        let mut book = Book::new(&[("S", &rows)], &["x"]);
        book.set(name, content);
        book
    };
    let zeros = "0".repeat(5 << 20);
    let mut crowded = Book::new(&[("S", &rows)], &[]);
    (0..2_000).for_each(|index| crowded.set(&format!("x{index}"), ""));
    let xfs = format!("<cellXfs>{}</cellXfs>", "<xf/>".repeat(10_000));
    let styles = format!(
        "<styleSheet><font><name val=\"{}\"/></font>{xfs}</styleSheet>",
        "x".repeat(1_000)
    );
    let link = format!(
        "<Relationships><Relationship Target=\"{}\"/></Relationships>",
        "x".repeat(20_000)
    );
    let sheets = "<sheet name=\"a\" r:id=\"s0\"/>".repeat(10_001);
    for (book, expected) in [
        (
            with("xl/worksheets/sheet0.xml", &zeros),
            "it has more bytes, unpacked, than the limit of 4194304",
        ),
        (
            with("xl/media/image.png", &zeros[..2 << 20]),
            "it has more bytes of texts and styles, unpacked, than the limit of 1048576",
        ),
        (
            with(
                "xl/sharedStrings.xml",
                "<sst uniqueCount=\"99999999999\"></sst>",
            ),
            "its list of texts is broken",
        ),
        (
            with(
                "XL/SharedStrings.xml",
                "<x/><sst a=\"1\" uniqueCount = '99999'/>",
            ),
            "its list of texts is broken",
        ),
        (
            with("xl/styles.xml", &styles),
            "it has more bytes of styles than the limit of 1048576",
        ),
        (
            with("xl/_rels/workbook.xml.rels", &link),
            "it has more bytes in a link between its files than the limit of 16384",
        ),
        (
            with("xl/workbook.xml", &sheets),
            "it has more sheets than the limit of 10000",
        ),
        (
            crowded,
            "it has more files in the workbook than the limit of 2000",
        ),
    ] {
        let file = workbook_with(&book.bytes(), &Options::default(), &limits);
        assert_eq!(file.error.as_deref(), Some(expected));
    }
}

/// Parts that are small as XML, and large in memory.
#[test]
fn parts_are_counted() {
    let rows = rows(&[(1, &[("A1", "a")])]);
    let book = |name: &str, tag: &str, part: &str, count: usize| {
        let mut book = Book::new(&[("S", &rows)], &["x"]);
        book.set(name, &format!("<{tag}>{}</{tag}>", part.repeat(count)));
        book.bytes()
    };
    let name = "x".repeat(5_000);
    let name = format!("<sheet name=\"{name}\" r:id=\"s0\"/>");
    for (name, tag, part, count, expected) in [
        (
            "xl/sharedStrings.xml",
            "sst",
            "<si/>",
            2_000_001,
            "it has more texts in the workbook than the limit of 2000000",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "Relationships",
            "<Relationship/>",
            200_001,
            "it has more links in a file of the workbook than the limit of 200000",
        ),
        (
            "xl/workbook.xml",
            "workbook",
            "<definedName name=\"a\"/>",
            200_001,
            "it has more names in the workbook than the limit of 200000",
        ),
        (
            "xl/workbook.xml",
            "workbook",
            &name,
            1,
            "it has more bytes in the name of a sheet than the limit of 4096",
        ),
        (
            "xl/styles.xml",
            "styleSheet",
            "<xf/>",
            250_001,
            "it has more styles than the limit of 250000",
        ),
        (
            "xl/styles.xml",
            "styleSheet",
            "<font/>",
            250_001,
            "it has more styles than the limit of 250000",
        ),
    ] {
        let bytes = book(name, tag, part, count);
        let file = workbook_with(&bytes, &Options::default(), &Limits::default());
        assert_eq!(file.error.as_deref(), Some(expected));
    }
}

/// Calamine adds up the pieces of a text.
#[test]
fn texts_in_pieces_are_measured() {
    let limits = Limits {
        cell_bytes: 2_000,
        ..Limits::default()
    };
    let sheet = |cell: &str| format!("<row r=\"1\"><c {cell}</c></row>");
    let text = "x".repeat(1_000);
    for piece in [
        format!("<![CDATA[{text}]]>"),
        format!("{text}<!---->"),
        format!("<v>{text}</v><c><is></is></c>"),
        format!("<x:t></x:t>{text}"),
        format!("<a><b>{text}</is></v>"),
    ] {
        for (begin, end) in [
            ("t=\"inlineStr\"><is><t>", "</t></is>"),
            ("t=\"inlineStr\"><is><v><t>", "</t></v></is>"),
            ("t=\"inlineStr\"><is><rPh><x:t></rPh><t>", "</t></is>"),
        ] {
            let rows = sheet(&format!("{begin}{}{end}", piece.repeat(25)));
            let bytes = Book::new(&[("S", &rows)], &[]).bytes();
            let file = workbook_with(&bytes, &Options::default(), &limits);
            let expected = "it has more bytes in a cell than the limit of 2000";
            assert_eq!(
                file.error.as_deref(),
                Some(expected),
                "{begin} {}",
                &piece[..9]
            );
        }
    }
    let pieces = format!("<r><t>{text}</t></r>").repeat(25);
    let shared = Book::new(&[("S", &sheet(">"))], &[&format!("</t>{pieces}<t>")]);
    let file = workbook_with(&shared.bytes(), &Options::default(), &limits);
    assert!(file.error.unwrap().contains("bytes in a cell"));
    let cells = format!(
        "<c><v>1</v></c><c t=\"inlineStr\"><is>{}</is></c>",
        &pieces[..1_014]
    );
    let many = format!("<row>{cells}</row>").repeat(50);
    let bytes = Book::new(&[("S", &many)], &[]).bytes();
    assert_eq!(
        workbook_with(&bytes, &Options::default(), &limits)
            .rows
            .len(),
        49
    );
}

#[test]
fn a_text_is_not_repeated_without_end() {
    let limits = Limits {
        workbook_bytes: 100_000,
        ..Limits::default()
    };
    let text = "x".repeat(50_000);
    let cell = |number: u32| format!("<row r=\"{number}\"><c t=\"s\"><v>0</v></c></row>");
    let rows: String = (1..10).map(cell).collect();
    let book = Book::new(&[("S", &rows)], &[&text]);
    let file = workbook_with(&book.bytes(), &Options::default(), &limits);
    assert_eq!(
        file.error.unwrap(),
        "it has more bytes in its cells than the limit of 400000"
    );
}

#[test]
fn broken_workbooks_are_refused() {
    let one = rows(&[(1, &[("A1", "a")])]);
    let mut truncated = Book::new(&[("S", &one)], &[]).bytes();
    truncated.truncate(truncated.len() - 30);
    let mut flipped = Book::new(&[("S", &one)], &[]).bytes();
    let middle = flipped.len() / 3;
    flipped[middle..middle + 20].fill(0xff);
    let unordered = rows(&[(2, &[("A2", "a")]), (1, &[("A1", "a")])]);
    let overflow = rows(&[(1, &[("ZZZZZZZZZZ99999999999", "a")])]);
    for (bytes, expected) in [
        (b"a,b".to_vec(), "it is no workbook (.xlsx)"),
        (Vec::new(), "it is no workbook (.xlsx)"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
            "it is an old workbook (.xls)",
        ),
        (b"PK\x03\x04".to_vec(), "it is a broken workbook: "),
        (truncated, "it is a broken workbook: "),
        (flipped, "it is a broken workbook: "),
        (
            Book::new(&[("S", &unordered)], &[]).bytes(),
            "row 1 stands behind row 2",
        ),
        (Book::new(&[("S", &overflow)], &[]).bytes(), "it "),
        (
            Book::new(&[("S", "<row><c>")], &[]).bytes(),
            "it is a broken workbook: ",
        ),
        (
            Book::new(&[("S", &one.replacen("</c>", "", 1))], &[]).bytes(),
            "it is a broken workbook: a sheet of it: ",
        ),
        (
            Book::new(&[("S", &format!("{one}</row>"))], &[]).bytes(),
            "it is a broken workbook: a sheet of it: ",
        ),
        (Book::new(&[("S", "")], &[]).bytes(), "it has no rows"),
    ] {
        let file = workbook_with(&bytes, &Options::default(), &Limits::default());
        let error = file.error.unwrap();
        assert!(error.starts_with(expected), "{error}");
    }
}
