//! Reads workbooks.

use stockroom_tables::{Format, Header, Limits, Looks, Options};

use crate::common::{File, workbook_with};
use crate::xlsx::{Book, rows};

fn read(book: &Book) -> File {
    workbook_with(&book.bytes(), &Options::default(), &Limits::default())
}

pub(crate) fn sheet(content: &[(u32, &[(&str, &str)])]) -> File {
    read(&Book::new(
        &[("S", &rows(content))],
        &["shared", "", "two &amp; three"],
    ))
}

#[test]
fn cells_are_values() {
    for (xml, expected) in [
        ("web", "web"),
        ("t=\"s\"><v>0</v>", "shared"),
        ("t=\"s\"><v>2</v>", "two & three"),
        ("><v>8</v>", "=8"),
        ("><v>-8.5</v>", "=-8.5"),
        ("><v>1E+3</v>", "=1000"),
        ("t=\"b\"><v>1</v>", "=true"),
        ("t=\"e\"><v>#N/A</v>", "broken: is the error #N/A"),
        ("t=\"e\"><v>#DIV/0!</v>", "broken: is the error #DIV/0!"),
        ("t=\"str\"><f>A1&amp;\"x\"</f><v>formula</v>", "formula"),
        ("s=\"1\"><v>45351</v>", "2024-02-29"),
        ("s=\"2\"><v>45351.354166666664</v>", "2024-02-29T08:30:00"),
        ("s=\"2\"><v>45351</v>", "2024-02-29"),
        ("s=\"3\"><v>1.5</v>", "36:00:00"),
        ("s=\"4\"><v>42</v>", "00042"),
        ("s=\"4\"><v>4.5</v>", "=4.5"),
        ("><v>9007199254740991</v>", "=9007199254740991"),
        (
            "><v>12345678901234567</v>",
            "broken: is a number of more than 15 digits, which sheets do not keep: enter a text",
        ),
        ("><f>A1*2</f><v>16</v>", "=16"),
        (
            "><f>A1*2</f><v/>",
            "broken: is a formula without a stored result: open the file in a spreadsheet, and save it",
        ),
        (
            "><f t=\"shared\" si=\"0\"/>",
            "broken: is a formula without a stored result: open the file in a spreadsheet, and save it",
        ),
        (
            "s=\"1\"><v>-1</v>",
            "broken: is a date that Excel does not know",
        ),
        ("t=\"d\"><v>2024-02-29T00:00:00</v>", "2024-02-29T00:00:00"),
    ] {
        let file = sheet(&[(1, &[("A1", "a")]), (2, &[("A2", xml)])]);
        assert_eq!(file.short(), [format!("2: {expected}")], "{xml}");
    }
}

#[test]
fn rows_and_columns_keep_their_places() {
    let file = sheet(&[
        (2, &[("A2", "a"), ("C2", " a "), ("D2", "t=\"s\"><v>1</v>")]),
        (3, &[]),
        (5, &[("A5", "1"), ("C5", "3")]),
        (6, &[("B6", ">"), ("D6", "t=\"s\"><v>1</v>")]),
        (7, &[("B7", "2"), ("E7", "5")]),
        (9, &[("A9", "9")]),
    ]);
    assert_eq!(file.names(), ["a", "column 2", "a (2)"]);
    assert_eq!(
        file.short(),
        [
            "5: 1 | ~ | 3",
            "7: problem: has 5 cells, but the header has 3",
            "9: 9 | ~ | ~"
        ]
    );
    let read = file.read();
    assert_eq!(
        (read.format, read.rows, read.sheet.as_deref()),
        (Format::Xlsx, 3, Some("S"))
    );
}

#[test]
fn cells_without_places_follow_each_other() {
    let rows = "<row><c t=\"inlineStr\"><is><t>a</t></is></c><c><v>2024</v></c></row>\
                <row><c><v>1</v></c><c><v>2</v></c></row>";
    let file = read(&Book::new(&[("S", rows)], &[]));
    assert_eq!(
        (file.names(), file.short()),
        (vec!["a", "2024"], vec!["2: =1 | =2".to_owned()])
    );
}

#[test]
fn files_of_sheets_may_have_any_name() {
    let rows = rows(&[(1, &[("A1", "a")]), (2, &[("A2", "><f>40+2</f>")])]);
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    for (link, file) in [
        ("worksheets/data.xml", "xl/worksheets/data.xml"),
        ("sheet1.xml", "xl/sheet1.xml"),
        ("/Tables/A.XML", "tables/a.xml"),
    ] {
        let mut book = Book::new(&[("S", "")], &[]);
        book.set(file, &sheet);
        let links = format!(
            "<Relationships><Relationship Id=\"s0\" Target='{link}' Type='x/worksheet'/></Relationships>"
        );
        book.set("xl/_rels/workbook.xml.rels", &links);
        let found = read(&book).short();
        let expected = "2: broken: is a formula without a stored result";
        assert!(found[0].starts_with(expected), "{file}: {found:?}");
    }
}

#[test]
fn only_the_first_of_merged_cells_has_the_value() {
    let mut book = Book::new(&[("S", "")], &[]);
    let rows = rows(&[
        (1, &[("A1", "a"), ("B1", "b")]),
        (2, &[("A2", "merged"), ("B2", "s=\"0\">")]),
        (3, &[("A3", "s=\"0\">"), ("B3", "x")]),
    ]);
    let merged = "<mergeCells count=\"1\"><mergeCell ref=\"A2:A3\"/></mergeCells>";
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData>{merged}</worksheet>");
    book.set("xl/worksheets/sheet0.xml", &sheet);
    assert_eq!(read(&book).short(), ["2: merged | ~", "3: ~ | x"]);
}

#[test]
fn the_first_visible_sheet_is_read_unless_one_is_named() {
    let rows = |name: &str| rows(&[(1, &[("A1", name)])]);
    let mut book = Book::new(&[("one", &rows("a")), ("two", &rows("b"))], &[]);
    let choose = |book: &Book, sheet: Option<&str>| {
        let options = Options {
            sheet: sheet.map(str::to_owned),
            ..Options::default()
        };
        workbook_with(&book.bytes(), &options, &Limits::default())
    };
    assert_eq!(choose(&book, None).names(), ["a"]);
    assert_eq!(choose(&book, Some("two")).names(), ["b"]);
    assert_eq!(choose(&book, Some("two")).read().sheets, ["one", "two"]);
    let error = choose(&book, Some("three")).error.unwrap();
    assert_eq!(error, "it has no sheet \"three\", but \"one\", \"two\"");
    let hidden = "<workbook xmlns:r=\"x\"><sheets><sheet name=\"one\" state=\"hidden\" r:id=\"s0\"/>\
                  <sheet name=\"two\" r:id=\"s1\"/></sheets></workbook>";
    book.set("xl/workbook.xml", hidden);
    assert_eq!(choose(&book, None).names(), ["b"]);
    assert_eq!(choose(&book, Some("one")).names(), ["a"]);
    book.set("xl/workbook.xml", "<workbook><sheets></sheets></workbook>");
    assert_eq!(choose(&book, None).error.unwrap(), "it has no sheet");
}

#[test]
fn columns_are_profiled() {
    let file = sheet(&[
        (1, &[("A1", "when"), ("B1", "n"), ("C1", "?")]),
        (
            2,
            &[
                ("A2", "s=\"1\"><v>45351</v>"),
                ("B2", "><v>1</v>"),
                ("C2", "t=\"e\"><v>#REF!</v>"),
            ],
        ),
        (
            3,
            &[("A3", "s=\"2\"><v>45351.5</v>"), ("B3", "><v>1.5</v>")],
        ),
    ]);
    let looks: Vec<Looks> = file
        .read()
        .columns
        .iter()
        .map(stockroom_tables::Column::looks)
        .collect();
    assert_eq!(looks, [Looks::Date, Looks::Number, Looks::Empty]);
}

#[test]
fn sheets_may_have_no_header() {
    let rows = rows(&[(2, &[("A2", "1"), ("C2", "x")]), (3, &[("B3", "2")])]);
    let options = Options {
        header: Header::None,
        ..Options::default()
    };
    let bytes = Book::new(&[("S", &rows)], &[]).bytes();
    let file = workbook_with(&bytes, &options, &Limits::default());
    assert_eq!(file.names(), ["column 1", "column 2", "column 3"]);
    assert_eq!(file.short(), ["2: 1 | ~ | x", "3: ~ | 2 | ~"]);
}
