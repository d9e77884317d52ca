//! Opens a dump: a folder of `.bson` files, or an archive, each also compressed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use flate2::read::MultiGzDecoder;
use stockroom_datagerry::{Archive, Document, Dump, Error, Stream};

const BUFFER: usize = 256 * 1024;
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// A dump of DATAGERRY has this collection.
const MARK: &str = "framework.types";

/// A dump of one database.
#[derive(Clone)]
pub(crate) enum Source {
    /// The files by their collections.
    Folder(BTreeMap<String, PathBuf>),
    Archive {
        file: PathBuf,
        database: String,
        collections: Vec<String>,
    },
}

impl Source {
    pub(crate) fn open(dump: &Path) -> anyhow::Result<Self> {
        let metadata = fs::metadata(dump);
        let metadata = metadata.with_context(|| format!("cannot read {}", dump.display()))?;
        if metadata.is_dir() {
            Self::open_folder(dump)
        } else {
            ensure!(metadata.is_file(), "{} is no file", dump.display());
            Self::open_archive(dump)
        }
    }

    /// The folder of a database, or the folder around it.
    fn open_folder(folder: &Path) -> anyhow::Result<Self> {
        let files = files_of(folder)?;
        if files.contains_key(MARK) {
            return Ok(Self::Folder(files));
        }
        let mut found = Vec::new();
        for entry in entries(folder)? {
            if entry.is_dir() {
                let files = files_of(&entry)?;
                if files.contains_key(MARK) {
                    found.push((entry, files));
                }
            }
        }
        match found.len() {
            1 => Ok(Self::Folder(found.remove(0).1)),
            0 => bail!(
                "{} has no {MARK}.bson: it is no dump of DATAGERRY",
                folder.display()
            ),
            _ => bail!(
                "{} has dumps of several databases; name the folder of one of them",
                folder.display()
            ),
        }
    }

    fn open_archive(file: &Path) -> anyhow::Result<Self> {
        let archive = archive(file)?;
        let databases: BTreeSet<String> = archive
            .collections()
            .filter(|(_, collection)| *collection == MARK)
            .map(|(database, _)| database.to_owned())
            .collect();
        let mut databases = databases.into_iter();
        let (Some(database), None) = (databases.next(), databases.next()) else {
            bail!(
                "{} must have the collection {MARK} of one database",
                file.display()
            );
        };
        let collections = archive
            .collections()
            .filter(|(owner, _)| *owner == database);
        Ok(Self::Archive {
            file: file.to_owned(),
            collections: collections.map(|(_, name)| name.to_owned()).collect(),
            database,
        })
    }
}

impl Dump for Source {
    fn collections(&self) -> Vec<String> {
        match self {
            Self::Folder(files) => files.keys().cloned().collect(),
            Self::Archive { collections, .. } => collections.clone(),
        }
    }

    fn each(
        &self,
        collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Folder(files) => match files.get(collection) {
                Some(file) => Stream::new(name(file), reader(file)?).each(visit),
                None => Ok(()),
            },
            Self::Archive {
                file,
                database,
                collections,
            } => {
                if collections.iter().any(|known| known == collection) {
                    archive(file)?.each((database, collection), visit)
                } else {
                    Ok(())
                }
            }
        }
    }
}

fn archive(file: &Path) -> Result<Archive<Box<dyn Read>>, Error> {
    Archive::open(name(file), reader(file)?)
}

fn name(file: &Path) -> String {
    file.display().to_string()
}

/// A reader of the file, decompressed.
fn reader(file: &Path) -> Result<Box<dyn Read>, Error> {
    let open = || -> std::io::Result<Box<dyn Read>> {
        let mut opened = File::open(file)?;
        let mut head = Vec::new();
        opened.by_ref().take(2).read_to_end(&mut head)?;
        let is_plain_bson = file
            .extension()
            .is_some_and(|extension| extension == "bson");
        let whole =
            BufReader::with_capacity(BUFFER, std::io::Cursor::new(head.clone()).chain(opened));
        // A document may be as long as these two bytes say.
        Ok(if head == GZIP && !is_plain_bson {
            Box::new(MultiGzDecoder::new(whole))
        } else {
            Box::new(whole)
        })
    };
    open().map_err(|source| Error::Unreadable {
        file: name(file),
        offset: 0,
        source,
    })
}

/// The `.bson` files of a folder by their collections.
fn files_of(folder: &Path) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    for file in entries(folder)? {
        let name = file
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let plain = name.strip_suffix(".gz").unwrap_or(name);
        if let Some(collection) = plain.strip_suffix(".bson")
            && file.is_file()
        {
            let known = files.insert(collection.to_owned(), file.clone());
            ensure!(
                known.is_none(),
                "{} has {collection} twice",
                folder.display()
            );
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let listed = fs::read_dir(folder).and_then(|entries| {
        let paths = entries.map(|entry| Ok(entry?.path()));
        paths.collect::<std::io::Result<Vec<_>>>()
    });
    let mut paths = listed.with_context(|| format!("cannot read {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}
