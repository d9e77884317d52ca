//! JSON text in the making.

use std::io::Write as _;

use serde::Serialize;

/// Room for most documents; a longer one makes the text grow.
const TYPICAL_BYTES: usize = 8_192;

/// The text so far. Commas are the business of whoever writes.
#[derive(Debug)]
pub(crate) struct Out {
    text: Vec<u8>,
    /// A document that has so many bytes is cut: its lists end, and values that do not fit any more
    /// are null.
    most_bytes: usize,
    is_cut: bool,
}

impl Out {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self {
            text: Vec::with_capacity(TYPICAL_BYTES),
            most_bytes,
            is_cut: false,
        }
    }

    /// Text that is JSON already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.text.extend_from_slice(json.as_bytes());
    }

    /// A stored value, which is JSON already, unless there is no room for it.
    pub(crate) fn stored(&mut self, json: &str) {
        if self.text.len() + json.len() > self.most_bytes {
            self.is_cut = true;
            self.raw("null");
        } else {
            self.raw(json);
        }
    }

    /// Whether something was left out for want of room.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// A value, as JSON.
    pub(crate) fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Writing to memory cannot fail, and maps here have texts for keys.
        let _ = serde_json::to_writer(&mut self.text, value);
    }

    /// A number.
    pub(crate) fn number(&mut self, number: i64) {
        let _ = write!(self.text, "{number}");
    }

    /// Several values with commas between them, as long as there is room.
    pub(crate) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if self.text.len() >= self.most_bytes {
                self.is_cut = true;
                return;
            }
            if index > 0 {
                self.raw(",");
            }
            write(self, item);
        }
    }

    pub(crate) fn finish(self) -> String {
        // Only text was put in.
        String::from_utf8(self.text).unwrap_or_default()
    }
}
