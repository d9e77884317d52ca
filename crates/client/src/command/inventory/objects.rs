//! Reads the objects with one export, and then the objects that they reference.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _};

use serde_json::{Map, Value, json};

use super::settings::Settings;
use crate::command::resource::{Lookup, equality, id};
use crate::connection::{Connection, Request};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::resource::{OBJECT, TYPE};

const MAX_ID: i64 = (1 << 53) - 1;
/// The ids in a filter: it is in a URL, which servers and proxies do not take in any length.
const IDS_AT_ONCE: usize = 500;
/// No object is longer.
const LONGEST_LINE: u64 = 1 << 26;
/// All objects are in memory until the last one is read.
const MOST_BYTES: u64 = 1 << 30;

/// An object that may become a host.
pub(super) struct Object {
    pub(super) id: i64,
    /// The name of its type, or its id if types cannot be read.
    pub(super) type_name: String,
    fields: Map<String, Value>,
    /// The fields of the objects that it references, by their ids.
    references: References,
}

type References = std::rc::Rc<BTreeMap<i64, Map<String, Value>>>;

impl Object {
    /// The value of FIELD or of REF.FIELD; `None` instead of null.
    pub(super) fn value(&self, path: &str) -> Option<&Value> {
        let value = match split(path) {
            (field, None) => self.fields.get(field)?,
            (reference, Some(field)) => {
                let id = target(self.fields.get(reference)?)?;
                self.references.get(&id)?.get(field)?
            }
        };
        Some(value).filter(|value| !value.is_null())
    }
}

/// A field, and the field of the object that it references.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        // As in filters.
        Some(("fields", field)) => (field, None),
        Some((reference, field)) => (reference, Some(field)),
        None => (path, None),
    }
}

/// The id of the object that a value references, as a number or as a text of digits. In objects of
/// other types, a field of the same name holds anything.
fn target(value: &Value) -> Option<i64> {
    let digits = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string().trim_end_matches(".0").to_owned(),
        _ => return None,
    };
    let id: i64 = digits.parse().ok()?;
    ((1..=MAX_ID).contains(&id) && id.to_string() == digits).then_some(id)
}

/// Reads all objects and passes them on, in the order of their ids.
pub(super) fn read_objects(
    connection: &Connection,
    settings: &Settings,
    mut each: impl FnMut(&Object),
) -> Result<(), Failure> {
    let fields: BTreeSet<&str> = settings.fields().map(|path| split(path).0).collect();
    let filter = filter(connection, settings)?;
    let documents = export(connection, &filter, &fields, !settings.inactive)?;
    let references = references(connection, settings, &documents)?;
    let references = References::new(references);
    let types = type_names(connection);
    for document in documents {
        let type_id = document.type_id;
        let name = types.get(&type_id).cloned();
        each(&Object {
            id: document.id,
            type_name: name.unwrap_or_else(|| type_id.to_string()),
            fields: document.fields,
            references: References::clone(&references),
        });
    }
    Ok(())
}

fn filter(connection: &Connection, settings: &Settings) -> Result<Value, Failure> {
    let types = Lookup {
        connection,
        resource: &TYPE,
    };
    let of_type = settings.type_name().map(|name| types.record(&name));
    let of_type = of_type.transpose()?;
    let mut conditions = Vec::new();
    if let Some(of_type) = &of_type {
        conditions.push(json!({"type_id": id(of_type)}));
    }
    conditions.extend(settings.filter.clone());
    for condition in &settings.conditions {
        conditions.push(equality(condition, &OBJECT, of_type.as_ref())?);
    }
    Ok(match conditions.as_slice() {
        [] => json!({}),
        [only] => only.clone(),
        _ => json!({ "$and": conditions }),
    })
}

/// An object of an export.
struct Document {
    id: i64,
    type_id: i64,
    fields: Map<String, Value>,
}

/// The objects that match, with these fields.
fn export(
    connection: &Connection,
    filter: &Value,
    fields: &BTreeSet<&str>,
    active: bool,
) -> Result<Vec<Document>, Failure> {
    let fields = fields.iter().map(|field| format!("fields.{field}"));
    let members = ["public_id", "type_id"].map(str::to_owned);
    let columns: Vec<String> = members.into_iter().chain(fields).collect();
    let mut request = Request::get("/exports/objects");
    request.parameters = vec![
        ("format", "ndjson".to_owned()),
        ("filter", filter.to_string()),
        ("active", active.to_string()),
        ("columns", json!(columns).to_string()),
    ];
    let mut body = BufReader::new(connection.download(&request)?);
    let mut progress = Progress::start("objects", None);
    let mut documents = Vec::new();
    let mut bytes = 0;
    loop {
        let mut line = String::new();
        let read = (&mut body).take(LONGEST_LINE).read_line(&mut line);
        bytes += read.map_err(|error| broken_off(&error))? as u64;
        if line.is_empty() {
            return Ok(documents);
        }
        if bytes > MOST_BYTES {
            let message = "the objects are more than 1 GiB; let a filter choose fewer";
            return Err(Failure::other(message));
        }
        let document = serde_json::from_str(&line).map_err(|error| broken_off(&error))?;
        documents.push(Document::new(&document));
        progress.show(documents.len() as u64);
    }
}

fn broken_off(error: &dyn std::fmt::Display) -> Failure {
    Failure::other(format!("the export broke off: {error}"))
}

impl Document {
    fn new(document: &Value) -> Self {
        let items = document.get("fields").and_then(Value::as_array);
        let items = items.into_iter().flatten().filter_map(|item| {
            let name = item.get("name")?.as_str()?.to_owned();
            Some((name, item.get("value")?.clone()))
        });
        let type_id = document.get("type_id").and_then(Value::as_i64);
        Self {
            id: id(document),
            type_id: type_id.unwrap_or_default(),
            fields: items.collect(),
        }
    }
}

/// The fields of the referenced objects that REF.FIELD asks for.
fn references(
    connection: &Connection,
    settings: &Settings,
    documents: &[Document],
) -> Result<BTreeMap<i64, Map<String, Value>>, Failure> {
    let mut wanted = BTreeSet::new();
    let mut fields = BTreeSet::new();
    for path in settings.fields() {
        if let (reference, Some(field)) = split(path) {
            fields.insert(field);
            let ids = documents.iter().map(|document| &document.fields);
            wanted.extend(ids.filter_map(|fields| target(fields.get(reference)?)));
        }
    }
    let wanted: Vec<i64> = wanted.into_iter().collect();
    let mut found = BTreeMap::new();
    for ids in wanted.chunks(IDS_AT_ONCE) {
        let filter = json!({"public_id": {"$in": ids}});
        let documents = export(connection, &filter, &fields, false)?;
        found.extend(documents.into_iter().map(|one| (one.id, one.fields)));
    }
    Ok(found)
}

/// The names of the types, as far as the user may see them.
fn type_names(connection: &Connection) -> BTreeMap<i64, String> {
    let body = json!({"projection": ["public_id", "name"], "limit": 0, "total": false});
    let path = format!("{}/query", TYPE.path);
    let answer = connection.send(&Request::post(&path, &body));
    let types = answer.map(|mut answer| answer.take_results());
    let types = types.unwrap_or_default();
    let name = |of_type: &Value| Some((id(of_type), of_type.get("name")?.as_str()?.to_owned()));
    types.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_digits_name_the_same_object() {
        for value in [json!(12), json!("12"), json!(12.0)] {
            assert_eq!(target(&value), Some(12), "{value}");
        }
        for value in [
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(1.5),
            json!(1_u64 << 53),
            json!(1e30),
            json!(""),
            json!("012"),
            json!("+12"),
            json!("12.0"),
            json!("x"),
            json!([12]),
            json!({"$date": 12}),
        ] {
            assert_eq!(target(&value), None, "{value}");
        }
    }
}
