//! What to do with the rows of a file: the body of `POST /imports/{public_id}/run`.

mod reader;
mod references;
pub(super) mod suggestion;
mod target;

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use stockroom_model::TypeId;
use stockroom_model::body::{Body, Report};
use stockroom_model::json::{Map, Value};
use stockroom_model::kind::DateOrder;
pub(super) use stockroom_model::source::Policy;
use stockroom_store::{Catalog, TypeEntry};
use utoipa::ToSchema;

use self::reader::Reader;
pub(super) use self::references::{By, Other, in_order};
use super::file::File;
use super::sync::source::{Bound, SourceAnswer};
use crate::Error;

/// The column that holds ids of objects.
pub(super) const PUBLIC_ID: &str = "public_id";
/// The column that says whether objects are active.
pub(super) const ACTIVE: &str = "active";

/// The rows that were not imported yet, in the body of a run.
const FAILED: &str = "failed";

/// What a step was asked to do
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportPlan)]
pub(super) struct PlanAnswer {
    #[schema(value_type = i64)]
    type_id: TypeId,
    columns: Map<String, Value>,
    key: Vec<String>,
    policy: Policy,
    dry_run: bool,
    #[schema(required)]
    only: Option<Only>,
    /// The source that the import is bound to
    #[schema(required)]
    source: Option<SourceAnswer>,
}

/// The rows to import
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ImportOnly)]
#[serde(rename_all = "lowercase")]
pub enum Only {
    /// Those that were not imported yet.
    Failed,
}

/// What to do with the rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) type_id: TypeId,
    pub(super) columns: Vec<Mapping>,
    /// The fields by which objects are found, as places in `columns`.
    pub(super) key: Vec<usize>,
    pub(super) policy: Policy,
    pub(super) dry_run: bool,
    /// Only rows that were not imported yet.
    #[serde(default)]
    pub(super) only_failed: bool,
    /// `Prefer: handling=strict`
    pub(super) strict: bool,
    /// The types that earlier plans of the file were for or referred to: it holds their values.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) earlier_types: BTreeSet<i64>,
    /// The source that says all this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Bound>,
}

/// Where a column goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Mapping {
    /// Its index in the file.
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
        /// How dates are written that are not ISO 8601.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dates: Option<DateOrder>,
    },
    /// To a field for the texts of references that name no object. The reference has the same column.
    Otherwise {
        name: String,
    },
    /// To no field, but references are found by it.
    Nowhere {
        /// How it names an object itself.
        by: Option<By>,
    },
}

impl Target {
    /// How a body names it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::PublicId => PUBLIC_ID,
            Self::Active => ACTIVE,
            Self::Field { name, .. } | Self::Otherwise { name } => name,
            Self::Nowhere { .. } => "",
        }
    }

    /// How it names an object, unless that is by its id.
    pub(super) const fn by(&self) -> Option<&By> {
        match self {
            Self::Field { by, .. } | Self::Nowhere { by } => by.as_ref(),
            Self::PublicId | Self::Active | Self::Otherwise { .. } => None,
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
        let Some(type_id) = type_id(&body, catalog) else {
            return Err(report.finish::<()>(None).err().unwrap_or_default().into());
        };
        let entry = match entry(type_id) {
            // A name says nothing of types that one may not use.
            Err(Error::Forbidden(_)) if body.given("type_id").is_some_and(is_name) => {
                body.problem("type_id", NO_TYPE);
                return Err(report.finish::<()>(None).err().unwrap_or_default().into());
            }
            found => found?,
        };
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
            only_failed: false,
            strict: false,
            earlier_types: BTreeSet::new(),
            source: None,
        }
    }

    /// Remembers what the file was for before.
    pub(super) fn follow(&mut self, before: Option<Self>) {
        let Some(before) = before else {
            return;
        };
        for mapping in &before.columns {
            if let Some(by) = mapping.target.by() {
                self.earlier_types.extend(&by.types);
            }
        }
        self.earlier_types.insert(before.type_id.get());
        self.earlier_types.extend(before.earlier_types);
    }

    /// Whether it can change objects that are there.
    pub(super) fn needs_edit(&self) -> bool {
        self.is_keyed() || self.tracks() || self.refers_to_itself()
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

    /// Whether a source remembers which object belongs to which row.
    pub(super) fn tracks(&self) -> bool {
        self.source.as_ref().is_some_and(Bound::tracks)
    }

    /// The mappings of the key.
    pub(super) fn key_mappings(&self) -> impl Iterator<Item = &Mapping> {
        self.key.iter().filter_map(|index| self.columns.get(*index))
    }

    /// The column of a field.
    pub(super) fn column_of(&self, field: &str) -> Option<usize> {
        let mut columns = self.columns.iter();
        let found = columns.find(|mapping| mapping.target.name() == field)?;
        Some(found.column)
    }

    /// The index of a field's column.
    pub(super) fn index_of(&self, field: &str) -> Option<usize> {
        self.columns
            .iter()
            .position(|mapping| match &mapping.target {
                Target::Field { name, .. } => name == field,
                Target::PublicId => field == PUBLIC_ID,
                Target::Active => field == ACTIVE,
                Target::Otherwise { .. } | Target::Nowhere { .. } => false,
            })
    }

    /// The index and the field for the text of a reference that names no object.
    pub(super) fn otherwise(&self, reference: usize) -> Option<(usize, &str)> {
        let column = self.columns.get(reference)?.column;
        let mut all = self.columns.iter().enumerate();
        all.find_map(|(index, mapping)| match &mapping.target {
            Target::Otherwise { name } if mapping.column == column => Some((index, name.as_str())),
            _ => None,
        })
    }

    /// The plan as answers show it; `columns` are those of the file. Null is a column that goes
    /// nowhere.
    pub(super) fn answer(&self, columns: &[&str]) -> PlanAnswer {
        let mapped_to: HashMap<usize, Value> = (self.columns.iter().enumerate())
            .filter(|(_, mapping)| !matches!(mapping.target, Target::Otherwise { .. }))
            .map(|(index, mapping)| (mapping.column, self.target_answer(index, mapping, columns)))
            .collect();
        let mut mapped = Map::new();
        for (index, name) in columns.iter().enumerate() {
            let target = mapped_to.get(&index).cloned().unwrap_or_default();
            if !target.is_null() || *name != suggestion::PROBLEM {
                mapped.insert((*name).to_owned(), target);
            }
        }
        let key = self.key_mappings();
        PlanAnswer {
            type_id: self.type_id,
            columns: mapped,
            key: key
                .map(|mapping| mapping.target.name().to_owned())
                .collect(),
            policy: self.policy,
            dry_run: self.dry_run,
            only: self.only_failed.then_some(Only::Failed),
            source: self.source.as_ref().map(Bound::answer),
        }
    }

    /// Where a column goes, as a body says it.
    fn target_answer(&self, index: usize, mapping: &Mapping, columns: &[&str]) -> Value {
        let Target::Field { name, by, dates } = &mapping.target else {
            let name = mapping.target.name();
            return if name.is_empty() {
                Value::Null
            } else {
                name.into()
            };
        };
        let mut options = Map::new();
        if let Some(by) = by {
            let column = columns.get(mapping.column).copied().unwrap_or_default();
            options.insert("by".to_owned(), by.answer(column, columns));
            options.insert("types".to_owned(), serde_json::json!(by.types));
        }
        if let Some((_, name)) = self.otherwise(index) {
            options.insert("else".to_owned(), name.into());
        }
        if let Some(dates) = dates {
            options.insert("dates".to_owned(), dates.as_str().into());
        }
        if options.is_empty() {
            return name.as_str().into();
        }
        options.shift_insert(0, "field".to_owned(), name.as_str().into());
        Value::Object(options)
    }
}

const NO_TYPE: &str = "is no name of a type to which you may add objects";

/// The type of a body: its id, or its name.
fn type_id(body: &Body<'_>, catalog: &Catalog) -> Option<TypeId> {
    let given = body.given("type_id");
    let Some(name) = given.filter(|given| is_name(given)).and_then(Value::as_str) else {
        return body
            .require("type_id")
            .then(|| body.id("type_id"))
            .flatten();
    };
    let found = catalog.types().find(|entry| entry.record.name == name);
    if found.is_none() {
        body.problem("type_id", NO_TYPE);
    }
    found.map(|entry| entry.record.public_id)
}

fn is_name(type_id: &Value) -> bool {
    type_id
        .as_str()
        .is_some_and(|text| text.parse::<i64>().is_err())
}
