//! Validates answers against the OpenAPI document.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};

use crate::Answer;

/// The document made strict: schemas allow no members that they do not name.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = stockroom_http::document();
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        if !OPEN.contains(&name.as_str()) {
            close(schema);
        }
    }
    document
});

/// The document without required members, for answers with a projection.
static PROJECTED: LazyLock<Value> = LazyLock::new(|| {
    let mut document = DOCUMENT.clone();
    require_nothing(&mut document["components"]["schemas"]);
    document
});

fn require_nothing(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // A property may have this name, too.
            members.retain(|name, value| name != "required" || !value.is_array());
            members.values_mut().for_each(require_nothing);
        }
        Value::Array(items) => items.iter_mut().for_each(require_nothing),
        _ => {}
    }
}

/// Schemas with members that are stored and shown as clients sent them, including unknown ones
/// (`docs/guide/src/errors.md`).
const OPEN: [&str; 8] = [
    "Acl",
    "AclGroups",
    "FieldDefinition",
    "FieldOption",
    "NativeObject",
    "RenderedField",
    "RenderedSection",
    "SummaryItem",
];

fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            let is_open = members.get("properties").is_some_and(Value::is_object)
                && !members.contains_key("additionalProperties");
            if is_open {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The base URI for references in schemas.
const ROOT: &str = "urn:stockroom:openapi";

/// Statuses for paths and methods that are not in the document.
const WITHOUT_OPERATION: [u16; 3] = [401, 404, 405];

/// Checks that the document describes `answer`.
pub(crate) fn check(answer: &Answer, base_path: &str) -> Result<(), String> {
    if answer.header("x-api-version") != "1.0" {
        return Err("X-API-Version is missing".to_owned());
    }
    let length = answer.header("content-length");
    // The client has decoded compressed answers.
    let is_plain = answer.method != "HEAD" && answer.header("content-encoding").is_empty();
    if is_plain && !length.is_empty() && length != answer.body.len().to_string() {
        return Err("Content-Length is wrong".to_owned());
    }
    let path = answer.path.split('?').next().unwrap_or_default();
    let path = path.strip_prefix(base_path).unwrap_or(path);
    let method = answer.method.as_str().to_ascii_lowercase();
    match operation(&DOCUMENT, path.trim_end_matches('/'), &method) {
        Some(operation) => check_response(answer, &operation),
        None if answer.method == "HEAD" => Ok(()),
        None if WITHOUT_OPERATION.contains(&answer.status) => {
            validate(answer, "#/components/schemas/ProblemDocument")
        }
        None => Err("the document knows no such operation".to_owned()),
    }
}

/// An operation of the document and its pointer.
struct Operation<'d> {
    value: &'d Value,
    pointer: String,
}

/// Finds the operation. If several templates match, the one with the most literal segments wins.
fn operation<'d>(document: &'d Value, path: &str, method: &str) -> Option<Operation<'d>> {
    let paths = document["paths"].as_object()?;
    let fitting = paths.iter().filter_map(|(template, item)| {
        let literal = literal_segments(template, path)?;
        Some((literal, template, item.get(method)?))
    });
    let (_, template, value) = fitting.max_by_key(|(literal, ..)| *literal)?;
    let pointer = format!("#/paths/{}/{method}", escape(template));
    Some(Operation { value, pointer })
}

/// How many segments of `template` match `path` literally; `None` if it does not match.
fn literal_segments(template: &str, path: &str) -> Option<usize> {
    let (template, path): (Vec<&str>, Vec<&str>) =
        (template.split('/').collect(), path.split('/').collect());
    if template.len() != path.len() {
        return None;
    }
    let mut literal = 0;
    for (expected, segment) in template.iter().zip(path) {
        if *expected == segment {
            literal += 1;
        } else if !expected.starts_with('{') {
            return None;
        }
    }
    Some(literal)
}

fn check_response(answer: &Answer, operation: &Operation<'_>) -> Result<(), String> {
    let status = answer.status.to_string();
    let response = operation.value["responses"].get(&status);
    let response = response.ok_or("the document does not know this status here")?;
    let (response, pointer) = match response["$ref"].as_str() {
        None => {
            let pointer = format!("{}/responses/{status}", operation.pointer);
            (response, pointer)
        }
        Some(shared) => {
            let shared_response = DOCUMENT.pointer(shared.trim_start_matches('#'));
            (
                shared_response.ok_or("a reference leads nowhere")?,
                shared.to_owned(),
            )
        }
    };
    check_headers(answer, response)?;
    let Some(content) = response.get("content").and_then(Value::as_object) else {
        return match answer.body.as_slice() {
            [] => Ok(()),
            _ => Err("the document knows no body here".to_owned()),
        };
    };
    let content_type = answer.header("content-type");
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !content.contains_key(essence) {
        return Err(format!(
            "the document does not know the type {essence:?} here"
        ));
    }
    if !essence.ends_with("/json") && !essence.ends_with("+json") {
        return Ok(());
    }
    let content = escape(essence);
    validate(answer, &format!("{pointer}/content/{content}/schema"))
}

fn check_headers(answer: &Answer, response: &Value) -> Result<(), String> {
    let headers = response["headers"].as_object().into_iter().flatten();
    let missing: Vec<&str> = headers
        .filter(|(name, header)| header["required"] == true && answer.header(name).is_empty())
        .map(|(name, _)| name.as_str())
        .collect();
    match missing.as_slice() {
        [] => Ok(()),
        _ => Err(format!("headers of the document are missing: {missing:?}")),
    }
}

fn validate(answer: &Answer, pointer: &str) -> Result<(), String> {
    let body: Value = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
    let validator = if is_projected(answer, &body) {
        PROJECTED_SCHEMAS.validator(pointer)
    } else {
        SCHEMAS.validator(pointer)
    };
    let faults: Vec<String> = validator
        .iter_errors(&body)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    match faults.as_slice() {
        [] => Ok(()),
        _ => Err(format!("the body is not as {pointer} says: {faults:#?}")),
    }
}

/// Whether the answer has parts of records. Lists repeat their parameters, which may have come in a
/// body; lists of settings do not.
fn is_projected(answer: &Answer, body: &Value) -> bool {
    answer.path.contains("projection=") || body["parameters"].get("projection").is_some()
}

static SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| Schemas::of(&DOCUMENT));
static PROJECTED_SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| Schemas::of(&PROJECTED));

/// The schemas of a document, compiled once per process.
struct Schemas {
    registry: Registry<'static>,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Schemas {
    fn of(document: &'static Value) -> Self {
        let registry = Registry::new().add(ROOT, document);
        let registry = registry.and_then(jsonschema::RegistryBuilder::prepare);
        Self {
            registry: registry.expect("a document whose references all lead somewhere"),
            validators: Mutex::default(),
        }
    }

    /// The validator of a schema.
    fn validator(&self, pointer: &str) -> Arc<Validator> {
        let mut validators = self.validators.lock().expect("no test panics in here");
        let validator = validators.entry(pointer.to_owned()).or_insert_with(|| {
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$ref": format!("{ROOT}{pointer}"),
            });
            let options = jsonschema::options()
                .with_registry(&self.registry)
                .offline();
            Arc::new(options.build(&schema).expect("a schema"))
        });
        Arc::clone(validator)
    }
}

/// Escapes a part of a JSON Pointer in a URI fragment.
fn escape(key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1");
    key.replace('{', "%7B").replace('}', "%7D")
}

#[cfg(test)]
mod tests;
