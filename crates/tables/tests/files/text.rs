//! Reads texts from any input, in any encoding.

use std::io;

use stockroom_tables::{Cell, Format, Limits, Options, encoding_named, read_text};

use crate::common::text_with;

fn utf16(text: &str, of: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(of).collect()
}

#[test]
fn encodings_are_detected_or_given() {
    let content = "name;größe\nweb;7\n";
    let latin: Vec<u8> = content
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let bom = format!("\u{feff}{content}");
    for (bytes, given, encoding) in [
        (content.as_bytes().to_vec(), None, "UTF-8"),
        (bom.as_bytes().to_vec(), Some("latin1"), "UTF-8"),
        (utf16(&bom, u16::to_le_bytes), None, "UTF-16LE"),
        (utf16(&bom, u16::to_be_bytes), None, "UTF-16BE"),
        (utf16(content, u16::to_le_bytes), None, "UTF-16LE"),
        (utf16(content, u16::to_be_bytes), None, "UTF-16BE"),
        (latin.clone(), None, "windows-1252"),
        (latin.clone(), Some("iso-8859-15"), "ISO-8859-15"),
    ] {
        let options = Options {
            encoding: given.and_then(encoding_named),
            ..Options::default()
        };
        let file = text_with(&bytes, &options, &Limits::default());
        assert_eq!(file.names(), ["name", "größe"]);
        assert_eq!(
            (file.read().encoding, file.short()),
            (Some(encoding), vec!["2: web | 7".to_owned()])
        );
        assert_eq!(
            (file.read().separator, file.read().format),
            (Some(';'), Format::Csv)
        );
    }
    let options = Options {
        encoding: encoding_named("utf-8"),
        ..Options::default()
    };
    let file = text_with(&latin, &options, &Limits::default());
    assert_eq!(
        file.error.unwrap(),
        "byte 8 is not in the encoding UTF-8; tell the right `encoding`, such as windows-1252"
    );
    assert!(encoding_named("utf-99").is_none());
}

/// A header, and a row with a cell of many megabytes.
struct Giant {
    beginning: &'static [u8],
    left: usize,
    longest_read: usize,
}

impl io::Read for Giant {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.longest_read = self.longest_read.max(out.len());
        if !self.beginning.is_empty() {
            return self.beginning.read(out);
        }
        let length = out.len().min(self.left);
        out[..length].fill(b'x');
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn giant_cells_are_not_kept() {
    for (beginning, expected) in [
        (&b"a,b\n1,"[..], "broken"),
        (b"a,b\n1,\"", "problem"),
        (b"[{\"a\": \"", "error"),
        (b"{\"a\": 1}\n{\"a\": \"", "problem"),
    ] {
        let mut giant = Giant {
            beginning,
            left: 100 << 20,
            longest_read: 0,
        };
        let mut found = "error";
        let result = read_text(&mut giant, &Options::default(), &Limits::default(), |row| {
            if row.problem.is_some() {
                found = "problem";
            } else if matches!(row.cell(1), Cell::Broken(_)) {
                found = "broken";
            }
            Ok(())
        });
        assert_eq!((found, result.is_err()), (expected, expected == "error"));
        assert!(giant.longest_read <= 1 << 20);
        assert_eq!(giant.left, 0);
    }
}

#[test]
fn the_caller_may_stop() {
    let mut rows = 0;
    let result = read_text(
        &b"a\n1\n2\n3\n"[..],
        &Options::default(),
        &Limits::default(),
        |_| {
            rows += 1;
            if rows == 2 {
                Err(io::Error::other("enough"))
            } else {
                Ok(())
            }
        },
    );
    assert_eq!(
        (result.unwrap_err().to_string(), rows),
        ("enough".to_owned(), 2)
    );
}
