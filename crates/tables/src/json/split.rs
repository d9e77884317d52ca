//! Splits JSON into documents, whatever pieces it comes in. It only finds where they end; whether
//! they are JSON shows when they are parsed.

use memchr::{memchr, memchr2};

use crate::Error;

/// Where the next character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Behind,
}

/// Where the next character of a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexerState {
    Outside,
    /// In a text.
    Text,
    /// Behind a backslash in a text.
    Escape,
}

/// A document, or why it is none, with its number.
pub(super) type Document<'d> = (u64, Result<&'d str, String>);

/// Splits text into documents. It holds one of them at most.
pub(super) struct Splitter {
    /// Whether each line is a document; else the text is a list of them.
    is_by_line: bool,
    max_bytes: usize,
    state: State,
    /// The arrays and objects that are open within the document.
    depth: usize,
    lexer: LexerState,
    /// The document so far, unless it is too long.
    text: String,
    is_too_long: bool,
    number: u64,
}

impl Splitter {
    pub(super) const fn new(is_by_line: bool, max_bytes: usize) -> Self {
        Self {
            is_by_line,
            max_bytes,
            state: if is_by_line {
                State::Inside
            } else {
                State::Before
            },
            depth: 0,
            lexer: LexerState::Outside,
            text: String::new(),
            is_too_long: false,
            number: 0,
        }
    }

    /// Takes the next piece, and passes on the documents that end in it.
    pub(super) fn feed(
        &mut self,
        piece: &str,
        each: &mut impl FnMut(Document<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = piece;
        while !rest.is_empty() {
            match self.state {
                State::Before => rest = self.open(rest)?,
                State::Inside => {
                    let end = if self.is_by_line {
                        memchr(b'\n', rest.as_bytes())
                    } else {
                        self.end(rest.as_bytes())
                    };
                    self.push(rest.get(..end.unwrap_or(rest.len())).unwrap_or_default());
                    let Some(end) = end else {
                        return Ok(());
                    };
                    if rest.as_bytes().get(end) == Some(&b']') {
                        self.state = State::Behind;
                    }
                    self.pass(each)?;
                    rest = rest.get(end + 1..).unwrap_or_default();
                }
                State::Behind if rest.trim_start().is_empty() => return Ok(()),
                State::Behind => return Err(unreadable("there is something behind the list")),
            }
        }
        Ok(())
    }

    /// Passes on the last line, which may have no end.
    pub(super) fn finish(
        mut self,
        each: &mut impl FnMut(Document<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self.state {
            State::Inside if self.is_by_line => self.pass(each),
            State::Before => Err(unreadable("it has no list of documents")),
            State::Inside => Err(unreadable("the list of documents is never closed")),
            State::Behind => Ok(()),
        }
    }

    fn open<'p>(&mut self, rest: &'p str) -> Result<&'p str, Error> {
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(rest);
        }
        self.state = State::Inside;
        let list = rest.strip_prefix('[');
        list.ok_or_else(|| unreadable("JSON must be a list of documents"))
    }

    /// Where the document ends: at a comma or bracket that is not part of it.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if self.lexer != LexerState::Outside {
                at += self.skip_text(bytes.get(at..).unwrap_or_default());
                continue;
            }
            match byte {
                b'"' => self.lexer = LexerState::Text,
                b'[' | b'{' => self.depth += 1,
                b',' | b']' if self.depth == 0 => return Some(at),
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The bytes up to the end of a text, or up to and including a backslash.
    fn skip_text(&mut self, bytes: &[u8]) -> usize {
        if self.lexer == LexerState::Escape {
            self.lexer = LexerState::Text;
            return 1;
        }
        let Some(end) = memchr2(b'"', b'\\', bytes) else {
            return bytes.len();
        };
        self.lexer = match bytes.get(end) {
            Some(b'\\') => LexerState::Escape,
            _ => LexerState::Outside,
        };
        end + 1
    }

    fn push(&mut self, text: &str) {
        if self.is_too_long {
            return;
        }
        if self.text.len() + text.len() > self.max_bytes {
            self.is_too_long = true;
            self.text.clear();
        } else {
            self.text.push_str(text);
        }
    }

    fn pass(
        &mut self,
        each: &mut impl FnMut(Document<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_only = self.state == State::Behind && self.number == 0;
        self.number += 1;
        let is_too_long = std::mem::take(&mut self.is_too_long);
        let document = if is_too_long {
            Err(format!("is longer than {} bytes", self.max_bytes))
        } else if !self.text.trim_ascii().is_empty() {
            Ok(self.text.as_str())
        } else if self.is_by_line || is_only {
            return Ok(());
        } else {
            Err("is no document, but a comma too many".to_owned())
        };
        each((self.number, document))?;
        self.text.clear();
        Ok(())
    }
}

fn unreadable(message: &str) -> Error {
    Error::Unreadable(message.to_owned())
}

#[cfg(test)]
mod tests;
