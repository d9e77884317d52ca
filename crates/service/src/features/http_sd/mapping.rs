//! Which values of objects become addresses, ports and labels.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use stockroom_access::Scope;
use stockroom_model::json::Value;
use stockroom_model::kind::reference_target;
use stockroom_model::object::listed;
use stockroom_model::{ObjectId, Problem, Timestamp, Type, TypeId};
use stockroom_render::Record;
use stockroom_store::Catalog;

use super::{Port, Summaries, TargetsRequest};
use crate::Error;

/// The members of an object that may be labels, besides its fields.
const MEMBERS: [&str; 8] = [
    "public_id",
    "type_id",
    "active",
    "version",
    "author_id",
    "editor_id",
    "creation_time",
    "last_edit_time",
];
/// Begins the name of a field that could be mistaken for a member.
const FIELD: &str = "fields.";
/// Begins the labels of members; those of fields go on with `field_`.
const LABEL: &str = "__meta_stockroom_";
/// The label with the name of the type, which every target has.
pub(super) const TYPE: &str = "__meta_stockroom_type";
/// The most labels of a target.
const MAX_LABELS: usize = 50;

/// Where the parts of a target come from.
pub(super) struct Mapping {
    pub(super) address: Column,
    port: Option<PortSource>,
    pub(super) labels: Vec<Column>,
    /// The names of the types.
    pub(super) types: BTreeMap<TypeId, String>,
}

enum PortSource {
    Number(u16),
    Column(Column),
}

/// A value of each object.
pub(super) struct Column {
    pub(super) label: String,
    source: Source,
}

enum Source {
    Member(&'static str),
    Field {
        /// Its name, escaped as in JSON, without quotes.
        key: String,
        /// The types in which it references an object.
        references: BTreeSet<TypeId>,
    },
}

impl Mapping {
    /// The mapping for objects of these types, or of all types.
    pub(super) fn new(
        catalog: &Catalog,
        scope: &Scope,
        types: Option<&[TypeId]>,
        request: &TargetsRequest,
    ) -> Result<Self, Error> {
        let entries = catalog.types().map(|entry| &entry.record);
        let is_wanted = |id: &TypeId| types.is_none_or(|types| types.contains(id));
        let types = entries
            .filter(|record| scope.sees(record.public_id) && is_wanted(&record.public_id))
            .collect();
        let mut names = Names {
            types,
            problems: Vec::new(),
        };
        let address = names.field("address", &request.address);
        let port = request.port.as_ref().map(|port| match port {
            Port::Number(number) => Some(PortSource::Number(*number)),
            Port::Field(name) => names.field("port", name).map(PortSource::Column),
        });
        let labels = names.labels(&request.labels);
        let types = names.types.iter();
        let types = types.map(|record| (record.public_id, record.name.clone()));
        let types = types.collect();
        match (address, names.problems.as_slice()) {
            (Some(address), []) => Ok(Self {
                address,
                port: port.flatten(),
                labels,
                types,
            }),
            (_, problems) => Err(refused(problems)),
        }
    }

    /// The columns that may hold references.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Column> {
        std::iter::once(&self.address).chain(&self.labels)
    }

    pub(super) fn port(&self, record: &Record) -> Option<u16> {
        let number = match self.port.as_ref()? {
            PortSource::Number(number) => return Some(*number),
            PortSource::Column(column) => match column.value(record)? {
                Value::String(text) => text.trim().parse().ok()?,
                Value::Number(number) => u16::try_from(number.as_u64()?).ok()?,
                _ => return None,
            },
        };
        Some(number).filter(|number| *number > 0)
    }
}

fn refused(problems: &[Problem]) -> Error {
    let first = problems.first();
    Error::Invalid {
        detail: first.map_or_else(String::new, |first| {
            format!("{}: {}", first.pointer, first.detail)
        }),
        problems: problems.to_vec(),
    }
}

/// Resolves names, and collects why some lead nowhere.
struct Names<'c> {
    types: Vec<&'c Type>,
    problems: Vec<Problem>,
}

impl Names<'_> {
    fn labels(&mut self, names: &[String]) -> Vec<Column> {
        if names.len() > MAX_LABELS {
            let detail = format!("may have {MAX_LABELS} names, not {}", names.len());
            self.problems.push(Problem::new("labels", detail));
            return Vec::new();
        }
        let mut columns = vec![member("public_id")];
        let mut known = HashSet::from(["public_id"]);
        for name in names {
            if !known.insert(name.as_str()) {
                continue;
            }
            let column = match MEMBERS.into_iter().find(|member| member == name) {
                Some(name) => Some(member(name)),
                None => self.field("labels", name),
            };
            columns.extend(column);
        }
        self.check_distinct(&columns);
        columns
    }

    /// Different names may become the same label.
    fn check_distinct(&mut self, columns: &[Column]) {
        let mut known = HashSet::new();
        for column in columns {
            if !known.insert(&column.label) {
                let detail = format!("two of them become {}; leave one out", column.label);
                self.problems.push(Problem::new("labels", detail));
            }
        }
    }

    fn field(&mut self, parameter: &str, name: &str) -> Option<Column> {
        let name = name.strip_prefix(FIELD).unwrap_or(name);
        let found = self.types.iter();
        let found = found.filter_map(|record| Some((record.public_id, record.field(name)?)));
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            let detail = self.unknown(name, parameter == "labels");
            self.problems.push(Problem::new(parameter, detail));
            return None;
        }
        if found.iter().all(|(_, field)| field.kind.is_secret()) {
            let detail = format!("{name:?} is a password, which no answer has");
            self.problems.push(Problem::new(parameter, detail));
            return None;
        }
        let references = found.iter().filter(|(_, field)| field.kind.is_reference());
        let quoted = Value::from(name).to_string();
        let key = quoted.get(1..quoted.len() - 1).unwrap_or_default();
        Some(Column {
            label: format!("{LABEL}field_{}", valid(name)),
            source: Source::Field {
                key: key.to_owned(),
                references: references.map(|(id, _)| *id).collect(),
            },
        })
    }

    fn unknown(&self, name: &str, may_be_member: bool) -> String {
        if self.types.is_empty() {
            return "there is no type that you may see and that the filter lets through".to_owned();
        }
        let fields = self.types.iter().flat_map(|record| record.fields());
        let fields = fields.filter(|field| !field.kind.is_secret());
        let fields: BTreeSet<&str> = fields.map(|field| field.name.as_str()).collect();
        let members = if may_be_member {
            format!("; other labels are {}", MEMBERS.join(", "))
        } else {
            String::new()
        };
        let fields = listed(fields.into_iter());
        format!("{name:?} is no field of the objects; the fields are {fields}{members}")
    }
}

fn member(name: &'static str) -> Column {
    Column {
        label: format!("{LABEL}{name}"),
        source: Source::Member(name),
    }
}

/// The name with an underscore for everything that no label may have.
fn valid(name: &str) -> String {
    let valid = |character: char| {
        let is_valid = character.is_ascii_alphanumeric();
        Some(character).filter(|_| is_valid).unwrap_or('_')
    };
    name.chars().map(valid).collect()
}

impl Column {
    fn value(&self, record: &Record) -> Option<Value> {
        let json = match &self.source {
            Source::Member(name) => record.member(name),
            Source::Field { key, .. } => record.value(key),
        };
        serde_json::from_str(json?).ok()
    }

    /// The object that the value references.
    pub(super) fn reference(&self, type_id: TypeId, record: &Record) -> Option<ObjectId> {
        match &self.source {
            Source::Field { references, .. } if references.contains(&type_id) => {
                reference_target(&self.value(record)?)
            }
            _ => None,
        }
    }

    /// The text, or the summary line of the referenced object if the caller may see it.
    pub(super) fn text(
        &self,
        type_id: TypeId,
        record: &Record,
        summaries: &Summaries,
    ) -> Option<String> {
        if let Some(id) = self.reference(type_id, record) {
            return summaries.get(&id).cloned();
        }
        self.value(record)?.as_str().map(str::to_owned)
    }

    /// The value as a label. An object that the caller may not see is shown by its id.
    pub(super) fn label_text(
        &self,
        type_id: TypeId,
        record: &Record,
        summaries: &Summaries,
    ) -> Option<String> {
        if let Some(id) = self.reference(type_id, record) {
            let summary = summaries.get(&id).cloned();
            return Some(summary.unwrap_or_else(|| id.to_string()));
        }
        text_of(&self.value(record)?)
    }
}

/// A value as text. Lists are in commas, so that a pattern `,a,` finds an item, as Prometheus does
/// it for other sources.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(text_of).collect();
            (!items.is_empty()).then(|| format!(",{},", items.join(",")))
        }
        Value::Object(_) => {
            let time = Timestamp::from_date(value).map(Timestamp::to_iso);
            Some(time.unwrap_or_else(|| value.to_string()))
        }
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels_are_valid() {
        for (name, expected) in [
            ("rack", "rack"),
            ("os-version", "os_version"),
            ("ä.1", "__1"),
        ] {
            assert_eq!(valid(name), expected);
        }
    }

    #[test]
    fn values_become_texts() {
        for (value, expected) in [
            (json!(null), None),
            (json!("a"), Some("a")),
            (json!(8), Some("8")),
            (json!(true), Some("true")),
            (json!([]), None),
            (json!(["a", null, 1]), Some(",a,1,")),
            (json!({"$date": 0}), Some("1970-01-01T00:00:00.000000")),
            (json!({"a": 1}), Some(r#"{"a":1}"#)),
        ] {
            assert_eq!(text_of(&value).as_deref(), expected, "{value}");
        }
    }
}
