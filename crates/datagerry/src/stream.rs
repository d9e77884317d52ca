//! The documents of a `.bson` file, one after another.

use std::io::{ErrorKind, Read};

use crate::bson::{Document, MAX_DOCUMENT_BYTES};
use crate::{Dump, Error};

/// A `.bson` file.
pub struct Stream<R> {
    pub(crate) reader: R,
    file: String,
    offset: u64,
    /// The document that was read last, with its length.
    pub(crate) bytes: Vec<u8>,
}

/// The first four bytes of a document or an end mark.
pub(crate) enum Head {
    End,
    Length(u32),
}

impl<R: Read> Stream<R> {
    /// The documents of a reader; messages name `file`.
    pub fn new(file: impl Into<String>, reader: R) -> Self {
        Self {
            reader,
            file: file.into(),
            offset: 0,
            bytes: Vec::new(),
        }
    }

    /// Passes on every document.
    pub fn each(
        mut self,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while let Head::Length(length) = self.head()? {
            self.body(length)?;
            visit(self.document()?)?;
        }
        Ok(())
    }

    /// The length of the next document; the end of the file is no error here.
    pub(crate) fn head(&mut self) -> Result<Head, Error> {
        self.bytes.clear();
        let read = self.read_up_to(4)?;
        match <[u8; 4]>::try_from(self.bytes.as_slice()) {
            Ok(length) => Ok(Head::Length(u32::from_le_bytes(length))),
            Err(_) if read == 0 => Ok(Head::End),
            Err(_) => Err(self.damaged(0, "the file ends inside of a document")),
        }
    }

    /// Reads the rest of a document. A false length allocates no more than the file has.
    pub(crate) fn body(&mut self, length: u32) -> Result<(), Error> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if !(5..=MAX_DOCUMENT_BYTES).contains(&length) {
            let detail = format!("{length} bytes are no length of a document");
            return Err(self.damaged(0, &detail));
        }
        let rest = length - 4;
        if self.read_up_to(rest)? < rest {
            return Err(self.damaged(0, "the file ends inside of a document"));
        }
        Ok(())
    }

    /// The document that was read last.
    pub(crate) fn document(&self) -> Result<Document, Error> {
        Document::read(&self.bytes)
            .map_err(|malformed| self.damaged(malformed.at, &malformed.detail))
    }

    /// An error at a byte of the document that was read last.
    pub(crate) fn damaged(&self, at: usize, detail: &str) -> Error {
        let start = self.offset.saturating_sub(self.bytes.len() as u64);
        Error::Damaged {
            file: self.file.clone(),
            offset: start + at as u64,
            detail: detail.to_owned(),
        }
    }

    fn read_up_to(&mut self, length: usize) -> Result<usize, Error> {
        let read = self
            .reader
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut self.bytes);
        let read = read.map_err(|source| self.unreadable(source))?;
        self.offset += read as u64;
        Ok(read)
    }

    /// A compressed file that is cut off or broken is damaged, too.
    fn unreadable(&self, source: std::io::Error) -> Error {
        match source.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => {
                self.damaged(0, &format!("it cannot be decompressed: {source}"))
            }
            _ => Error::Unreadable {
                file: self.file.clone(),
                offset: self.offset,
                source,
            },
        }
    }
}

/// The documents of one collection.
pub(crate) fn each_of(
    dump: &dyn Dump,
    collection: &str,
    mut visit: impl FnMut(Document) -> Result<(), Error>,
) -> Result<(), Error> {
    dump.each(collection, &mut visit)
}
