//! The bodies of types, all with the same 15 fields.

use serde_json::{Value, json};
use stockroom_model::json::Map;

use super::TYPES;
use super::object::{ENVIRONMENTS, OWNER, SITE};

pub(crate) fn bodies() -> Vec<Value> {
    (1..=TYPES).map(body).collect()
}

fn body(id: i64) -> Value {
    let fields = fields();
    let names: Vec<&Value> = fields
        .iter()
        .filter_map(|field| field.get("name"))
        .collect();
    json!({
        "public_id": id,
        "name": format!("kind-{id}"),
        "label": format!("Kind {id}"),
        "author_id": 1,
        "active": true,
        "version": "1.0.0",
        "description": "Measured on.",
        "render_meta": {
            "icon": "fas fa-cube",
            "sections": [{"type": "section", "name": "all", "label": "All", "reference": {}, "fields": names}],
            "externals": [],
            "summary": {"fields": ["hostname", "status"]},
        },
        "fields": fields,
        "acl": {"activated": false, "groups": {"includes": {}}},
    })
}

fn fields() -> Vec<Value> {
    let texts = [
        "hostname", "serial", "city", "status", "vendor", "model", "rack", "contact",
    ];
    let mut fields: Vec<Value> = texts.iter().map(|name| field("text", name)).collect();
    fields.extend(["cores", "price"].map(|name| field("number", name)));
    fields.push(field("date", "bought"));
    fields.push(with(
        field("select", "environment"),
        "options",
        ENVIRONMENTS
            .iter()
            .map(|name| json!({"name": name, "label": name}))
            .collect(),
    ));
    fields.push(reference("site", SITE));
    fields.push(reference("owner", OWNER));
    fields.push(field("textarea", "notes"));
    fields
}

fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

fn reference(name: &str, target: i64) -> Value {
    let summary = json!({
        "type_id": target,
        "line": "{} ({})",
        "label": name,
        "fields": ["hostname", "city"],
        "icon": "fas fa-cube",
        "prefix": false,
    });
    let field = with(field("ref", name), "ref_types", json!([target]));
    with(field, "summaries", json!([summary]))
}

fn with(mut field: Value, key: &str, value: Value) -> Value {
    if let Some(members) = field.as_object_mut() {
        let members: &mut Map<String, Value> = members;
        members.insert(key.to_owned(), value);
    }
    field
}
