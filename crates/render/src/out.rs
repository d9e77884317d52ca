//! JSON text in the making.

use std::io::Write as _;

use serde::Serialize;

/// The text so far. Commas are the business of whoever writes.
#[derive(Debug)]
pub(crate) struct Out(Vec<u8>);

impl Out {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// Text that is JSON already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    /// A value, as JSON.
    pub(crate) fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Writing to memory cannot fail, and maps here have texts for keys.
        let _ = serde_json::to_writer(&mut self.0, value);
    }

    /// A number.
    pub(crate) fn number(&mut self, number: i64) {
        let _ = write!(self.0, "{number}");
    }

    /// Several values with commas between them.
    pub(crate) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            write(self, item);
        }
    }

    pub(crate) fn finish(self) -> String {
        // Only text was put in.
        String::from_utf8(self.0).unwrap_or_default()
    }
}
