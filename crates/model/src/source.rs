//! Sources: saved mappings of imports, which also say what happens to objects whose records are
//! missing from the source (`docs/guide/src/sources.md`).

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Report};
use crate::id::{SourceId, TypeId};
use crate::json::{Map, Value, length};

/// The most characters of a name.
const NAME_CHARACTERS: usize = 200;
/// The most names in `external_key` and in `key`.
const KEY_NAMES: usize = 10;
/// The most bytes of `columns`, as JSON.
const COLUMNS_BYTES: usize = 64 * 1024;
/// How many percent of the known objects may be missing, unless the source says otherwise.
const MISSING_LIMIT: i64 = 20;

/// A source as it is stored, without its imports
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = PastSource)]
pub struct Source {
    /// Its id
    #[schema(value_type = i64)]
    pub public_id: SourceId,
    /// Not empty; no other source has it
    #[schema(example = "vcenter")]
    pub name: String,
    /// The type of its objects, which never changes
    #[schema(value_type = i64)]
    pub type_id: TypeId,
    /// Where the columns go, by their names
    pub columns: Map<String, Value>,
    /// The columns whose values identify a record. Without any, nothing is tracked
    pub external_key: Vec<String>,
    /// The fields by which an object is found that the source does not know yet
    pub key: Vec<String>,
    /// What happens when a row is refused
    pub policy: Policy,
    /// What happens to objects whose records are missing
    pub missing: Missing,
    /// How many percent of the known objects may be missing at once
    #[schema(minimum = 0, maximum = 100)]
    pub missing_limit: i64,
    /// When it was made
    #[schema(example = "2026-01-31T12:00:00.000000")]
    pub creation_time: String,
    /// When it was changed last
    #[schema(required, example = "2026-01-31T12:00:00.000000")]
    pub last_edit_time: Option<String>,
}

impl Source {
    /// Whether it remembers which object belongs to which record.
    #[must_use]
    pub const fn tracks(&self) -> bool {
        !self.external_key.is_empty()
    }
}

/// Where a column of a source goes.
#[derive(Debug, PartialEq, Eq)]
pub struct ColumnTarget<'t> {
    /// The field.
    pub field: &'t str,
    /// The fields by which a reference finds its object, with the columns that have their values.
    pub by: Vec<(&'t str, &'t str)>,
    /// The field for texts that name no object.
    pub otherwise: Option<&'t str>,
}

impl<'t> ColumnTarget<'t> {
    /// Reads the target of a column; `None` if it goes to no field.
    #[must_use]
    pub fn read(column: &'t str, target: &'t Value) -> Option<Self> {
        let field = target.as_str().or_else(|| target.get("field")?.as_str())?;
        let by = match target.get("by") {
            Some(Value::String(by)) => vec![(by.as_str(), column)],
            Some(Value::Object(by)) => by
                .iter()
                .filter_map(|(field, column)| Some((field.as_str(), column.as_str()?)))
                .collect(),
            _ => Vec::new(),
        };
        let otherwise = target.get("else").and_then(Value::as_str);
        Some(Self {
            field,
            by,
            otherwise,
        })
    }
}

/// Whether a file may lack a column with this target.
#[must_use]
pub fn is_optional(target: &Value) -> bool {
    target.get("optional").and_then(Value::as_bool) == Some(true)
}

/// What happens when a row of an import is refused
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportPolicy)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The import ends there.
    #[default]
    Stop,
    /// The other rows are imported.
    Skip,
    /// Nothing is imported.
    All,
}

impl Policy {
    /// The policy of a member of a body.
    #[must_use]
    pub fn read(body: &Body<'_>) -> Option<Self> {
        match body.text("policy") {
            Some("stop") | None => Some(Self::Stop),
            Some("skip") => Some(Self::Skip),
            Some("all") => Some(Self::All),
            Some(other) => {
                let detail = format!("must be stop, skip or all, not {other:?}");
                body.problem("policy", detail);
                None
            }
        }
    }

    /// The word in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
            Self::All => "all",
        }
    }
}

/// What happens to objects whose records are missing: nothing; the source notes since when; they
/// become inactive, too; they are deleted
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SourceMissing)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Nothing.
    #[default]
    Keep,
    /// The source notes since when the record is missing.
    Flag,
    /// The object becomes inactive, too.
    Deactivate,
    /// The object is deleted.
    Delete,
}

impl Missing {
    fn read(body: &Body<'_>) -> Option<Self> {
        match body.text("missing") {
            Some("keep") | None => Some(Self::Keep),
            Some("flag") => Some(Self::Flag),
            Some("deactivate") => Some(Self::Deactivate),
            Some("delete") => Some(Self::Delete),
            Some(other) => {
                let detail = format!("must be keep, flag, deactivate or delete, not {other:?}");
                body.problem("missing", detail);
                None
            }
        }
    }
}

/// A source as a body describes it.
#[derive(Debug, Clone)]
pub struct SourceDraft {
    /// The requested id.
    pub public_id: Option<SourceId>,
    /// See [`Source::name`].
    pub name: String,
    /// See [`Source::type_id`].
    pub type_id: TypeId,
    /// See [`Source::columns`].
    pub columns: Map<String, Value>,
    /// See [`Source::external_key`].
    pub external_key: Vec<String>,
    /// See [`Source::key`].
    pub key: Vec<String>,
    /// See [`Source::policy`].
    pub policy: Policy,
    /// See [`Source::missing`].
    pub missing: Missing,
    /// See [`Source::missing_limit`].
    pub missing_limit: i64,
}

/// What bodies and answers have.
const MEMBERS: [&str; 15] = [
    "public_id",
    "name",
    "type_id",
    "columns",
    "external_key",
    "key",
    "policy",
    "missing",
    "missing_limit",
    "creation_time",
    "last_edit_time",
    "last_import",
    "last_import_at",
    "linked_objects",
    "missing_objects",
];

impl SourceDraft {
    /// Reads a body; `stored` is the source that it replaces.
    #[must_use]
    pub fn read(body: &Value, stored: Option<&Source>, report: &Report) -> Option<Self> {
        Self::members(&Body::open(body, "", report)?, stored)
    }

    fn members(body: &Body<'_>, stored: Option<&Source>) -> Option<Self> {
        body.warn_unknown(&MEMBERS);
        if let Some(stored) = stored {
            body.must_be("public_id", stored.public_id);
        }
        let public_id = body.id("public_id");
        let name = name(body);
        let type_id = body
            .require("type_id")
            .then(|| body.id("type_id"))
            .flatten();
        if let (Some(stored), Some(id)) = (stored, type_id)
            && id != stored.type_id
        {
            let detail = format!("cannot change from {}; make another source", stored.type_id);
            body.problem("type_id", detail);
        }
        let columns = columns(body);
        let external_key = names(body, "external_key");
        let key = names(body, "key");
        let policy = Policy::read(body);
        let missing = Missing::read(body);
        let tracks = external_key.as_ref().is_none_or(|names| !names.is_empty());
        if !tracks && missing.is_some_and(|missing| missing != Missing::Keep) {
            let detail = "must be keep without external_key, by which records are known again";
            body.problem("missing", detail);
        }
        let missing_limit = missing_limit(body);
        Some(Self {
            public_id,
            name: name?,
            type_id: type_id?,
            columns: columns?,
            external_key: external_key?,
            key: key?,
            policy: policy?,
            missing: missing?,
            missing_limit: missing_limit?,
        })
    }

    /// The source with its final id and its times.
    #[must_use]
    pub fn into_source(
        self,
        public_id: SourceId,
        (creation_time, last_edit_time): (String, Option<String>),
    ) -> Source {
        Source {
            public_id,
            name: self.name,
            type_id: self.type_id,
            columns: self.columns,
            external_key: self.external_key,
            key: self.key,
            policy: self.policy,
            missing: self.missing,
            missing_limit: self.missing_limit,
            creation_time,
            last_edit_time,
        }
    }
}

fn name(body: &Body<'_>) -> Option<String> {
    let name = body.required_text("name")?;
    if name.chars().count() > NAME_CHARACTERS {
        let detail = format!("is too long; the limit is {NAME_CHARACTERS} characters");
        body.problem("name", detail);
        return None;
    }
    Some(name.to_owned())
}

fn columns(body: &Body<'_>) -> Option<Map<String, Value>> {
    let columns = body.require("columns").then(|| body.inside("columns"))??;
    let bytes = length(columns.members());
    if bytes > COLUMNS_BYTES {
        let detail = format!("has {bytes} bytes as JSON; the limit is {COLUMNS_BYTES}");
        body.problem("columns", detail);
        return None;
    }
    Some(columns.members().clone())
}

fn names(body: &Body<'_>, member: &str) -> Option<Vec<String>> {
    body.at_most(member, KEY_NAMES, "names")?;
    let names = body.texts(member)?;
    let mut seen = HashSet::new();
    for (index, name) in names.iter().enumerate() {
        if !seen.insert(name) {
            let detail = format!("names {name:?} for the second time");
            body.problem_at(format!("/{member}/{index}"), detail);
            return None;
        }
    }
    Some(names)
}

fn missing_limit(body: &Body<'_>) -> Option<i64> {
    if body.given("missing_limit").is_none() {
        return Some(MISSING_LIMIT);
    }
    let limit = body.integer("missing_limit")?;
    if !(0..=100).contains(&limit) {
        let detail = format!("must be a percentage from 0 to 100, not {limit}");
        body.problem("missing_limit", detail);
        return None;
    }
    Some(limit)
}
