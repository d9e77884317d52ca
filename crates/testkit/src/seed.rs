//! Old data: object documents that no request could store.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stockroom_model::body::Report;
use stockroom_model::r#type::TypeDraft;
use stockroom_model::{Object, RecordLimits, Type, TypeId};
use stockroom_store::{Error, ReserveUse, Resource, Store, Via, WriteContext, WriteTx};

use crate::START;

/// Stores `documents` as they are, and a type without rules for each of their `type_id`s.
pub(crate) async fn documents(store: &Store, documents: Vec<Value>) {
    let context = WriteContext {
        actor: 0,
        request_id: "seed".to_owned(),
        via: Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now: START,
        work_limit: None,
        commit_token: None,
    };
    let written = store.write(context, move |tx| insert(tx, &documents)).await;
    written.expect("documents with ids");
}

fn insert(tx: &mut WriteTx<'_>, documents: &[Value]) -> Result<(), Error> {
    let types: BTreeSet<i64> = documents
        .iter()
        .filter_map(|document| document["type_id"].as_i64())
        .collect();
    for id in types {
        let fields = field_names(documents, id);
        let revision = tx.claim_id(Resource::Type, id)?;
        tx.insert_type(revision, simple_type(id, &fields))?;
    }
    for document in documents {
        tx.insert_old_document(Object::from_document(document.clone()))?;
    }
    Ok(())
}

fn field_names(documents: &[Value], type_id: i64) -> BTreeSet<&str> {
    let members = members(documents);
    documents
        .iter()
        .filter(|document| document["type_id"] == type_id)
        .filter_map(|document| document["fields"].as_array())
        .flatten()
        .filter_map(|field| field["name"].as_str())
        // A type's field would take precedence over a member of that name.
        .filter(|name| !members.contains(name))
        .collect()
}

/// The members of `fields`, where it is an object, and of its items.
fn members(documents: &[Value]) -> BTreeSet<&str> {
    let fields = documents.iter().map(|document| &document["fields"]);
    let items = fields.flat_map(|fields| match fields {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    });
    items
        .filter_map(Value::as_object)
        .flat_map(|members| members.keys().map(String::as_str))
        .collect()
}

fn simple_type(id: i64, fields: &BTreeSet<&str>) -> Type {
    let fields: Vec<Value> = fields
        .iter()
        .map(|name| json!({"type": "text", "name": name, "label": name}))
        .collect();
    let body = json!({"name": format!("type-{id}"), "author_id": 1, "fields": fields});
    let (limits, report) = (RecordLimits::default(), Report::default());
    let draft = TypeDraft::read(&body, None, &limits, &report).expect("a type");
    let id = TypeId::try_from(id).expect("an id");
    draft.into_new(id, START.to_iso())
}
