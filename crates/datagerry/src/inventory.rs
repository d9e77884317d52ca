//! The survey of a dump: everything but the objects as bodies, and what the objects need to know.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use stockroom_model::body::integer;
use stockroom_model::{RecordLimits, Type};

use crate::Error;
use crate::bson::Document;
use crate::fit::{self, Members};
use crate::id_set::IdSet;
use crate::leftover::{LOCATIONS, Leftover, leftover, multi_data};
use crate::location::Locations;
use crate::object::Objects;
use crate::report::{Kind, Report};
use crate::stream::each_of;
use crate::survey::Survey;

/// A dump, opened by its owner.
pub trait Dump {
    /// The names of its collections.
    fn collections(&self) -> Vec<String>;

    /// Passes on every document of a collection, if the dump has it.
    fn each(
        &self,
        collection: &str,
        visit: &mut dyn FnMut(Document) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// Limits of a dump. Objects, logs and files are not limited, since they are never all in memory.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Groups, users, settings, types and categories together.
    pub records: usize,
    /// Bytes of these as JSON, estimated from above.
    pub bytes: usize,
    /// Locations.
    pub locations: usize,
    /// Limits of each record.
    pub record: RecordLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            records: 200_000,
            bytes: 256 * 1024 * 1024,
            locations: 1_000_000,
            record: RecordLimits::default(),
        }
    }
}

/// The bodies of all records but the objects, each list in the order of insertion.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Groups; 1 and 2 replace those of the first start.
    pub groups: Vec<Value>,
    /// Users, without passwords; 1 replaces the one of the first start.
    pub users: Vec<Value>,
    /// Settings, with their users.
    pub settings: Vec<(i64, Value)>,
    /// Types.
    pub types: Vec<Value>,
    /// Categories, parents first.
    pub categories: Vec<Value>,
    /// The last id that DATAGERRY gave, by collection: deleted records had ids, too.
    pub counters: BTreeMap<String, i64>,
    /// Records other than objects that are left out, and why not.
    pub left_out: Vec<(Kind, Value)>,
    /// Members of other records that are left out, with the ids of the records.
    pub members_left_out: Vec<(Kind, Value)>,
    pub(crate) locations: Locations,
    pub(crate) definitions: HashMap<i64, Type>,
    pub(crate) objects: IdSet,
    pub(crate) limits: RecordLimits,
}

impl Inventory {
    /// Reads and checks a whole dump.
    pub fn survey(dump: &dyn Dump, limits: &Limits) -> Result<(Self, Report), Error> {
        let (mut inventory, mut report) = Survey::new(dump, limits).small_records()?;
        // The first pass finds out which objects there will be, for the references of the second.
        let mut objects = Objects::of(&inventory);
        let mut ignored = Report::default();
        each_of(dump, OBJECTS, |document| {
            objects.convert(document, &mut ignored).map(drop)
        })?;
        inventory.objects = objects.into_ids();
        let mut objects = Objects::of(&inventory);
        each_of(dump, OBJECTS, |document| {
            if multi_data(&document).is_some() {
                let id = document.members.get("public_id").map(Value::to_string);
                let name = format!("object {}", id.unwrap_or_default());
                report.left_out(
                    Kind::MultiData,
                    &name,
                    "Stockroom has no rows in objects",
                    "",
                );
            }
            objects.convert(document, &mut report).map(drop)
        })?;
        count_locations(dump, &inventory, &mut report)?;
        count_leftovers(dump, &mut report)?;
        Ok((inventory, report))
    }

    /// The type of that id, if it is moved.
    pub(crate) fn definition(&self, id: i64) -> Option<&Type> {
        self.definitions.get(&id)
    }

    /// Whether an object of that id is moved.
    pub(crate) fn has_object(&self, id: i64) -> bool {
        self.objects.contains(id)
    }

    pub(crate) fn record_limits(&self) -> &RecordLimits {
        &self.limits
    }
}

pub(crate) const OBJECTS: &str = "framework.objects";

/// The members of a location that the tree is made of.
const OF_TREE: [&str; 3] = ["public_id", "object_id", "parent"];
const NAME: &str = "its name and what else describes it are left out: its object stands for it";
const NO_OBJECT: &str = "it has no object that is moved";

/// Counts the locations, which live on as references between their objects.
fn count_locations(
    dump: &dyn Dump,
    inventory: &Inventory,
    report: &mut Report,
) -> Result<(), Error> {
    each_of(dump, LOCATIONS, |document| {
        let Document { members, mut notes } = document;
        let name = name_of("location", &members);
        let object = members.get("object_id").and_then(integer);
        if !object.is_some_and(|object| inventory.has_object(object)) {
            report.left_out(Kind::Location, &name, NO_OBJECT, "");
            return Ok(());
        }
        let others = members.keys().filter(|key| !OF_TREE.contains(&&***key));
        let others: Vec<&str> = others
            .map(String::as_str)
            .filter(|key| *key != "_id")
            .collect();
        if !others.is_empty() {
            notes.add(NAME, &others.join(", "));
        }
        report.moved(Kind::Location, &name, &notes);
        Ok(())
    })
}

/// Reads what is not moved, so that damage is found, and counts it.
fn count_leftovers(dump: &dyn Dump, report: &mut Report) -> Result<(), Error> {
    for collection in dump.collections() {
        let (kind, why) = match leftover(&collection) {
            Leftover::Lines(Kind::Log) => {
                (Kind::Log, "Stockroom's history has only what Stockroom saw")
            }
            Leftover::Lines(kind) => (kind, "Stockroom has no such records"),
            Leftover::Files if collection == crate::FILES => (Kind::File, "Stockroom has no files"),
            Leftover::Moved | Leftover::Nothing | Leftover::Files => {
                each_of(dump, &collection, |_| Ok(()))?;
                continue;
            }
        };
        each_of(dump, &collection, |document| {
            report.left_out(kind, &name_of(&collection, &document.members), why, "");
            Ok(())
        })?;
    }
    Ok(())
}

pub(crate) fn name_of(collection: &str, members: &Members) -> String {
    let id = members.get("public_id").or_else(|| members.get("_id"));
    let id = id.and_then(fit::scalar_text).unwrap_or_default();
    format!("{collection} {id}")
}
