//! Refuses sheets whose XML is broken: calamine stops reading or leaves out cells without a word.

use std::io::{BufReader, Read};

use quick_xml::events::Event;

use crate::Error;

pub(super) fn check(sheet: impl Read) -> Result<(), Error> {
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(sheet));
    let mut buffer = Vec::new();
    let mut open = 0_usize;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(_)) => open += 1,
            Ok(Event::End(_)) => open = open.saturating_sub(1),
            Ok(Event::Eof) if open > 0 => return Err(broken("it ends within a tag")),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(broken(error)),
        }
    }
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::Unreadable(format!("it is a broken workbook: a sheet of it: {error}"))
}
