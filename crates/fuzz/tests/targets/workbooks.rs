//! A workbook whose files are mutated is read or refused within the limits, twice the same.

#![expect(clippy::expect_used, reason = "a helper of tests fails as a test does")]

use std::collections::BTreeSet;
use std::io::{Cursor, Write};

use stockroom_tables::{Cell, Limits, Options, Row, read_workbook};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "\t",
    "<row>",
    "<row r=\"2\">",
    "<row r=\"1048576\">",
    "</row>",
    "<c>",
    "<c r=\"A1\">",
    "<c r=\"XFD1048576\">",
    "<c r=\"A4294967296\">",
    "<c t=\"s\"><v>0</v></c>",
    "<c t=\"s\"><v>4294967295</v></c>",
    "<c t=\"inlineStr\"><is><t>a</t></is></c>",
    "<c t=\"e\"><v>#N/A</v></c>",
    "<c t=\"d\"><v>2024-02-29T00:00:00Z</v></c>",
    "<c t=\"b\"><v>1</v></c>",
    "<c s=\"1\"><v>45351.5</v></c>",
    "<c s=\"3\"><v>-1e308</v></c>",
    "</c>",
    "<f>A1+1</f>",
    "<f t=\"shared\" si=\"0\" ref=\"A1:A9\">A1</f>",
    "<f t=\"array\" ref=\"A1:B2\">",
    "<v>",
    "</v>",
    "<v>NaN</v>",
    "<v>1e999</v>",
    "<is><r><t xml:space=\"preserve\"> ",
    "<rPh sb=\"0\" eb=\"1\"><t>",
    "<dimension ref=\"A1:XFD1048576\"/>",
    "<mergeCells count=\"1\"><mergeCell ref=\"A1:B2\"/></mergeCells>",
    "<sst count=\"9\" uniqueCount=\"99999999999\">",
    "<si><t>",
    "</t></si>",
    "<si/>",
    "<numFmt numFmtId=\"170\" formatCode=\"[h]:mm:ss\"/>",
    "<cellXfs count=\"4294967295\">",
    "<xf numFmtId=\"14\"/>",
    "<cellStyleXfs>",
    "<workbookPr date1904=\"1\"/>",
    "<sheet name=\"S\" sheetId=\"1\" r:id=\"s0\"/>",
    "<sheet name=\"S\" state=\"hidden\" r:id=\"s0\"/>",
    "<sheet name=\"S\" state=\"veryHidden\" r:id=\"s1\"/>",
    "<definedName name=\"a\">S!$A$1</definedName>",
    "&amp;",
    "&#0;",
    "&#x10FFFF;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
    "<!DOCTYPE x [<!ENTITY x \"xx\">]>",
    "x:",
    "_x000D_",
    "\u{feff}",
    "\u{0}",
    "\u{fffd}",
];

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The files that inputs change, in the order of an input's parts, with what encloses a part.
const PARTS: [(&str, &str, &str); 4] = [
    (
        "xl/worksheets/sheet0.xml",
        "<worksheet><sheetData>",
        "</sheetData></worksheet>",
    ),
    ("xl/sharedStrings.xml", "<sst>", "</sst>"),
    ("xl/styles.xml", "<styleSheet>", "</styleSheet>"),
    (
        "xl/workbook.xml",
        "<workbook xmlns:r=\"r\"><sheets>",
        "</sheets></workbook>",
    ),
];

/// The parts of an input that ends before them.
const DEFAULTS: [&str; 4] = [
    "<row><c t=\"inlineStr\"><is><t>a</t></is></c></row>",
    "<si><t>shared</t></si><si><t></t></si>",
    "<numFmts><numFmt numFmtId=\"170\" formatCode=\"[h]:mm:ss\"/></numFmts>\
     <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"22\"/><xf numFmtId=\"170\"/></cellXfs>",
    "<sheet name=\"S\" sheetId=\"1\" r:id=\"s0\"/>",
];

const LIMITS: Limits = Limits {
    cell_bytes: 40,
    row_bytes: 200,
    columns: 20,
    rows: 50,
    workbook_bytes: 16_384,
    workbook_text_bytes: 8_192,
};

#[test]
fn workbooks_are_read_or_refused() {
    fuzz("workbooks", WORDS, |input| {
        let found = read(&book(input, CompressionMethod::Stored));
        assert_eq!(found, read(&book(input, CompressionMethod::Deflated)));
        outcome(&found)
    });
}

/// What was read, and the rows.
type Found = (String, Vec<Row>);

fn read(bytes: &[u8]) -> Found {
    let mut rows: Vec<Row> = Vec::new();
    let read = read_workbook(Cursor::new(bytes), &Options::default(), &LIMITS, |row| {
        check(&row, rows.last());
        rows.push(row);
        Ok(())
    });
    if let Ok(read) = &read {
        assert_eq!(read.rows, rows.len() as u64);
        assert!(read.columns.len() <= LIMITS.columns);
    }
    assert!(rows.len() as u64 <= LIMITS.rows);
    (format!("{read:?}"), rows)
}

fn check(row: &Row, before: Option<&Row>) {
    assert!(before.is_none_or(|before| before.number < row.number));
    assert!(row.cells.len() <= LIMITS.columns);
    for cell in &row.cells {
        if let Cell::Value(value) = cell {
            let length = value.as_str().map_or(0, str::len);
            assert!(length <= LIMITS.cell_bytes, "{value}");
        }
    }
}

/// What was read, without the texts of cells.
fn outcome((read, rows): &Found) -> u64 {
    let problems: BTreeSet<_> = rows.iter().filter_map(|row| row.problem.as_ref()).collect();
    let cells = rows.iter().flat_map(|row| &row.cells);
    let broken: BTreeSet<&str> = cells
        .filter_map(|cell| match cell {
            Cell::Broken(problem) => Some(problem.as_str()),
            _ => None,
        })
        .collect();
    // Errors quote the file behind their first words.
    let end = read.split("columns").next().unwrap_or_default();
    let end: Vec<&str> = end.split(['`', '\'', '\\', ':']).take(2).collect();
    kind(&(end, problems, broken, rows.len().min(3)))
}

/// A workbook of the parts of an input, which tabs separate.
fn book(input: &[u8], compression: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(compression);
    let mut add = |name: &str, content: &str| {
        archive.start_file(name, options).expect("a new file");
        archive.write_all(content.as_bytes()).expect("memory");
    };
    let mut parts = input.split(|byte| *byte == b'\t');
    for ((name, before, after), default) in PARTS.iter().zip(DEFAULTS) {
        let part = parts.next().unwrap_or(default.as_bytes());
        let part = String::from_utf8_lossy(part);
        // Most mutations reach what is behind the reader of XML.
        let part = if input.len().is_multiple_of(4) {
            part.into_owned()
        } else {
            balanced(&part)
        };
        add(name, &format!("{before}{part}{after}"));
    }
    let book = link("rId1", "officeDocument", "xl/workbook.xml");
    add("_rels/.rels", &links(&book));
    let sheet = link("s0", "worksheet", "worksheets/sheet0.xml");
    add("xl/_rels/workbook.xml.rels", &links(&sheet));
    archive.finish().expect("memory").into_inner()
}

/// The same text with an end for each element, and without ends of others.
fn balanced(text: &str) -> String {
    let mut open: Vec<&str> = Vec::new();
    let mut whole = String::new();
    for piece in text.split('<') {
        let (tag, inner) = piece.split_once('>').unwrap_or(("", piece));
        let mut parts = tag.split([' ', '/']).filter(|part| !part.is_empty());
        let name = parts.next().unwrap_or_default();
        let begun = open.iter().rposition(|known| *known == name);
        if tag.starts_with('/') {
            let ends = open.drain(begun.unwrap_or(open.len())..).rev();
            whole.extend(ends.map(end));
        } else if !name.is_empty() && name.chars().all(char::is_alphanumeric) {
            whole += &begin(name, tag);
            if tag.ends_with('/') {
                whole += &end(name);
            } else {
                open.push(name);
            }
        }
        whole += inner;
    }
    whole.extend(open.into_iter().rev().map(end));
    whole
}

fn begin(name: &str, tag: &str) -> String {
    format!("<{name}{}>", attributes(tag))
}

fn end(name: &str) -> String {
    format!("</{name}>")
}

/// The attributes of a tag that are whole.
fn attributes(tag: &str) -> String {
    let mut parts = tag.split('"');
    let mut whole = String::new();
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        let name = name.trim_end_matches(['=', ' ']);
        let name = name.rsplit(' ').next().unwrap_or_default();
        if !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == ':')
        {
            whole.extend([" ", name, "=\"", value, "\""]);
        }
    }
    whole
}

fn link(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
}

fn links(links: &str) -> String {
    format!("<Relationships>{links}</Relationships>")
}
