//! References instead of copies. The generator writes the schema of a parameter of a generic type
//! out in each use, and generators of clients would make a class for each copy.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

/// Writes each schema once: flattened parts into their wholes, copies as references.
pub(super) fn write_once(document: &mut Value) {
    let parts = merge_parts(document);
    refer(document);
    let text = document.to_string();
    let schemas = document["components"]["schemas"].as_object_mut();
    if let Some(schemas) = schemas {
        schemas.retain(|name, _| !parts.contains(name) || text.contains(&path(name)));
    }
}

/// Replaces each copy of a named schema by a reference to it.
fn refer(document: &mut Value) {
    let names = names(document);
    let schemas = document["components"]["schemas"].as_object_mut();
    for (_, schema) in schemas.into_iter().flatten() {
        // The schema itself stays where it is named.
        parts(schema, &mut |part| refer_in(part, &names));
    }
    refer_in(&mut document["paths"], &names);
}

/// The first name of each schema. One without structure is no copy of another.
fn names(document: &Value) -> HashMap<String, String> {
    let schemas = document["components"]["schemas"].as_object();
    let has_structure = |schema: &Value| {
        let mut members = ["properties", "anyOf", "enum"].into_iter();
        members.any(|member| schema.get(member).is_some())
    };
    let mut names = HashMap::new();
    for (name, schema) in schemas.into_iter().flatten() {
        if has_structure(schema) {
            let first = names.entry(schema.to_string());
            first.or_insert_with(|| name.clone());
        }
    }
    names
}

fn refer_in(value: &mut Value, names: &HashMap<String, String>) {
    if value.is_object()
        && let Some(name) = names.get(&value.to_string())
    {
        *value = json!({ "$ref": path(name) });
    } else {
        parts(value, &mut |part| refer_in(part, names));
    }
}

fn parts(value: &mut Value, each: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(members) => members.values_mut().for_each(each),
        Value::Array(items) => items.iter_mut().for_each(each),
        _ => {}
    }
}

/// Writes the members of parts into the whole: the generator refers to a flattened struct beside an
/// object with the other members. Returns the names of the parts.
fn merge_parts(document: &mut Value) -> HashSet<String> {
    let schemas = document["components"]["schemas"].as_object().cloned();
    let mut merge = Merge {
        schemas: schemas.unwrap_or_default(),
        merged: HashSet::new(),
    };
    merge.run(document);
    merge.merged
}

struct Merge {
    schemas: Map<String, Value>,
    /// The names of schemas that were parts of others.
    merged: HashSet<String>,
}

impl Merge {
    fn run(&mut self, value: &mut Value) {
        parts(value, &mut |part| self.run(part));
        let members = value.as_object_mut();
        if let Some(Value::Array(parts)) = members.and_then(|of| of.shift_remove("allOf")) {
            for part in parts {
                self.add(value, part);
            }
        }
    }

    fn add(&mut self, whole: &mut Value, mut part: Value) {
        let name = part["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next());
        if let Some((name, named)) = name.and_then(|name| self.schemas.get_key_value(name)) {
            self.merged.insert(name.clone());
            part = named.clone();
        }
        if let Some(Value::Array(parts)) = part.get_mut("allOf").map(Value::take) {
            for part in parts {
                self.add(whole, part);
            }
            return;
        }
        whole["type"] = part["type"].take();
        if let Value::Object(properties) = part["properties"].take() {
            for (name, property) in properties {
                whole["properties"][name] = property;
            }
        }
        let mut required = whole["required"].as_array().cloned().unwrap_or_default();
        required.extend(part["required"].as_array().into_iter().flatten().cloned());
        whole["required"] = required.into();
    }
}

fn path(name: &str) -> String {
    format!("#/components/schemas/{name}")
}
