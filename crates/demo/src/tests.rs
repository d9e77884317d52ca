//! The demo can be inserted as it is and has realistic content.

mod bodies;
mod content;
mod references;

use std::collections::HashMap;

use serde_json::Value;
use stockroom_model::body::Report;
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{RecordLimits, Timestamp, Type, TypeId};

use crate::{Inventory, inventory};

fn now() -> Timestamp {
    Timestamp::from_text("2026-03-14T09:26:53").unwrap()
}

fn demo() -> Inventory {
    inventory(now())
}

fn id(body: &Value) -> i64 {
    body["public_id"].as_i64().unwrap()
}

fn ids(bodies: &[Value]) -> Vec<i64> {
    bodies.iter().map(id).collect()
}

fn types(demo: &Inventory) -> HashMap<i64, Type> {
    let read = |body: &Value| {
        let limits = RecordLimits::default();
        let draft = accepted(body, |report| TypeDraft::read(body, None, &limits, report));
        let public_id = TypeId::new(id(body)).unwrap();
        draft.into_new(public_id, now().to_iso())
    };
    demo.types
        .iter()
        .map(|body| (id(body), read(body)))
        .collect()
}

/// Reads a body, which must cause no problem and no warning.
fn accepted<T>(body: &Value, read: impl FnOnce(&Report) -> Option<T>) -> T {
    let report = Report::default();
    let value = report
        .finish(read(&report))
        .unwrap_or_else(|problems| panic!("{problems:?} in {body:#}"));
    assert_eq!(report.into_warnings(), [], "{body:#}");
    value
}

/// The objects of one type, by a field that their type requires.
fn of_type<'a>(demo: &'a Inventory, name: &str) -> Vec<&'a Value> {
    let wanted = demo.types.iter().find(|body| body["name"] == name).unwrap();
    demo.objects
        .iter()
        .filter(|body| body["type_id"] == wanted["public_id"])
        .collect()
}

fn value<'a>(body: &'a Value, field: &str) -> &'a Value {
    let items = body["fields"].as_array().unwrap();
    let item = items.iter().find(|item| item["name"] == field);
    item.map_or(&Value::Null, |item| &item["value"])
}
