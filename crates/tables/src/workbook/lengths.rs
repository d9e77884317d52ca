//! Measures texts as calamine collects them: whatever stands inside of one, such as comments and
//! other elements, does not end it.

use std::io::{BufReader, Read};

use quick_xml::events::Event;

/// The bytes of the longest text of a cell or of the list of texts.
pub(super) fn longest_text(entry: impl Read) -> usize {
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(entry));
    let config = reader.config_mut();
    // As calamine does.
    config.check_end_names = false;
    config.expand_empty_elements = true;
    let mut texts = Texts::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => texts.begin(tag.local_name().as_ref(), tag.name().as_ref()),
            Ok(Event::End(tag)) => texts.end(tag.name().as_ref()),
            Ok(Event::Text(text)) => texts.bytes += text.len(),
            Ok(Event::CData(text)) => texts.bytes += text.len(),
            Ok(Event::GeneralRef(text)) => texts.bytes += text.len(),
            Ok(Event::Eof) | Err(_) => return texts.longest.max(texts.bytes),
            Ok(_) => {}
        }
    }
}

/// The text that is read. It may end where no element is open that holds text.
#[derive(Default)]
struct Texts {
    open: Vec<String>,
    /// How many of these are `t`. Calamine looks for its end alone.
    inner: usize,
    bytes: usize,
    longest: usize,
}

impl Texts {
    fn begin(&mut self, local: &str, name: &str) {
        let holds_text = matches!(local, "si" | "is" | "t" | "v" | "f");
        if holds_text && !self.open.iter().any(|open| open == name) {
            self.inner += usize::from(local == "t");
            self.open.push(name.to_owned());
        }
    }

    fn end(&mut self, name: &str) {
        let is_inner = name == "t" || name.ends_with(":t");
        if self.inner > 0 && !is_inner {
            return;
        }
        let Some(index) = self.open.iter().position(|open| open == name) else {
            return;
        };
        self.open.swap_remove(index);
        self.inner -= usize::from(is_inner);
        if self.open.is_empty() {
            self.longest = self.longest.max(self.bytes);
            self.bytes = 0;
        }
    }
}
