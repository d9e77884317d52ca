//! The text of a file, piece by piece.

use std::io;

use crate::decode::Decoded;
use crate::{Error, Options};

/// A text in pieces.
pub(crate) struct Text<R> {
    decoded: Decoded<R>,
    /// The current piece; empty at the end.
    pub(crate) piece: String,
}

impl<R: io::Read> Text<R> {
    pub(crate) fn new(input: R, options: &Options) -> Result<Self, Error> {
        let decoded = Decoded::new(input, options.encoding)?;
        let piece = String::new();
        let mut text = Self { decoded, piece };
        text.next()?;
        Ok(text)
    }

    /// Goes to the next piece.
    pub(crate) fn next(&mut self) -> Result<(), Error> {
        self.piece.clear();
        while self.piece.is_empty() && self.decoded.next(&mut self.piece)? {}
        Ok(())
    }

    pub(crate) fn encoding(&self) -> &'static str {
        self.decoded.encoding().name()
    }
}
