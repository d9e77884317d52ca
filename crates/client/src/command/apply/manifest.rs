//! Reads what files say about records.

use serde_json::{Map, Value, json};

use crate::failure::{Exit, Failure};
use crate::resource::{CATEGORY, GROUP, OBJECT, Resource, SOURCE, TYPE, VIEW};

/// In the order in which records need each other: types name groups, categories name types, and
/// objects have a type.
const KINDS: [&Resource; 6] = [&GROUP, &TYPE, &CATEGORY, &VIEW, &SOURCE, &OBJECT];

/// What a record is to be.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) resource: &'static Resource,
    /// The name of the record; of an object the name or id of its type.
    pub(super) name: Value,
    /// The names of the fields by which an object is found.
    pub(super) key: Vec<String>,
    /// The members that the record is to have.
    pub(super) body: Value,
}

impl Manifest {
    /// Whether an object is found by this field.
    pub(super) fn has_key(&self, field: &Value) -> bool {
        let name = field.get("name").and_then(Value::as_str);
        name.is_some_and(|name| self.key.iter().any(|key| key == name))
    }
}

/// Sorts by what needs what, and keeps the order of the files otherwise.
pub(super) fn sort(manifests: &mut [Manifest]) {
    manifests.sort_by_key(|manifest| {
        KINDS
            .iter()
            .position(|kind| kind.name == manifest.resource.name)
    });
}

/// Reads documents; each holds a record or a list of them.
pub(super) fn read_manifests(documents: Vec<Value>) -> Result<Vec<Manifest>, Failure> {
    let records = documents.into_iter().flat_map(|document| match document {
        Value::Array(records) => records,
        record => vec![record],
    });
    let manifests = records.zip(1..).map(|(record, number)| {
        manifest(record).map_err(|reason| {
            let message = format!("record {number}: {reason}");
            Failure::new(Exit::BadInput, message)
        })
    });
    manifests.collect()
}

fn manifest(record: Value) -> Result<Manifest, String> {
    let Value::Object(mut members) = record else {
        return Err("must have members, such as kind and name".to_owned());
    };
    let kind = members.shift_remove("kind");
    let resource = kind.as_ref().and_then(|kind| {
        let mut kinds = KINDS.into_iter();
        kinds.find(|resource| *kind == resource.name)
    });
    let resource = resource.ok_or_else(|| {
        let names: Vec<_> = KINDS.iter().map(|resource| resource.name).collect();
        format!("kind must be one of {}", names.join(", "))
    })?;
    match resource.identity {
        Some(identity) => named(resource, identity, members),
        None => object(members),
    }
}

fn named(
    resource: &'static Resource,
    identity: &str,
    mut members: Map<String, Value>,
) -> Result<Manifest, String> {
    let name = members.get(identity).filter(|name| name.is_string());
    let name = name.cloned();
    let name = name.ok_or_else(|| format!("a {} needs a {identity}", resource.name))?;
    if let Some(of_type) = members.shift_remove("type") {
        members.insert("type_id".to_owned(), type_reference(of_type));
    }
    if let Some(group) = members.shift_remove("group") {
        members.insert("group_id".to_owned(), json!({ "$group": group }));
    }
    Ok(Manifest {
        resource,
        name,
        key: Vec::new(),
        body: Value::Object(members),
    })
}

fn object(mut members: Map<String, Value>) -> Result<Manifest, String> {
    let of_type = members.shift_remove("type");
    let of_type = of_type.or_else(|| members.shift_remove("type_id"));
    let of_type = of_type.ok_or("an object needs a type: its name or id")?;
    let key = match members.shift_remove("key") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    let fields = fields(members.shift_remove("fields"))?;
    for name in &key {
        let is_given = fields.iter().any(|field| field["name"] == json!(name));
        if !is_given {
            return Err(format!("fields must have the field {name} of the key"));
        }
    }
    if key.is_empty() {
        return Err("an object needs a key: the names of fields that identify it".to_owned());
    }
    members.insert("type_id".to_owned(), type_reference(of_type.clone()));
    members.insert("fields".to_owned(), Value::from(fields));
    Ok(Manifest {
        resource: &OBJECT,
        name: of_type,
        key,
        body: Value::Object(members),
    })
}

/// Fields as a list of names and values. They may be written as members.
fn fields(fields: Option<Value>) -> Result<Vec<Value>, String> {
    match fields {
        Some(Value::Object(fields)) => {
            let fields = fields.into_iter();
            Ok(fields
                .map(|(name, value)| json!({"name": name, "value": value}))
                .collect())
        }
        Some(Value::Array(fields)) if fields.iter().all(|field| field["name"].is_string()) => {
            Ok(fields)
        }
        _ => Err("fields must have names and values".to_owned()),
    }
}

fn type_reference(of_type: Value) -> Value {
    if of_type.is_string() {
        json!({ "$type": of_type })
    } else {
        of_type
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_sorted_by_what_needs_what() {
        let mut manifests = read_manifests(vec![
            json!({"kind": "object", "type": "site", "key": "name", "fields": {"name": "Berlin"}}),
            json!([{"kind": "category", "name": "b"}, {"kind": "category", "name": "a"}]),
            json!({"kind": "type", "name": "site"}),
        ])
        .unwrap();
        sort(&mut manifests);
        let names: Vec<_> = manifests.iter().map(|manifest| &manifest.name).collect();
        assert_eq!(names, ["site", "b", "a", "site"]);
        let expected = json!({
            "type_id": {"$type": "site"}, "fields": [{"name": "name", "value": "Berlin"}]});
        assert_eq!(manifests[3].body, expected);
    }

    #[test]
    fn a_record_that_cannot_be_found_again_is_refused() {
        for (record, expected) in [
            (json!(1), "must have members"),
            (
                json!({"kind": "user", "name": "a"}),
                "kind must be one of group, type",
            ),
            (json!({"kind": "type"}), "a type needs a name"),
            (json!({"kind": "object", "fields": {}}), "needs a type"),
            (
                json!({"kind": "object", "type": "a", "fields": {}}),
                "needs a key",
            ),
            (
                json!({"kind": "object", "type": "a", "key": ["b"], "fields": {"c": 1}}),
                "the field b",
            ),
            (
                json!({"kind": "object", "type": "a", "key": ["b"]}),
                "names and values",
            ),
        ] {
            let failure = read_manifests(vec![json!([]), record]).unwrap_err();
            assert!(failure.message.starts_with("record 1: "), "{failure:?}");
            assert!(failure.message.contains(expected), "{failure:?}");
        }
    }
}
