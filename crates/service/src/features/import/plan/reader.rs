//! Reads a plan from a body, and finds all problems of the body.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use stockroom_model::TypeId;
use stockroom_model::body::Body;
use stockroom_model::json::Value;
use stockroom_model::object::listed;
use stockroom_model::source::is_optional;
use stockroom_model::r#type::FieldDefinition;
use stockroom_store::{Catalog, TypeEntry};

use super::super::file::File;
use super::super::plan::suggestion;
use super::references::in_order;
use super::{By, FAILED, Mapping, Other, PUBLIC_ID, Plan, Policy, Target};

/// What a run takes.
const MEMBERS: [&str; 8] = [
    "type_id",
    "source",
    "columns",
    "ignore_columns",
    "key",
    "policy",
    "dry_run",
    "only",
];

/// What a body is read with.
pub(super) struct Reader<'r> {
    pub(super) body: &'r Body<'r>,
    pub(super) file: &'r File,
    pub(super) entry: &'r TypeEntry,
    pub(super) catalog: &'r Catalog,
}

impl Reader<'_> {
    pub(super) fn plan(&self, type_id: TypeId, strict: bool) -> Option<Plan> {
        // A misspelt `dry_run` must not write.
        self.body.refuse_unknown(&MEMBERS);
        let columns = self.columns();
        let policy = Policy::read(self.body);
        let dry_run = self.body.boolean("dry_run", false);
        let only_failed = self.only_failed(policy);
        let columns = columns?;
        self.check_ignored(&columns);
        let key = self.key(&columns);
        Some(Plan {
            type_id,
            columns,
            key: key?,
            policy: policy?,
            dry_run: dry_run?,
            only_failed: only_failed?,
            strict,
            earlier_types: BTreeSet::new(),
            source: None,
        })
    }

    fn only_failed(&self, policy: Option<Policy>) -> Option<bool> {
        if self.body.given("only").is_none() {
            return Some(false);
        }
        let word = self.body.text("only")?;
        if word != FAILED {
            let detail = format!("must be {FAILED}, not {word:?}");
            self.body.problem("only", detail);
        } else if policy == Some(Policy::All) {
            let detail = "does not go with the policy all: other rows are imported already";
            self.body.problem("only", detail);
        }
        Some(true)
    }

    fn columns(&self) -> Option<Vec<Mapping>> {
        if self.body.given("columns").is_none() {
            return Some(suggestion::mapping(self.file, self.entry, self.catalog));
        }
        let members = self.body.inside("columns")?;
        let mut mappings = Vec::new();
        let mut targets = HashSet::new();
        for (name, target) in members.members() {
            let column = self.column(name);
            if target.is_null() || column.is_none() && is_optional(target) {
                continue;
            }
            let Some(column) = column else {
                members.problem(
                    name,
                    format!("the file has no such column; {}", self.known()),
                );
                continue;
            };
            for target in self.targets(&members, name, target) {
                if !targets.insert(target.name().to_owned()) {
                    members.problem(name, "another column goes to the same field");
                }
                mappings.push(Mapping { column, target });
            }
        }
        if mappings.is_empty() {
            self.body.problem("columns", "maps no column to a field");
        }
        self.add_unmapped(&mut mappings);
        mappings.sort_by_key(|mapping| mapping.column);
        self.check_circles(&members, &mappings);
        Some(mappings)
    }

    /// Adds the columns that go nowhere, but tell the objects of references. Where the field is a
    /// reference itself, they name its objects as people see them.
    fn add_unmapped(&self, mappings: &mut Vec<Mapping>) {
        let mut added: BTreeMap<usize, Option<By>> = BTreeMap::new();
        for by in mappings.iter().filter_map(|mapping| mapping.target.by()) {
            for Other { field, column } in &by.others {
                let own = self
                    .field_of(&by.types, field)
                    .zip(self.file.columns.get(*column));
                let own =
                    own.and_then(|(field, column)| suggestion::by(column, field, self.catalog));
                added.entry(*column).or_insert(own);
            }
        }
        for mapping in &*mappings {
            added.remove(&mapping.column);
        }
        mappings.extend(added.into_iter().map(|(column, by)| Mapping {
            column,
            target: Target::Nowhere { by },
        }));
    }

    /// The field of the first of the types that has it.
    fn field_of(&self, types: &[i64], name: &str) -> Option<&FieldDefinition> {
        let mut types = types.iter().filter_map(|id| TypeId::new(*id));
        types.find_map(|id| self.catalog.type_entry(id)?.record.field(name))
    }

    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let mut columns = self.file.columns.iter();
        columns.position(|column| column.name == name)
    }

    /// The columns that a body may name.
    pub(super) fn known(&self) -> String {
        format!("it has {}", listed(self.file.names().into_iter()))
    }

    /// Refuses references that tell each other's objects.
    fn check_circles(&self, columns: &Body<'_>, mappings: &[Mapping]) {
        let ordered = in_order(mappings);
        for (index, mapping) in mappings.iter().enumerate() {
            let is_by = matches!(&mapping.target, Target::Field { by: Some(_), .. });
            if is_by
                && !ordered.contains(&index)
                && let Some(column) = self.file.columns.get(mapping.column)
            {
                let detail = "is found by a column that is found by this one";
                columns.problem(&column.name, detail);
            }
        }
    }

    /// If columns must not be ignored, refuses those with values that go nowhere, unless the body
    /// says so.
    fn check_ignored(&self, columns: &[Mapping]) {
        if self.body.boolean("ignore_columns", true) != Some(false) {
            return;
        }
        let named = self.body.given("columns").and_then(Value::as_object);
        let members = self.file.object_members();
        let goes: HashSet<usize> = columns.iter().map(|mapping| mapping.column).collect();
        let all = self.file.columns.iter().enumerate();
        let ignored = all.filter(|(index, column)| {
            column.filled > 0
                && column.name != suggestion::PROBLEM
                && !members.contains(&&*column.name)
                && !goes.contains(index)
                && !named.is_some_and(|named| named.contains_key(&column.name))
        });
        for (_, column) in ignored {
            let detail = format!(
                "the column {:?} goes to no field; name one, or null for nowhere, or set ignore_columns",
                column.name
            );
            self.body.problem("columns", detail);
        }
    }

    /// The places of the key's columns. The id is a key by itself.
    fn key(&self, columns: &[Mapping]) -> Option<Vec<usize>> {
        let index_of = |name: &str| {
            let mut keys = columns.iter().map(|mapping| key_name(&mapping.target));
            keys.position(|key| key == Some(name))
        };
        let id = columns
            .iter()
            .position(|mapping| matches!(mapping.target, Target::PublicId));
        if self.body.given("key").is_none() {
            return Some(id.into_iter().collect());
        }
        let names = self.body.texts("key")?;
        let mut key = Vec::new();
        for (at, name) in names.iter().enumerate() {
            match index_of(name) {
                Some(index) if !key.contains(&index) => key.push(index),
                Some(_) => {}
                None => self
                    .body
                    .problem_at(format!("/key/{at}"), no_column(name, columns)),
            }
        }
        if key.len() > 1 && id.is_some_and(|id| key.contains(&id)) {
            self.body.problem("key", "public_id alone finds the object");
        }
        Some(key)
    }
}

/// The name of a target by which objects can be found.
fn key_name(target: &Target) -> Option<&str> {
    match target {
        Target::PublicId => Some(PUBLIC_ID),
        Target::Field { name, .. } => Some(name),
        Target::Active | Target::Otherwise { .. } | Target::Nowhere { .. } => None,
    }
}

fn no_column(name: &str, columns: &[Mapping]) -> String {
    let keys = columns
        .iter()
        .filter_map(|mapping| key_name(&mapping.target));
    let keys: Vec<&str> = keys.collect();
    format!(
        "no column goes to {name:?}, only to {}",
        listed(keys.into_iter())
    )
}
