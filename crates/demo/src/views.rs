//! Views that people open often. They belong to the administrator and are for all.

use serde_json::{Value, json};

use crate::types::{CONTRACT, LAPTOP, RACK, SERVER, VIRTUAL_MACHINE};

pub(crate) fn all() -> Vec<Value> {
    vec![
        view(
            1,
            ("Servers by rack", "Where each machine is"),
            (Some(SERVER), true),
            &json!({
                "columns": ["fields.hostname", "fields.status", "fields.role", "fields.rack", "fields.rack-unit"],
                "filter": {"fields.status": "in-use"},
                "sort": "fields.rack",
                "order": 1,
            }),
        ),
        view(
            2,
            ("Hypervisors", "Machines that run virtual machines"),
            (Some(SERVER), false),
            &json!({
                "columns": ["fields.hostname", "fields.model", "fields.cores", "fields.memory-gib"],
                "filter": {"fields.role": "hypervisor", "fields.status": "in-use"},
                "sort": "fields.memory-gib",
                "order": -1,
            }),
        ),
        view(
            3,
            ("Virtual machines", "By name, with their services"),
            (Some(VIRTUAL_MACHINE), true),
            &json!({
                "columns": ["fields.hostname", "fields.service"],
                "sort": "fields.hostname",
                "order": 1,
            }),
        ),
        view(
            4,
            ("Laptops in stock", "Ready to be handed out"),
            (Some(LAPTOP), false),
            &json!({
                "columns": ["fields.hostname", "fields.model", "fields.memory-gib", "fields.warranty-until"],
                "filter": {"fields.status": "in-stock"},
                "sort": "fields.model",
                "order": 1,
            }),
        ),
        view(
            5,
            (
                "Contracts by end",
                "What has to be renewed or cancelled next",
            ),
            (Some(CONTRACT), true),
            &json!({
                "columns": ["fields.number", "fields.title", "fields.supplier", "fields.end", "fields.annual-cost"],
                "filter": {"fields.end": {"$ne": null}},
                "sort": "fields.end",
                "order": 1,
            }),
        ),
        view(
            6,
            ("Racks", "By name"),
            (Some(RACK), false),
            &json!({"columns": ["fields.name", "fields.row"], "sort": "fields.name", "order": 1}),
        ),
        view(
            7,
            ("Changed last", "All objects, the newest changes first"),
            (None, false),
            &json!({"sort": "last_edit_time", "order": -1, "density": "compact"}),
        ),
    ]
}

fn view(
    id: i64,
    (name, description): (&str, &str),
    (type_id, is_default): (Option<i64>, bool),
    definition: &Value,
) -> Value {
    json!({
        "public_id": id,
        "name": name,
        "description": description,
        "type_id": type_id,
        "visibility": "all",
        "is_default": is_default,
        "definition": definition,
    })
}
