//! Builds workbooks by hand.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const LINKS: &str =
    r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#;
const TYPE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// Styles: 0 a number, 1 a date, 2 a date and a time, 3 a duration, 4 five digits.
const STYLES: &str = r#"<numFmts count="2"><numFmt numFmtId="170" formatCode="[h]:mm:ss"/><numFmt numFmtId="171" formatCode="00000"/></numFmts>
<fonts count="1"><font><name val="Calibri"/></font></fonts>
<cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>"#;

/// A workbook, as names and contents of files.
pub(crate) struct Book(Vec<(String, Vec<u8>)>);

impl Book {
    /// A workbook of these sheets: names and rows in XML.
    pub(crate) fn new(sheets: &[(&str, &str)], texts: &[&str]) -> Self {
        let link = |id: &str, kind: &str, target: &str| {
            format!(r#"<Relationship Id="{id}" Type="{TYPE}/{kind}" Target="{target}"/>"#)
        };
        let root = link("rId1", "officeDocument", "xl/workbook.xml");
        let mut book = Self(Vec::new());
        let types =
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
        book.set("[Content_Types].xml", types);
        book.set("_rels/.rels", &format!("{LINKS}{root}</Relationships>"));
        let (mut links, mut names) = (String::new(), String::new());
        for (index, (name, rows)) in sheets.iter().enumerate() {
            let file = format!("worksheets/sheet{index}.xml");
            links += &link(&format!("s{index}"), "worksheet", &file);
            let id = index + 1;
            let sheet = format!(r#"<sheet name="{name}" sheetId="{id}" r:id="s{index}"/>"#);
            names.push_str(&sheet);
            let sheet =
                format!(r#"<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>"#);
            book.set(&format!("xl/{file}"), &sheet);
        }
        book.set(
            "xl/_rels/workbook.xml.rels",
            &format!("{LINKS}{links}</Relationships>"),
        );
        let workbook = format!(
            r#"<workbook xmlns="{MAIN}" xmlns:r="{TYPE}"><sheets>{names}</sheets></workbook>"#
        );
        book.set("xl/workbook.xml", &workbook);
        book.set(
            "xl/styles.xml",
            &format!(r#"<styleSheet xmlns="{MAIN}">{STYLES}</styleSheet>"#),
        );
        let texts = texts.iter().map(|text| format!("<si><t>{text}</t></si>"));
        let texts: Vec<String> = texts.collect();
        book.set(
            "xl/sharedStrings.xml",
            &format!(r#"<sst xmlns="{MAIN}">{}</sst>"#, texts.concat()),
        );
        book
    }

    /// Adds a file, or puts it in place of another one.
    pub(crate) fn set(&mut self, name: &str, content: &str) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), content.as_bytes().to_vec()));
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, content) in &self.0 {
            archive.start_file(name.as_str(), options).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }
}

/// Rows in XML. A cell is its place, such as `A1`, and its XML; the latter is a plain text, or begins
/// with its attributes and `>`.
pub(crate) fn rows(rows: &[(u32, &[(&str, &str)])]) -> String {
    let cell = |(place, xml): &(&str, &str)| match xml.split_once('>') {
        Some((attributes, inner)) => format!(r#"<c r="{place}" {attributes}>{inner}</c>"#),
        None => format!(r#"<c r="{place}" t="inlineStr"><is><t>{xml}</t></is></c>"#),
    };
    let row = |(number, cells): &(u32, &[(&str, &str)])| {
        let cells: String = cells.iter().map(cell).collect();
        format!(r#"<row r="{number}">{cells}</row>"#)
    };
    rows.iter().map(row).collect()
}
