//! Cases in which the index has less data than the documents, or different data.

use serde_json::{Value, json};

use super::inventory::{Field, Inventory};
use super::lists::check;
use super::queries::{Asked, Narrowed};
use super::recording::Recording;
use super::test_database::TestDatabase;

fn document(id: i64, value: &Value) -> Value {
    json!({
        "public_id": id, "type_id": 1, "active": true, "version": "1.0.0", "author_id": 1, "views": 0,
        "creation_time": { "$date": 0 }, "last_edit_time": null, "fields": [{ "name": "a", "value": value }],
    })
}

fn answers_as_the_evaluator(documents: Vec<Value>, filters: &[Value]) {
    let asked: Vec<Asked> = filters
        .iter()
        .map(|filter| asked(filter, Narrowed::No))
        .collect();
    answers(vec![Field::text("a")], documents, &asked);
}

fn asked(filter: &Value, narrowed: Narrowed) -> Asked {
    Asked {
        filter: filter.clone(),
        sort: "public_id".to_owned(),
        descending: false,
        active_only: false,
        narrowed,
        hidden: Vec::new(),
        offset: 0,
        limit: 10,
    }
}

/// Checks lists of one type's objects.
fn answers(fields: Vec<Field>, documents: Vec<Value>, asked: &[Asked]) {
    let inventory = Inventory {
        types: vec![[fields.clone(), fields]],
        documents,
    };
    for database in [TestDatabase::sqlite(), TestDatabase::postgres()] {
        let store = inventory.store(&database);
        let catalog = store.catalog();
        let mut driver = Recording::reader(&database);
        for asked in asked {
            if let Err(failure) = check(&inventory, asked, &mut driver, &catalog) {
                panic!("{failure}");
            }
        }
        store.close();
    }
}

#[test]
fn the_negation_of_an_expression_narrows_nothing_down_beside_what_documents_decide() {
    let documents = vec![document(1, &json!("abc")), document(2, &json!("xbz"))];
    let without_b = |expression: &str| json!({ "$not": { "$regex": expression } });
    answers_as_the_evaluator(
        documents,
        &[
            json!({ "fields.value": without_b("c$"), "version": "1.0.0" }),
            json!({ "$or": [{ "fields.value": without_b("c$") }, { "version": "2.0.0" }] }),
            json!({ "$nor": [{ "fields.value": { "$regex": "c$" } }, { "version": "2.0.0" }] }),
            json!({ "fields": { "$not": { "$elemMatch": { "name": "a", "value": { "$mod": [2, 0] } } } }, "version": "1.0.0" }),
        ],
    );
}

#[test]
fn a_document_that_does_not_say_whether_it_is_active_is_not_found_by_it() {
    let mut silent = document(1, &json!("a"));
    silent.as_object_mut().unwrap().shift_remove("active");
    let mut odd = document(2, &json!("a"));
    odd["active"] = json!("yes");
    answers_as_the_evaluator(
        vec![silent, odd, document(3, &json!("a"))],
        &[
            json!({ "active": true }),
            json!({ "active": { "$ne": true } }),
            json!({ "active": "yes" }),
            json!({ "active": { "$exists": false } }),
            json!({ "active": null }),
        ],
    );
}

#[test]
fn an_id_in_another_form_is_found_by_its_form() {
    let mut double = document(1, &json!("a"));
    double["type_id"] = json!(1.0);
    answers_as_the_evaluator(
        vec![double, document(2, &json!("a"))],
        &[
            json!({ "type_id": { "$type": "double" } }),
            json!({ "type_id": { "$type": "int" } }),
            json!({ "type_id": { "$not": { "$type": "int" } } }),
            json!({ "type_id": 1 }),
        ],
    );
}

#[test]
fn one_field_twice_does_not_stand_for_two() {
    let mut twice = document(1, &json!("a"));
    twice["fields"] = json!([{ "name": "a", "value": 1 }, { "name": "a", "value": 2 }]);
    answers(
        vec![Field::text("a"), Field::text("b")],
        vec![twice, document(2, &json!("a"))],
        &[asked(&json!({}), Narrowed::Unclean(0))],
    );
}
