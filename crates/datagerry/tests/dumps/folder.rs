//! The dumps of the fixtures.

use std::fs;
use std::path::PathBuf;

use stockroom_datagerry::{Archive, Document, Dump, Error, Stream};

/// The bytes of a fixture.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    fs::read(fixtures.join(name)).unwrap()
}

/// A folder of `.bson` files.
pub(crate) struct Folder(pub(crate) &'static str);

impl Dump for Folder {
    fn collections(&self) -> Vec<String> {
        let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let entries = fs::read_dir(fixtures.join(self.0).join("cmdb")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter_map(|name| name.strip_suffix(".bson").map(str::to_owned))
            .collect();
        names.sort();
        names
    }

    fn each(
        &self,
        collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !self.collections().iter().any(|known| known == collection) {
            return Ok(());
        }
        let bytes = fixture(&format!("{}/cmdb/{collection}.bson", self.0));
        Stream::new(collection, bytes.as_slice()).each(visit)
    }
}

/// An archive in memory.
pub(crate) struct Archived(pub(crate) Vec<u8>);

impl Dump for Archived {
    fn collections(&self) -> Vec<String> {
        let archive = Archive::open("archive", self.0.as_slice()).unwrap();
        archive
            .collections()
            .map(|(_, name)| name.to_owned())
            .collect()
    }

    fn each(
        &self,
        collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Archive::open("archive", self.0.as_slice())?.each(("cmdb", collection), visit)
    }
}
