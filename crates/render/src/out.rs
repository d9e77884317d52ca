//! An output buffer for JSON text.

use std::io::Write as _;

use serde::Serialize;

use crate::work::Work;

/// Initial capacity, enough for most documents.
const TYPICAL_BYTES: usize = 8_192;

/// The text so far. The caller writes the commas.
pub(crate) struct Out<'w> {
    text: Vec<u8>,
    /// The length at which a document is truncated: its lists end, and values that do not fit
    /// become null.
    most_bytes: usize,
    is_cut: bool,
    work: &'w Work<'w>,
}

impl<'w> Out<'w> {
    pub(crate) fn new(most_bytes: usize, work: &'w Work<'w>) -> Self {
        Self {
            text: Vec::with_capacity(TYPICAL_BYTES),
            most_bytes,
            is_cut: false,
            work,
        }
    }

    /// The work on the document.
    pub(crate) const fn work(&self) -> &'w Work<'w> {
        self.work
    }

    /// Appends text that is already JSON.
    pub(crate) fn raw(&mut self, json: &str) {
        self.text.extend_from_slice(json.as_bytes());
    }

    /// Appends a stored value, which is already JSON; null if it does not fit.
    pub(crate) fn stored(&mut self, json: &str) {
        if self.text.len() + json.len() > self.most_bytes {
            self.is_cut = true;
            self.raw("null");
        } else {
            self.raw(json);
        }
    }

    /// Whether something was omitted for lack of space.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Appends a value as JSON.
    pub(crate) fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Writing to memory cannot fail, and all maps here have text keys.
        let _ = serde_json::to_writer(&mut self.text, value);
    }

    pub(crate) fn number(&mut self, number: i64) {
        let _ = write!(self.text, "{number}");
    }

    /// Appends values with commas between them until a limit is reached.
    pub(crate) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if self.text.len() >= self.most_bytes || self.work.is_over() {
                self.is_cut = true;
                return;
            }
            if index > 0 {
                self.raw(",");
            }
            let length = self.text.len();
            write(self, item);
            self.work.pay(self.text.len() - length);
        }
    }

    pub(crate) fn finish(self) -> String {
        // Only valid UTF-8 was appended.
        String::from_utf8(self.text).unwrap_or_default()
    }
}
