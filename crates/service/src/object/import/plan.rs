//! What to do with the rows of a file: the body of `POST /imports/{public_id}/run`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use stockroom_model::TypeId;
use stockroom_model::body::{Body, Report};
use stockroom_model::json::Value;
use stockroom_model::object::listed;
use stockroom_model::r#type::FieldDefinition;
use stockroom_store::{Catalog, TypeEntry};

use super::file::File;
use super::suggestion;
use crate::Error;

/// The column that holds ids of objects.
pub(super) const PUBLIC_ID: &str = "public_id";
/// The column that says whether objects are active.
pub(super) const ACTIVE: &str = "active";

/// What to do with the rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) type_id: TypeId,
    pub(super) columns: Vec<Mapping>,
    /// The fields by which objects are found, as places in `columns`.
    pub(super) key: Vec<usize>,
    pub(super) policy: Policy,
    pub(super) dry_run: bool,
    /// `Prefer: handling=strict`
    pub(super) strict: bool,
}

/// Where a column goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Mapping {
    /// Its place in the file.
    pub(super) column: usize,
    pub(super) target: Target,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Target {
    PublicId,
    Active,
    Field {
        name: String,
        /// How a reference names its object; `None` is by its id.
        by: Option<By>,
    },
}

/// A field that names the objects of types.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct By {
    pub(super) types: Vec<i64>,
    pub(super) field: String,
}

/// What happens when a row is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Policy {
    /// The import ends there.
    Stop,
    /// The other rows are imported.
    Skip,
    /// Nothing is imported.
    All,
}

impl Policy {
    fn named(word: &str) -> Option<Self> {
        match word {
            "stop" => Some(Self::Stop),
            "skip" => Some(Self::Skip),
            "all" => Some(Self::All),
            _ => None,
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
            Self::All => "all",
        }
    }
}

impl Plan {
    /// Reads a body.
    ///
    /// # Errors
    ///
    /// All problems of the body.
    pub(super) fn read(
        body: &Value,
        file: &File,
        entry: impl Fn(TypeId) -> Result<std::sync::Arc<TypeEntry>, Error>,
        catalog: &Catalog,
        strict: bool,
    ) -> Result<Self, Error> {
        let report = Report::default();
        let Some(body) = Body::open(body, "", &report) else {
            return Err(report.finish::<()>(None).err().unwrap_or_default().into());
        };
        let type_id = body
            .require("type_id")
            .then(|| body.id("type_id"))
            .flatten();
        let Some(type_id) = type_id else {
            return Err(report.finish::<()>(None).err().unwrap_or_default().into());
        };
        let entry = entry(type_id)?;
        let reader = Reader {
            body: &body,
            file,
            entry: &entry,
            catalog,
        };
        let plan = reader.plan(type_id, strict);
        Ok(report.finish(plan)?)
    }

    /// What a body that maps no columns means.
    pub(super) fn suggested(file: &File, entry: &TypeEntry, catalog: &Catalog) -> Self {
        let columns = suggestion::mapping(file, entry, catalog);
        let is_id = |mapping: &Mapping| matches!(mapping.target, Target::PublicId);
        Self {
            type_id: entry.record.public_id,
            key: columns.iter().position(is_id).into_iter().collect(),
            columns,
            policy: Policy::Stop,
            dry_run: false,
            strict: false,
        }
    }

    /// Whether it can change objects that are there.
    pub(super) fn needs_edit(&self) -> bool {
        self.is_keyed() || self.refers_to_itself()
    }

    /// Whether rows may refer to objects of other rows.
    pub(super) fn refers_to_itself(&self) -> bool {
        self.columns.iter().any(|mapping| match &mapping.target {
            Target::Field { by: Some(by), .. } => {
                by.types.contains(&self.type_id.get()) && self.column_of(&by.field).is_some()
            }
            _ => false,
        })
    }

    /// Whether all rows are checked before the first is written, or none is written.
    pub(super) fn checks_first(&self) -> bool {
        self.dry_run || self.policy == Policy::All
    }

    /// Whether objects are looked for before one is made.
    pub(super) fn is_keyed(&self) -> bool {
        !self.key.is_empty()
    }

    /// The mappings of the key.
    pub(super) fn key_mappings(&self) -> impl Iterator<Item = &Mapping> {
        self.key.iter().filter_map(|place| self.columns.get(*place))
    }

    /// The column of a field.
    pub(super) fn column_of(&self, field: &str) -> Option<usize> {
        let found = self.columns.iter().find(|mapping| match &mapping.target {
            Target::Field { name, .. } => name == field,
            Target::PublicId => field == PUBLIC_ID,
            Target::Active => field == ACTIVE,
        });
        found.map(|mapping| mapping.column)
    }

    /// The plan as answers show it.
    pub(super) fn answer(&self, columns: &[&str]) -> Value {
        let name = |mapping: &Mapping| (*columns.get(mapping.column).unwrap_or(&"")).to_owned();
        let target = |mapping: &Mapping| match &mapping.target {
            Target::PublicId => Value::from(PUBLIC_ID),
            Target::Active => Value::from(ACTIVE),
            Target::Field { name, by: None } => Value::from(name.as_str()),
            Target::Field { name, by: Some(by) } => {
                serde_json::json!({ "field": name, "by": by.field, "types": by.types })
            }
        };
        let mapped: stockroom_model::json::Map<String, Value> = self
            .columns
            .iter()
            .map(|mapping| (name(mapping), target(mapping)))
            .collect();
        let key: Vec<String> = self.key_mappings().map(name).collect();
        serde_json::json!({
            "type_id": self.type_id,
            "columns": mapped,
            "key": key,
            "policy": self.policy.as_str(),
            "dry_run": self.dry_run,
        })
    }
}

struct Reader<'r> {
    body: &'r Body<'r>,
    file: &'r File,
    entry: &'r TypeEntry,
    catalog: &'r Catalog,
}

impl Reader<'_> {
    fn plan(&self, type_id: TypeId, strict: bool) -> Option<Plan> {
        let columns = self.columns();
        let policy = self.policy();
        let dry_run = self.body.boolean("dry_run", false);
        let columns = columns?;
        let key = self.key(&columns);
        Some(Plan {
            type_id,
            columns,
            key: key?,
            policy: policy?,
            dry_run: dry_run?,
            strict,
        })
    }

    fn policy(&self) -> Option<Policy> {
        if self.body.given("policy").is_none() {
            return Some(Policy::Stop);
        }
        let word = self.body.text("policy")?;
        let policy = Policy::named(word);
        if policy.is_none() {
            let detail = format!("must be stop, skip or all, not {word:?}");
            self.body.problem("policy", detail);
        }
        policy
    }

    fn columns(&self) -> Option<Vec<Mapping>> {
        if self.body.given("columns").is_none() {
            return Some(suggestion::mapping(self.file, self.entry, self.catalog));
        }
        let members = self.body.inside("columns")?;
        let mut mappings = Vec::new();
        let mut targets = HashSet::new();
        for (name, target) in members.members() {
            let Some(column) = self
                .file
                .columns
                .iter()
                .position(|column| column.name == *name)
            else {
                let names = self.file.names();
                let known = listed(names.iter().copied());
                members.problem(name, format!("the file has no such column; it has {known}"));
                continue;
            };
            let Some(target) = self.target(&members, name, target) else {
                continue;
            };
            let is_new = match &target {
                Target::PublicId => targets.insert(PUBLIC_ID.to_owned()),
                Target::Active => targets.insert(ACTIVE.to_owned()),
                Target::Field { name, .. } => targets.insert(name.clone()),
            };
            if !is_new {
                members.problem(name, "another column goes to the same field");
            }
            mappings.push(Mapping { column, target });
        }
        if mappings.is_empty() {
            self.body.problem("columns", "maps no column to a field");
        }
        mappings.sort_by_key(|mapping| mapping.column);
        Some(mappings)
    }

    fn target(&self, columns: &Body<'_>, column: &str, target: &Value) -> Option<Target> {
        let (name, options) = match target {
            Value::String(name) => (name.as_str(), None),
            Value::Object(_) => {
                let options = columns.inside(column)?;
                (options.required_text("field")?, Some(options))
            }
            _ => {
                columns.problem(column, "must be the name of a field, or an object with it");
                return None;
            }
        };
        let Some(field) = self.entry.record.field(name) else {
            return match name {
                PUBLIC_ID => Some(Target::PublicId),
                ACTIVE => Some(Target::Active),
                _ => {
                    let fields = self.entry.record.fields().iter();
                    let known = listed(fields.map(|field| field.name.as_str()));
                    let detail = format!(
                        "{name:?} is no field of the type {}; the fields are {known}",
                        self.entry.record.title()
                    );
                    columns.problem(column, detail);
                    None
                }
            };
        };
        if field.is_password() {
            columns.problem(column, "goes to a password, which no file may hold");
            return None;
        }
        let by = match &options {
            Some(options) if options.given("by").is_some() => Some(self.by(options, field)?),
            _ => None,
        };
        Some(Target::Field {
            name: name.to_owned(),
            by,
        })
    }

    /// How a reference names its object.
    fn by(&self, options: &Body<'_>, field: &FieldDefinition) -> Option<By> {
        if !field.is_reference() {
            options.problem("by", format!("{} is no reference", field.title()));
            return None;
        }
        let by = options.text("by")?;
        let types = match options.given("types") {
            Some(_) => options.integers("types")?,
            None => field.ref_types.clone(),
        };
        if types.is_empty() {
            let detail = format!("{} takes objects of any type: name them", field.title());
            options.problem("types", detail);
            return None;
        }
        let has_field = |id: &i64| {
            let entry = TypeId::new(*id).and_then(|id| self.catalog.type_entry(id));
            entry.is_some_and(|entry| {
                entry
                    .record
                    .field(by)
                    .is_some_and(|field| !field.is_password())
            })
        };
        if !types.iter().any(has_field) {
            let detail = format!("no type that {} takes has a field {by:?}", field.title());
            options.problem("by", detail);
            return None;
        }
        Some(By {
            types,
            field: by.to_owned(),
        })
    }

    /// The places of the key's columns. The id is a key by itself.
    fn key(&self, columns: &[Mapping]) -> Option<Vec<usize>> {
        let place = |name: &str| {
            columns.iter().position(|mapping| match &mapping.target {
                Target::PublicId => name == PUBLIC_ID,
                Target::Active => false,
                Target::Field { name: field, .. } => field == name,
            })
        };
        let id = columns
            .iter()
            .position(|mapping| matches!(mapping.target, Target::PublicId));
        if self.body.given("key").is_none() {
            return Some(id.into_iter().collect());
        }
        let names = self.body.texts("key")?;
        let mut key = Vec::new();
        for (index, name) in names.iter().enumerate() {
            match place(name) {
                Some(place) if !key.contains(&place) => key.push(place),
                Some(_) => {}
                None => self.body.problem_at(
                    format!("/key/{index}"),
                    format!("no column goes to {name:?}"),
                ),
            }
        }
        if key.len() > 1 && id.is_some_and(|id| key.contains(&id)) {
            self.body.problem("key", "public_id alone finds the object");
        }
        Some(key)
    }
}
