//! Files that are no table, told by their beginning, with what to do about them.

use memchr::memmem;

/// The bytes by which a file is told.
pub(crate) const BEGINNING: usize = 4 * 1_024;

/// How files of other programs begin, and what is to be said of them.
const SIGNATURES: [(&[u8], &str); 10] = [
    (
        b"%PDF-",
        "it is a PDF document: export the table behind it as CSV or XLSX",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "it is an old workbook (.xls), or one with a password: save it as .xlsx without one",
    ),
    (b"\x1f\x8b", "it is compressed (gzip): unpack it first"),
    (b"BZh", "it is compressed (bzip2): unpack it first"),
    (b"\xfd7zXZ\x00", "it is compressed (xz): unpack it first"),
    (
        b"\x28\xb5\x2f\xfd",
        "it is compressed (zstd): unpack it first",
    ),
    (
        b"7z\xbc\xaf\x27\x1c",
        "it is an archive (7z): unpack it first",
    ),
    (
        b"{\\rtf",
        "it is a text document (RTF): save its table as CSV",
    ),
    (
        b"SQLite format 3\x00",
        "it is a database of SQLite: export its table as CSV",
    ),
    (b"\x89PNG", "it is a picture (PNG)"),
];

/// What is wrong with a file that begins with these bytes, if it is no table.
pub(crate) fn refusal(bytes: &[u8]) -> Option<&'static str> {
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    let known = SIGNATURES
        .iter()
        .find(|(signature, _)| beginning.starts_with(signature));
    if let Some((_, message)) = known {
        return Some(message);
    }
    if beginning.starts_with(b"PK\x03\x04") {
        return archive(beginning);
    }
    let text = beginning.trim_ascii_start();
    if is_form(text) {
        let message = "it is a form (multipart/form-data): send the bytes of the file alone, as `curl --data-binary @FILE` does";
        return Some(message);
    }
    if begins_with(text, b"<!doctype html") || begins_with(text, b"<html") {
        return Some(
            "it is a web page (HTML): some programs call such a file .xls; open it, and save it as .xlsx",
        );
    }
    if begins_with(text, b"<?xml") {
        return Some("it is XML: save its table as CSV or XLSX");
    }
    is_binary(beginning).then_some("it is no text: CSV, XLSX, JSON and NDJSON can be read")
}

/// Workbooks of `OpenDocument` name their kind at the beginning of the archive.
fn archive(beginning: &[u8]) -> Option<&'static str> {
    let is_other = memmem::find(beginning, b"application/vnd.oasis.opendocument").is_some();
    is_other.then_some("it is a workbook of LibreOffice (.ods): save it as .xlsx or CSV")
}

fn is_form(text: &[u8]) -> bool {
    let head = text.get(..1_024).unwrap_or(text).to_ascii_lowercase();
    text.starts_with(b"--") && memmem::find(&head, b"content-disposition: form-data").is_some()
}

fn begins_with(text: &[u8], lower: &[u8]) -> bool {
    let start = text.get(..lower.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(lower))
}

/// Whether bytes are no text in any encoding: more than one in twenty is a control character. In
/// UTF-16, every other byte may be zero.
fn is_binary(beginning: &[u8]) -> bool {
    let is_control =
        |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1b);
    let zeros = |first| {
        beginning
            .iter()
            .skip(first)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let is_wide = even.max(odd) > 10 * even.min(odd);
    let controls = beginning.iter().filter(|byte| is_control(byte)).count();
    let expected = if is_wide { even + odd } else { 0 };
    (controls - expected.min(controls)) * 20 > beginning.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_told() {
        let elf: Vec<u8> = (0..2_000_u32)
            .map(|n| [0x7f, b'E', 0, 0, 1, 0, 2, 0][n as usize % 8])
            .collect();
        let form = b"--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\na,b\r\n";
        for (bytes, word) in [
            (&b"%PDF-1.7\n"[..], "PDF"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1", ".xls"),
            (b"\x1f\x8b\x08\x00", "gzip"),
            (
                b"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
                ".ods",
            ),
            (form, "form"),
            (b"\n<!DOCTYPE HTML><table>", "HTML"),
            (b"<?xml version=\"1.0\"?>", "XML"),
            (&elf, "no text"),
        ] {
            let message = refusal(bytes).unwrap();
            assert!(message.contains(word), "{word}: {message}");
        }
    }

    #[test]
    fn tables_are_told() {
        let wide = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        for bytes in [
            Vec::new(),
            b"a,b\n1,2\n".to_vec(),
            b"--,b\n-- Content,2\n".to_vec(),
            b"PK\x03\x04\x14\x00\x00\x00xl/workbook.xml".to_vec(),
            b"name\n\x1b[1mbold\n".to_vec(),
            b"a,\x00b\nlonger and longer,1\n".to_vec(),
            b"\x93\x8c\x8b\x9e,1\n".to_vec(),
            wide("name;größe\r\nweb;7\r\n"),
            wide("名前,数\n東京,1\n"),
        ] {
            assert_eq!(refusal(&bytes), None, "{bytes:?}");
        }
    }
}
