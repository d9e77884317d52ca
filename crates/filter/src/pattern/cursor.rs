//! Reading a text from left to right.

/// The part of an expression that is still to be read.
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

    /// Steps over `prefix` if it is what comes next.
    pub(super) fn eat(&mut self, prefix: &str) -> bool {
        let rest = self.0.strip_prefix(prefix);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Everything up to `end`, which is stepped over; `None`, and no step, if it does not come.
    pub(super) fn until(&mut self, end: &str) -> Option<&'p str> {
        let (before, after) = self.0.split_once(end)?;
        self.0 = after;
        Some(before)
    }

    /// Up to `most` characters of a kind.
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

    /// The text that is left.
    pub(super) fn rest(&self) -> &'p str {
        self.0
    }
}
