//! Finds the records of a file in this inventory, and gives ids to new ones.

use std::collections::{HashMap, HashSet};

use stockroom_model::body::Report;
use stockroom_model::json::pointer;
use stockroom_model::{Category, CategoryId, name};
use stockroom_store::{Resource, Stored, WriteTx};

use super::file::{File, Record};
use crate::Error;
use crate::records::category::MAX_LEVELS;

/// The records of a file in this inventory.
pub(super) struct Names {
    pub(super) groups: MatchedRecords,
    pub(super) types: MatchedRecords,
    pub(super) categories: MatchedRecords,
    /// The parents of the categories here, in the order of the file.
    pub(super) parents: Vec<Option<i64>>,
}

/// Records of one resource.
#[derive(Default)]
pub(super) struct MatchedRecords {
    /// In the order of the file.
    pub(super) targets: Vec<Target>,
    /// By the ids of the file.
    by_id: HashMap<i64, i64>,
    /// Ids that were here before.
    here: HashSet<i64>,
}

/// The record here that a record of the file becomes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) id: i64,
    pub(super) is_new: bool,
}

impl Names {
    /// Looks everything up before the first write, so that no id means a record that the import
    /// makes only by chance.
    pub(super) fn find(tx: &mut WriteTx<'_>, file: &File, report: &Report) -> Result<Self, Error> {
        let groups = tx.groups()?;
        let groups = groups.iter().map(|group| &group.record);
        let groups = groups.map(|group| (name::key(&group.name), group.public_id.get()));
        let groups = groups.collect();
        let groups = find(tx, Resource::Group, &file.groups, groups, |group| {
            name::key(&group.name)
        })?;
        let types = tx.types()?.into_iter().map(|stored| stored.record);
        let types = types.map(|known| (known.name, known.public_id.get()));
        let types = types.collect();
        let types = find(tx, Resource::Type, &file.types, types, |known| {
            known.name.clone()
        })?;
        let (categories, parents) = Tree::new(&tx.categories()?).find(tx, file, report)?;
        Ok(Self {
            groups,
            types,
            categories,
            parents,
        })
    }
}

impl MatchedRecords {
    /// The id here of an id in the file: of its record, or of one that the file does not have.
    pub(super) fn local(&self, id: i64) -> Option<i64> {
        let known = self.by_id.get(&id).copied();
        known.or_else(|| self.here.contains(&id).then_some(id))
    }

    /// Whether the file has a record of this id.
    pub(super) fn is_of_file(&self, id: i64) -> bool {
        self.by_id.contains_key(&id)
    }

    fn add(&mut self, record: &Record, target: Target) {
        self.by_id.extend(record.id.map(|id| (id, target.id)));
    }
}

/// Finds records by unique names.
fn find(
    tx: &mut WriteTx<'_>,
    resource: Resource,
    records: &[Record],
    here: HashMap<String, i64>,
    key: impl Fn(&Record) -> String,
) -> Result<MatchedRecords, Error> {
    let mut found = MatchedRecords::default();
    for record in records {
        let known = here.get(&key(record)).copied();
        let target = target(tx, resource, known)?;
        found.add(record, target);
        found.targets.push(target);
    }
    found.here = here.into_values().collect();
    Ok(found)
}

fn target(tx: &mut WriteTx<'_>, resource: Resource, known: Option<i64>) -> Result<Target, Error> {
    Ok(Target {
        id: known.map_or_else(|| tx.next_id(resource), Ok)?,
        is_new: known.is_none(),
    })
}

/// The categories here and those of the file that were found so far.
struct Tree {
    /// By parent and name, which several may share.
    by_name: HashMap<(Option<i64>, String), Vec<i64>>,
    /// How many categories are above one.
    levels: HashMap<i64, usize>,
    here: HashSet<i64>,
}

impl Tree {
    fn new(categories: &[Stored<Category>]) -> Self {
        let records = || categories.iter().map(|stored| &stored.record);
        let mut by_name: HashMap<_, Vec<i64>> = HashMap::new();
        for category in records() {
            let key = (category.parent.map(CategoryId::get), category.name.clone());
            by_name
                .entry(key)
                .or_default()
                .push(category.public_id.get());
        }
        let parents: HashMap<i64, i64> = records()
            .filter_map(|category| Some((category.public_id.get(), category.parent?.get())))
            .collect();
        let above = |id: &i64| std::iter::successors(parents.get(id), |id| parents.get(*id));
        let ids = records().map(|category| category.public_id.get());
        Self {
            by_name,
            levels: ids
                .clone()
                .map(|id| (id, above(&id).take(MAX_LEVELS).count()))
                .collect(),
            here: ids.collect(),
        }
    }

    /// Finds categories by name and parent, parents first.
    fn find(
        mut self,
        tx: &mut WriteTx<'_>,
        file: &File,
        report: &Report,
    ) -> Result<(MatchedRecords, Vec<Option<i64>>), Error> {
        let mut found = MatchedRecords {
            here: self.here.clone(),
            ..MatchedRecords::default()
        };
        let mut targets = HashMap::new();
        let mut taken: HashMap<(Option<i64>, &str), &str> = HashMap::new();
        for index in &file.parents_first {
            let Some(record) = file.categories.get(*index) else {
                continue;
            };
            let parent = parent(record, &found, report);
            if let Some(other) = taken.insert((parent, &record.name), &record.at) {
                let detail = format!("is also that of {other}, which has the same parent");
                report.problem(pointer(&record.at, "name"), detail);
            }
            let known = self.known(record, parent, report);
            let target = target(tx, Resource::Category, known)?;
            self.check_level(record, target.id, parent, report);
            found.add(record, target);
            targets.insert(*index, (target, parent));
        }
        let in_order = (0..file.categories.len()).filter_map(|index| targets.remove(&index));
        let (targets, parents) = in_order.unzip();
        found.targets = targets;
        Ok((found, parents))
    }

    fn known(&self, record: &Record, parent: Option<i64>, report: &Report) -> Option<i64> {
        let same = self.by_name.get(&(parent, record.name.clone()))?;
        if let [_, _, ..] = same.as_slice() {
            let detail = format!(
                "{} categories here have this name and parent; give all but one another name first",
                same.len()
            );
            report.problem(pointer(&record.at, "name"), detail);
        }
        same.first().copied()
    }

    fn check_level(&mut self, record: &Record, id: i64, parent: Option<i64>, report: &Report) {
        let above = parent.and_then(|parent| self.levels.get(&parent));
        let level = above.map_or(0, |above| above + 1);
        self.levels.insert(id, level);
        if level >= MAX_LEVELS {
            let detail = format!("the tree would have more than {MAX_LEVELS} levels");
            report.problem(pointer(&record.at, "parent"), detail);
        }
    }
}

/// The parent here.
fn parent(record: &Record, found: &MatchedRecords, report: &Report) -> Option<i64> {
    let parent = record.parent()?;
    let local = found.local(parent);
    if local.is_none() {
        let detail = format!(
            "there is no category {parent}, neither in the file nor here; this one is at the top"
        );
        report.warning(pointer(&record.at, "parent"), detail);
    }
    local
}
