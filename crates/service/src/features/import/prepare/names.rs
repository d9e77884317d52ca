//! By what the objects of a file can be named in a dry run, which takes them back before the rows
//! that refer to them are read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, RandomState};

use stockroom_model::ObjectId;

use crate::features::import::row_result::{RowResult, RowStatus};

/// The names of the objects that the rows so far make or change. Hashes take the place of texts.
#[derive(Debug, Clone, Default)]
pub(in crate::features::import) struct FileNames {
    /// Secret, as that of keys.
    hasher: RandomState,
    objects: HashMap<u64, Named>,
    /// The names that changed objects have since, by object and fields.
    now: HashMap<(u64, ObjectId), u64>,
}

/// Fields of a row and their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::features::import) struct Name {
    fields: u64,
    texts: u64,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::features::import) enum Named {
    /// An object that a row makes.
    New,
    /// One that was there before.
    Stored(ObjectId),
    Several,
}

impl FileNames {
    /// The name that a row has by these fields.
    pub(in crate::features::import) fn name(&self, fields: &[&str], texts: &[String]) -> Name {
        Name {
            fields: self.hasher.hash_one(fields),
            texts: self.hasher.hash_one((fields, texts)),
        }
    }

    /// The name that a row has by its summary line where others are named by a field.
    pub(in crate::features::import) fn line(&self, field: &str, line: &str) -> Name {
        Name {
            fields: self.hasher.hash_one(("line", field)),
            texts: self.hasher.hash_one(("line", field, line)),
        }
    }

    /// Notes the names of the object of a row, unless the row was refused.
    pub(in crate::features::import) fn add(&mut self, names: &[Name], result: &RowResult) {
        if !result.is_refused() {
            for name in names {
                self.add_name(*name, result);
            }
        }
    }

    fn add_name(&mut self, name: Name, result: &RowResult) {
        let named = result.object.map_or(Named::New, Named::Stored);
        match self.objects.entry(name.texts) {
            Entry::Vacant(free) => {
                free.insert(named);
            }
            Entry::Occupied(known) if *known.get() == named && named != Named::New => {}
            Entry::Occupied(mut known) => {
                known.insert(Named::Several);
            }
        }
        if let Some(object) = result.object.filter(|_| result.status == RowStatus::Update) {
            self.now.insert((name.fields, object), name.texts);
        }
    }

    /// What the rows so far give the name to.
    pub(in crate::features::import) fn get(&self, name: Name) -> Option<Named> {
        self.objects.get(&name.texts).copied()
    }

    /// Whether a row so far has given the object another name.
    pub(in crate::features::import) fn is_renamed(&self, name: Name, object: ObjectId) -> bool {
        let now = self.now.get(&(name.fields, object));
        now.is_some_and(|texts| *texts != name.texts)
    }
}
