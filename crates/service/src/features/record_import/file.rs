//! The body: lists of records as reads answer them.

use std::collections::{HashMap, HashSet, VecDeque};

use stockroom_model::body::{Body, Report, integer, kind};
use stockroom_model::json::{Map, Value, pointer};
use stockroom_model::{Problems, TypeId, name};

/// The lists that a body may have.
const LISTS: [&str; 3] = ["groups", "types", "categories"];

/// How many records a list may have.
const MAX_RECORDS: usize = 1_000;

/// The records of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) groups: Vec<Record>,
    pub(super) types: Vec<Record>,
    pub(super) categories: Vec<Record>,
    /// Places in `categories`, parents before their children.
    pub(super) parents_first: Vec<usize>,
}

/// A record of a file.
#[derive(Debug)]
pub(super) struct Record {
    /// Its JSON Pointer in the body.
    pub(super) at: String,
    /// By which others of the file name it.
    pub(super) id: Option<i64>,
    pub(super) name: String,
    pub(super) members: Map<String, Value>,
}

impl File {
    /// Reads the lists; each record is checked when it is written.
    ///
    /// # Errors
    ///
    /// All problems of the lists, of names, and of ids.
    pub(super) fn read(body: Value) -> Result<Self, Problems> {
        let wanted = "must be an object with the lists types, categories or groups";
        let Value::Object(mut members) = body else {
            return Err(Problems::one("", wanted));
        };
        if !LISTS.iter().any(|list| members.contains_key(*list)) {
            return Err(Problems::one("", wanted));
        }
        let report = Report::default();
        let [groups, types, categories] = LISTS.map(|list| records(&mut members, list, &report));
        check_unique(&groups, "name", &report, |group| name::key(&group.name));
        check_unique(&types, "name", &report, |r#type| r#type.name.clone());
        for records in [&groups, &types, &categories] {
            let named = records.iter().filter(|record| record.id.is_some());
            check_unique(named, "public_id", &report, |record| record.id);
        }
        let parents_first = parents_first(&categories, &report);
        report.finish(Some(Self {
            groups,
            types,
            categories,
            parents_first,
        }))
    }

    /// The different regular expressions of all types.
    pub(super) fn patterns(&self) -> HashSet<&str> {
        let fields = self.types.iter().flat_map(|record| {
            let fields = record.members.get("fields").and_then(Value::as_array);
            fields.into_iter().flatten()
        });
        let patterns = fields.filter_map(|field| field.get("regex")?.as_str());
        patterns.filter(|source| !source.is_empty()).collect()
    }
}

impl Record {
    fn read(value: Value, at: String, report: &Report) -> Option<Self> {
        let body = Body::open(&value, at.as_str(), report)?;
        // Ids of all resources have the same range.
        let id = body.id::<TypeId>("public_id").map(TypeId::get);
        let name = body.required_text("name")?.to_owned();
        let Value::Object(members) = value else {
            return None;
        };
        Some(Self {
            at,
            id,
            name,
            members,
        })
    }

    /// The id of the parent of a category, in the file.
    pub(super) fn parent(&self) -> Option<i64> {
        self.members.get("parent").and_then(integer)
    }
}

fn records(members: &mut Map<String, Value>, list: &str, report: &Report) -> Vec<Record> {
    let at = pointer("", list);
    let sent = match members.shift_remove(list) {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(sent)) => sent,
        Some(other) => {
            report.problem(at, format!("must be a list, not {}", kind(&other)));
            return Vec::new();
        }
    };
    if sent.len() > MAX_RECORDS {
        let count = sent.len();
        let detail = format!("has {count} items; the limit is {MAX_RECORDS} {list} of a file");
        report.problem(at, detail);
        return Vec::new();
    }
    let sent = sent.into_iter().enumerate();
    sent.filter_map(|(index, value)| Record::read(value, pointer(&at, index), report))
        .collect()
}

/// Reports records with the same key, which is in `member`.
fn check_unique<'r, K: Eq + std::hash::Hash>(
    records: impl IntoIterator<Item = &'r Record>,
    member: &str,
    report: &Report,
    key: impl Fn(&Record) -> K,
) {
    let mut known: HashMap<K, &str> = HashMap::new();
    for record in records {
        if let Some(other) = known.get(&key(record)) {
            let detail = format!("is also that of {other}");
            report.problem(pointer(&record.at, member), detail);
        } else {
            known.insert(key(record), &record.at);
        }
    }
}

/// The places of the categories, parents first; reports those that are above themselves.
fn parents_first(categories: &[Record], report: &Report) -> Vec<usize> {
    let ids: HashSet<i64> = categories.iter().filter_map(|record| record.id).collect();
    let mut children: HashMap<Option<i64>, Vec<usize>> = HashMap::new();
    for (index, record) in categories.iter().enumerate() {
        let parent = record.parent().filter(|parent| ids.contains(parent));
        children.entry(parent).or_default().push(index);
    }
    let mut order = Vec::with_capacity(categories.len());
    let mut next: VecDeque<usize> = children.remove(&None).unwrap_or_default().into();
    while let Some(index) = next.pop_front() {
        order.push(index);
        let id = categories.get(index).and_then(|record| record.id);
        next.extend(
            id.and_then(|id| children.remove(&Some(id)))
                .into_iter()
                .flatten(),
        );
    }
    for index in children.into_values().flatten() {
        if let Some(record) = categories.get(index) {
            let detail = "names this category or one below it";
            report.problem(pointer(&record.at, "parent"), detail);
        }
    }
    order
}
