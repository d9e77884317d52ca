//! Reading a text from left to right.

/// The unread part of an expression.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'p>(&'p str);

impl<'p> Cursor<'p> {
    pub(super) fn new(text: &'p str) -> Self {
        Self(text)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let mut rest = self.0.chars();
        let next = rest.next()?;
        self.0 = rest.as_str();
        Some(next)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.0.chars().next()
    }

    /// Skips `prefix` if the rest starts with it.
    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let rest = self.0.strip_prefix(prefix);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Reads up to `end` and skips `end`; without it reads nothing and gives `None`.
    pub(super) fn until(&mut self, end: &str) -> Option<&'p str> {
        let (before, after) = self.0.split_once(end)?;
        self.0 = after;
        Some(before)
    }

    /// Reads up to `most` characters of a kind.
    pub(super) fn take(&mut self, most: usize, kind: impl Fn(char) -> bool) -> &'p str {
        let end = self
            .0
            .char_indices()
            .take(most)
            .find(|(_, character)| !kind(*character))
            .map(|(index, _)| index)
            .or_else(|| self.0.char_indices().nth(most).map(|(index, _)| index))
            .unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    /// The unread text.
    pub(super) fn rest(&self) -> &'p str {
        self.0
    }
}
