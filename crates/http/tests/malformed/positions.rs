//! The places in a body for which the OpenAPI document states the type.

use serde_json::{Value, json};

/// A place in a body, and its JSON types.
pub(crate) struct Position {
    pub(crate) pointer: String,
    types: Vec<String>,
    is_enumeration: bool,
}

/// The places where the shape of a body can be wrong.
#[derive(Default)]
pub(crate) struct Positions {
    /// Places whose type is known.
    pub(crate) typed: Vec<Position>,
    /// Required members.
    pub(crate) required: Vec<String>,
}

impl Position {
    /// Values of every type that is not allowed here.
    pub(crate) fn illegal(&self) -> Vec<Value> {
        let takes = |name: &str| self.types.iter().any(|known| known == name);
        let mut values = Vec::new();
        if !takes("boolean") {
            values.push(json!(true));
        }
        if !takes("string") {
            values.extend([json!("1"), json!(""), json!("true"), json!("null")]);
        }
        if !takes("array") {
            values.extend([json!([]), json!([[1]])]);
        }
        if !takes("object") {
            values.extend([json!({}), json!({"a": 1})]);
        }
        if !takes("number") {
            values.extend([json!(1.5), json!(1e300), json!(u64::MAX), json!(-0.1)]);
            if !takes("integer") {
                values.extend([json!(0), json!(-1), json!(i64::MAX)]);
            }
        }
        if self.is_enumeration {
            values.extend([json!("NONE"), json!(""), json!(" ")]);
        }
        values
    }
}

/// The places in `body`, a body of the operation.
pub(crate) fn of(document: &Value, operation: &str, body: &Value) -> Positions {
    let mut positions = Positions::default();
    let schema = schema(document, operation);
    positions.walk(document, schema, body, "");
    positions
}

/// The schema of a patch is that of a replacement.
fn schema<'d>(document: &'d Value, operation: &str) -> &'d Value {
    let operation = operation.replace("patch_", "replace_");
    let mut operations = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values());
    let found = operations.find(|candidate| candidate["operationId"] == operation.as_str());
    &found.unwrap()["requestBody"]["content"]["application/json"]["schema"]
}

impl Positions {
    fn walk(&mut self, document: &Value, schema: &Value, value: &Value, pointer: &str) {
        let alternatives = alternatives(document, schema);
        let mut types: Vec<String> = alternatives.iter().flat_map(|it| types(it)).collect();
        types.sort();
        types.dedup();
        let is_free = alternatives
            .iter()
            .any(|alternative| alternative.get("type").is_none());
        if !is_free {
            let is_enumeration = alternatives.iter().any(|it| it.get("enum").is_some());
            self.typed.push(Position {
                pointer: pointer.to_owned(),
                types,
                is_enumeration,
            });
        }
        for alternative in alternatives {
            self.walk_inside(document, alternative, value, pointer);
        }
    }

    fn walk_inside(&mut self, document: &Value, schema: &Value, value: &Value, pointer: &str) {
        if let (Some(members), Some(properties)) =
            (value.as_object(), schema["properties"].as_object())
        {
            for (key, schema) in properties {
                if let Some(member) = members.get(key) {
                    self.walk(document, schema, member, &format!("{pointer}/{key}"));
                }
            }
            let required = schema["required"].as_array().into_iter().flatten();
            let present = required
                .filter_map(Value::as_str)
                .filter(|key| members.contains_key(*key));
            self.required
                .extend(present.map(|key| format!("{pointer}/{key}")));
        }
        if let (Some(members), Some(rest)) = (
            value.as_object(),
            schema["additionalProperties"].as_object(),
        ) {
            let rest = Value::Object(rest.clone());
            for (key, member) in members {
                self.walk(document, &rest, member, &format!("{pointer}/{key}"));
            }
        }
        if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
            for (index, item) in items.iter().enumerate() {
                self.walk(document, schema, item, &format!("{pointer}/{index}"));
            }
        }
    }
}

/// The alternatives of a schema, with references resolved.
fn alternatives<'s>(document: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#'));
        return alternatives(document, target.unwrap());
    }
    match schema["anyOf"].as_array() {
        Some(any) => any
            .iter()
            .flat_map(|one| alternatives(document, one))
            .collect(),
        None => vec![schema],
    }
}

fn types(schema: &Value) -> Vec<String> {
    let names = match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    };
    names.into_iter().map(str::to_owned).collect()
}
