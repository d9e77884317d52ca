//! Reads CSV: RFC 4180, and what programs make of it.

use std::io;

use crate::table::Table;
use crate::text::Text;
use crate::{Error, Format, Limits, Options, Read, Row, detect};

use super::split::Splitter;

pub(crate) fn read_csv(
    text: &mut Text<impl io::Read>,
    options: &Options,
    limits: &Limits,
    each: impl FnMut(Row) -> io::Result<()>,
) -> Result<Read, Error> {
    let (told, line) = told_separator(&text.piece);
    text.piece.drain(..line);
    let separator = options.separator.or(told);
    let separator = separator.unwrap_or_else(|| detect::separator(&text.piece));
    if !separator.is_ascii() || matches!(separator, b'"' | b'\r' | b'\n' | 0) {
        let message = format!("{:?} cannot separate cells", char::from(separator));
        return Err(Error::Unreadable(message));
    }
    let table = Table::new(options.header, limits, each).with_escapes(options.has_escapes);
    let table = split(text, Splitter::new(separator, limits), table)?;
    let outcome = table.finish()?;
    Ok(Read {
        format: Format::Csv,
        separator: Some(char::from(separator)),
        encoding: Some(text.encoding()),
        sheet: None,
        sheets: Vec::new(),
        header_row: outcome.header_row,
        has_escapes: outcome.has_escapes,
        columns: outcome.columns,
        rows: outcome.rows,
    })
}

fn split<'l, F: FnMut(Row) -> io::Result<()>>(
    text: &mut Text<impl io::Read>,
    mut splitter: Splitter<'_>,
    mut table: Table<'l, F>,
) -> Result<Table<'l, F>, Error> {
    let mut record = |record| table.record(record);
    while !text.piece.is_empty() {
        splitter.feed(&text.piece, &mut record)?;
        text.next()?;
    }
    splitter.finish(&mut record)?;
    Ok(table)
}

/// The separator in a first line `sep=;`, and the length of this line. Excel writes and hides it.
fn told_separator(beginning: &str) -> (Option<u8>, usize) {
    match beginning.as_bytes() {
        [
            b's' | b'S',
            b'e' | b'E',
            b'p' | b'P',
            b'=',
            separator,
            rest @ ..,
        ] if separator.is_ascii_punctuation() || matches!(separator, b'\t' | b' ') => match rest {
            [b'\r', b'\n', ..] => (Some(*separator), 7),
            [b'\r' | b'\n', ..] => (Some(*separator), 6),
            [] => (Some(*separator), 5),
            _ => (None, 0),
        },
        _ => (None, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_may_tell_the_separator() {
        for (text, separator, length) in [
            ("sep=;\r\na;b", Some(b';'), 7),
            ("SEP=|\na", Some(b'|'), 6),
            ("sep=\t\ra", Some(b'\t'), 6),
            ("sep=,", Some(b','), 5),
            ("sep=,b\n", None, 0),
            ("sep=", None, 0),
            ("sep=ab\n", None, 0),
            ("sep=ü\n", None, 0),
            ("", None, 0),
        ] {
            assert_eq!(told_separator(text), (separator, length), "{text:?}");
        }
    }
}
