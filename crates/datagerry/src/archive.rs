//! The archive format of `mongodump --archive`: a magic number, a header and the metadata of the
//! collections, then blocks. A block has a header that names its collection, documents, and an end
//! mark; blocks of several collections alternate. An empty block ends a collection and has the
//! checksum of its bytes.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Map, Value};

use crate::Error;
use crate::bson::Document;
use crate::crc64::Crc64;
use crate::stream::{Head, Stream};

/// The first four bytes of an archive, as a number.
const MAGIC: u32 = 0x8199_e26d;
const END_OF_BLOCK: u32 = u32::MAX;
/// Maximum number of collections.
const MAX_COLLECTIONS: usize = 10_000;

/// An archive.
pub struct Archive<R> {
    stream: Stream<R>,
    /// The checksum of each open or ended collection, by its database and name.
    collections: BTreeMap<(String, String), Collection>,
}

struct Collection {
    sum: Crc64,
    has_ended: bool,
}

impl<R: Read> Archive<R> {
    /// Reads the beginning of an archive; messages name `file`.
    pub fn open(file: impl Into<String>, reader: R) -> Result<Self, Error> {
        let mut stream = Stream::new(file, reader);
        match stream.head()? {
            Head::Length(MAGIC) => {}
            Head::Length(_) | Head::End => {
                return Err(stream.damaged(0, "it is no archive of mongodump"));
            }
        }
        let mut archive = Self {
            stream,
            collections: BTreeMap::new(),
        };
        // The header has only versions.
        archive.next_in_block()?;
        while archive.next_in_block()? {
            let metadata = archive.stream.document()?.members;
            let name = archive.name(&metadata)?;
            archive.record_collection(name)?;
        }
        Ok(archive)
    }

    /// The databases with their collections.
    pub fn collections(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.collections.keys();
        names.map(|(database, name)| (database.as_str(), name.as_str()))
    }

    /// Passes on every document of one collection, and checks the whole archive.
    pub fn each(
        mut self,
        collection: (&str, &str),
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while let Some(name) = self.block()? {
            let is_wanted = (name.0.as_str(), name.1.as_str()) == collection;
            while self.next_in_block()? {
                let ended = self.collections.get_mut(&name).map(|known| {
                    known.sum.add(&self.stream.bytes);
                    known.has_ended
                });
                if ended != Some(false) {
                    return Err(self
                        .stream
                        .damaged(0, "a document follows its collection's end"));
                }
                if is_wanted {
                    visit(self.stream.document()?)?;
                }
            }
        }
        let open = self.collections.iter().find(|(_, known)| !known.has_ended);
        match open {
            None => Ok(()),
            Some(((_, name), _)) => {
                let detail = format!("the archive ends before the collection {name} does");
                Err(self.stream.damaged(0, &detail))
            }
        }
    }

    /// Reads a header and returns the collection of the block; none at the end of the archive.
    fn block(&mut self) -> Result<Option<(String, String)>, Error> {
        match self.stream.head()? {
            Head::End => return Ok(None),
            Head::Length(length) => self.stream.body(length)?,
        }
        let header = self.stream.document()?.members;
        let name = self.name(&header)?;
        self.record_collection(name.clone())?;
        if header.get("EOF") == Some(&Value::Bool(true)) {
            self.end(&name, header.get("CRC").and_then(Value::as_i64))?;
        }
        Ok(Some(name))
    }

    /// Notes the end of a collection, whose checksum must be right.
    fn end(&mut self, name: &(String, String), sum: Option<i64>) -> Result<(), Error> {
        if let Some(known) = self.collections.get_mut(name) {
            known.has_ended = true;
            if sum != Some(known.sum.sum()) {
                let detail = format!("the checksum of the collection {} is wrong", name.1);
                return Err(self.stream.damaged(0, &detail));
            }
        }
        Ok(())
    }

    /// Reads the next document of a block; false at its end.
    fn next_in_block(&mut self) -> Result<bool, Error> {
        match self.stream.head()? {
            Head::Length(END_OF_BLOCK) => Ok(false),
            Head::Length(length) => self.stream.body(length).map(|()| true),
            Head::End => Err(self.stream.damaged(0, "the archive ends inside of a block")),
        }
    }

    fn record_collection(&mut self, name: (String, String)) -> Result<(), Error> {
        if self.collections.len() >= MAX_COLLECTIONS {
            let detail = format!("it has more than {MAX_COLLECTIONS} collections");
            return Err(self.stream.damaged(0, &detail));
        }
        self.collections.entry(name).or_insert(Collection {
            sum: Crc64::EMPTY,
            has_ended: false,
        });
        Ok(())
    }

    fn name(&self, header: &Map<String, Value>) -> Result<(String, String), Error> {
        let text = |key: &str| header.get(key).and_then(Value::as_str);
        let names = text("db").zip(text("collection"));
        names
            .map(|(database, name)| (database.to_owned(), name.to_owned()))
            .ok_or_else(|| self.stream.damaged(0, "a header names no collection"))
    }
}
