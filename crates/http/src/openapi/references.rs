//! References instead of copies. The generator writes the schema of a parameter of a generic type
//! out in each use, and generators of clients would make a class for each copy.

use std::collections::HashMap;

use serde_json::{Value, json};

/// Replaces each copy of a named schema by a reference to it.
pub(super) fn refer(document: &mut Value) {
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
        *value = json!({ "$ref": format!("#/components/schemas/{name}") });
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
