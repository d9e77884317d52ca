//! A table as a file of Office Open XML (ECMA-376) with one sheet, written row by row.

mod xml;

use std::fmt::Write as _;
use std::io::Write as _;

use stockroom_model::Timestamp;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use self::xml::{escaped, sheet_name};
use super::table::CellValue;
use super::thread::{Failure, Sink};

/// The parts before the sheet.
const PARTS: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#,
    ),
    (
        "xl/styles.xml",
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>"#,
    ),
];
const WORKBOOK: &str = "xl/workbook.xml";
const SHEET: &str = "xl/worksheets/sheet1.xml";
const WORKBOOK_HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name=""#;
const WORKBOOK_TAIL: &str = r#"" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
/// The row of names stays while the others scroll.
const SHEET_HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>"#;
const SHEET_TAIL: &str = "</sheetData></worksheet>";

/// Styles by their index in `cellXfs`.
const BOLD: u8 = 1;
const DAY: u8 = 2;
const TIME: u8 = 3;

/// The first day that all spreadsheets number alike, 1900-03-01, and its number.
const FIRST_DAY: i64 = 61;
/// The number of 1970-01-01.
const EPOCH_DAY: i64 = 25_569;
const MICROS_PER_DAY: i64 = 86_400_000_000;
/// Spreadsheets compute with doubles. From 2^53 on, several integers are the same one: such numbers
/// stay texts, and imports refuse them as numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// The fastest level: a sheet is full of repetitions.
const LEVEL: i64 = 1;

type Archive<'p> = ZipWriter<StreamWriter<&'p Sink>>;

/// A sheet that has begun.
pub(super) struct Sheet<'p> {
    archive: Archive<'p>,
    row: u32,
    text: String,
}

impl<'p> Sheet<'p> {
    /// Writes everything up to the row of headers.
    pub(super) fn open<'h>(
        sink: &'p Sink,
        title: &str,
        headers: impl Iterator<Item = &'h str>,
    ) -> Result<Self, Failure> {
        let mut archive = ZipWriter::new_stream(sink);
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL));
        for (name, content) in PARTS {
            archive.start_file(name, options)?;
            archive.write_all(content.as_bytes())?;
        }
        archive.start_file(WORKBOOK, options)?;
        let workbook = format!("{WORKBOOK_HEAD}{}{WORKBOOK_TAIL}", sheet_name(title));
        archive.write_all(workbook.as_bytes())?;
        archive.start_file(SHEET, options)?;
        let mut sheet = Self {
            archive,
            row: 0,
            text: SHEET_HEAD.to_owned(),
        };
        sheet.begin_row();
        for (column, header) in headers.enumerate() {
            sheet.inline(column, header, Some(BOLD));
        }
        sheet.end_row()?;
        Ok(sheet)
    }

    /// Writes a row.
    pub(super) fn row<'v>(
        &mut self,
        values: impl Iterator<Item = CellValue<'v>>,
    ) -> Result<(), Failure> {
        self.begin_row();
        for (column, value) in values.enumerate() {
            self.value(column, value);
        }
        self.end_row()
    }

    /// Writes the end of the file.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.archive.write_all(SHEET_TAIL.as_bytes())?;
        self.archive.finish()?;
        Ok(())
    }

    fn begin_row(&mut self) {
        self.row += 1;
        // Writing to a String cannot fail.
        let _ = write!(self.text, r#"<row r="{}">"#, self.row);
    }

    fn end_row(&mut self) -> Result<(), Failure> {
        self.text.push_str("</row>");
        self.archive.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn value(&mut self, column: usize, value: CellValue<'_>) {
        match value {
            CellValue::Nothing => {}
            CellValue::Text(text) if text.is_empty() => {}
            CellValue::Number(number) if is_exact(number) => self.number(column, number, None),
            CellValue::Number(number) => self.inline(column, number, None),
            CellValue::Boolean(value) => {
                self.begin_cell(column, None);
                let _ = write!(self.text, r#" t="b"><v>{}</v></c>"#, u8::from(value));
            }
            CellValue::Time(time, is_day) => match day_number(time) {
                Some(number) => self.number(column, &number, Some(if is_day { DAY } else { TIME })),
                None => self.inline(column, &time.to_plain(), None),
            },
            CellValue::Text(text) => self.inline(column, &text, None),
        }
    }

    fn number(&mut self, column: usize, number: &str, style: Option<u8>) {
        self.begin_cell(column, style);
        let _ = write!(self.text, "><v>{number}</v></c>");
    }

    /// A text, which is never a formula.
    fn inline(&mut self, column: usize, text: &str, style: Option<u8>) {
        self.begin_cell(column, style);
        self.text
            .push_str(r#" t="inlineStr"><is><t xml:space="preserve">"#);
        self.text.push_str(&escaped(text));
        self.text.push_str("</t></is></c>");
    }

    fn begin_cell(&mut self, column: usize, style: Option<u8>) {
        self.text.push_str(r#"<c r=""#);
        push_letters(&mut self.text, column);
        let _ = write!(self.text, r#"{}""#, self.row);
        if let Some(style) = style {
            let _ = write!(self.text, r#" s="{style}""#);
        }
    }
}

/// The letters of a column: A to Z, then AA and so on.
fn push_letters(out: &mut String, column: usize) {
    if column >= 26 {
        push_letters(out, column / 26 - 1);
    }
    let letter = u8::try_from(column % 26).unwrap_or_default();
    out.push(char::from(b'A' + letter));
}

fn is_exact(number: &str) -> bool {
    let number = number.parse::<f64>();
    number.is_ok_and(|number| number.abs() < EXACT)
}

/// The days since the end of 1899, as text.
fn day_number(time: Timestamp) -> Option<String> {
    let day = time.0.div_euclid(MICROS_PER_DAY) + EPOCH_DAY;
    let micros = time.0.rem_euclid(MICROS_PER_DAY);
    // Ten digits tell microseconds apart.
    let fraction = micros.checked_mul(1_000_000)? / (MICROS_PER_DAY / 10_000);
    let number = match fraction {
        0 => day.to_string(),
        fraction => format!("{day}.{fraction:010}"),
    };
    (day >= FIRST_DAY).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        let letters = |column| {
            let mut out = String::new();
            push_letters(&mut out, column);
            out
        };
        for (column, expected) in [
            (0, "A"),
            (25, "Z"),
            (26, "AA"),
            (51, "AZ"),
            (52, "BA"),
            (701, "ZZ"),
            (702, "AAA"),
            (16_383, "XFD"),
        ] {
            assert_eq!(letters(column), expected);
        }
    }

    #[test]
    fn times_are_days_since_1899() {
        for (text, expected) in [
            ("1970-01-01", Some("25569")),
            ("2026-03-04T12:00:00", Some("46085.5000000000")),
            ("2026-03-04T05:06:07", Some("46085.2125810185")),
            ("1900-03-01", Some("61")),
            ("1900-02-28", None),
        ] {
            let number = day_number(Timestamp::from_text(text).unwrap());
            assert_eq!(number.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_numbers_that_doubles_hold_are_numbers() {
        for (number, expected) in [
            ("9007199254740991", true),
            ("-9007199254740991", true),
            ("9007199254740992", false),
            ("9007199254740993", false),
            ("18446744073709551615", false),
            ("1.5", true),
            ("1e15", true),
            ("1e300", false),
        ] {
            assert_eq!(is_exact(number), expected, "{number}");
        }
    }
}
