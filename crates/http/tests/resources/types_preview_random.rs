//! Previews of random changes, compared with what the changes do.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object};
use stockroom_testkit::{Client, TestServer, apply, both};

const TYPE: &str = "/rest/types/1";
const OBJECTS: &str = "/rest/objects";
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const KINDS: [&str; 6] = ["text", "number", "date", "ref", "select", "password"];
const ROUNDS: usize = 30;

/// Fields and the ids of objects.
type Places = BTreeSet<(String, i64)>;

fn field(random: &mut Rng, name: &str) -> Value {
    // A password with values refuses most later changes.
    let kind = match random.choice(KINDS).unwrap() {
        "password" if random.u8(0..5) > 0 => "text",
        kind => kind,
    };
    let mut field = json!({"type": kind, "name": name, "label": name});
    if random.u8(0..4) == 0 {
        field["required"] = json!(true);
    }
    match kind {
        "text" if random.bool() => field["regex"] = json!("[a-z0-9]+"),
        "select" => {
            let option = random.choice(["one", "two"]).unwrap();
            field["options"] = json!([{"name": option, "label": ""}]);
        }
        "ref" if random.bool() => field["ref_types"] = json!([random.i64(1..3)]),
        _ => {}
    }
    field
}

fn value(random: &mut Rng) -> Value {
    let values = [
        json!(null),
        json!(""),
        json!("one"),
        json!("two"),
        json!("X Y"),
        json!("1"),
        json!(1),
        json!(2),
        json!(77),
        json!(1.5),
        json!(true),
        json!("2026-01-02"),
        json!({"$date": 1_000}),
    ];
    random.choice(values).unwrap()
}

fn name_of(field: &Value) -> &str {
    field["name"].as_str().unwrap()
}

/// A new definition; some fields that go are renamed.
fn definition(random: &mut Rng, before: &[Value]) -> Vec<Value> {
    let had = |name: &str| before.iter().any(|field| name_of(field) == name);
    let mut fields: Vec<Value> = Vec::new();
    for name in NAMES {
        if random.bool() {
            let kept = before.iter().find(|field| name_of(field) == name);
            let kept = kept.filter(|_| random.bool()).cloned();
            fields.push(kept.unwrap_or_else(|| field(random, name)));
        }
    }
    let kept: Vec<String> = fields.iter().map(|it| name_of(it).to_owned()).collect();
    let mut gone = before
        .iter()
        .map(name_of)
        .filter(|name| !kept.contains(&(*name).to_owned()));
    for field in &mut fields {
        if !had(name_of(field)) && random.bool() {
            let Some(from) = gone.next() else { break };
            field["renamed_from"] = json!(from);
        }
    }
    fields
}

async fn fill(admin: &Client, random: &mut Rng) {
    for _ in 0..4 {
        let names = NAMES.into_iter().filter(|_| random.u8(0..3) > 0);
        let names: Vec<&str> = names.collect();
        let values: Vec<(&str, Value)> = names
            .into_iter()
            .map(|name| (name, value(random)))
            .collect();
        // Some are refused.
        let _ = admin.post(OBJECTS, object(1, &values)).await;
    }
}

/// The objects of the type by their ids, with passwords.
async fn objects(admin: &Client) -> BTreeMap<i64, Value> {
    let list = admin
        .query(OBJECTS, &[("filter", r#"{"type_id": 1}"#), ("limit", "0")])
        .await;
    let mut objects = BTreeMap::new();
    for id in list.expect(200).ids() {
        let native = admin
            .get(&format!("{OBJECTS}/{id}/native"))
            .await
            .expect(200);
        objects.insert(id, native.json());
    }
    objects
}

fn holders(
    objects: &BTreeMap<i64, Value>,
    name: &str,
    is_held: impl Fn(&Value) -> bool,
) -> Vec<i64> {
    let holds = |object: &Value| {
        let mut items = object["fields"].as_array().unwrap().iter();
        items.any(|item| item["name"] == name && is_held(&item["value"]))
    };
    let holders = objects.iter().filter(|(_, object)| holds(object));
    holders.map(|(id, _)| *id).collect()
}

/// The fields that a copy of an object cannot have.
async fn refused(admin: &Client, copied: &Value) -> BTreeSet<String> {
    let body = json!({"type_id": 1, "author_id": 1, "fields": copied["fields"]});
    let answer = admin.post(&format!("{OBJECTS}?dry_run=true"), body).await;
    if answer.status == 200 {
        return BTreeSet::new();
    }
    let errors = answer.expect(400).member("errors");
    let errors = errors.as_array().unwrap().iter();
    errors
        .map(|error| {
            let pointer = error["pointer"].as_str().unwrap();
            match pointer.strip_suffix("/value") {
                Some(item) => name_of(copied.pointer(item).unwrap()).to_owned(),
                None => error["detail"]
                    .as_str()
                    .unwrap()
                    .split('"')
                    .nth(1)
                    .unwrap()
                    .to_owned(),
            }
        })
        .collect()
}

fn places(preview: &Value, kind: &str) -> Places {
    let mut places = Places::new();
    for finding in preview[kind].as_array().unwrap() {
        let objects = finding["objects"].as_array().unwrap();
        assert_eq!(finding["count"], objects.len(), "{finding}");
        let ids = objects
            .iter()
            .map(|object| object["public_id"].as_i64().unwrap());
        places.extend(ids.map(|id| (name_of(&json!({"name": finding["field"]})).to_owned(), id)));
    }
    places
}

async fn compare(admin: &Client, random: &mut Rng) -> bool {
    let stored = admin.get(TYPE).await.expect(200).member("result")["fields"].take();
    let stored = stored.as_array().unwrap().clone();
    let before = objects(admin).await;
    let fields = definition(random, &stored);
    let body = json!({"name": "things", "author_id": 1, "fields": fields});
    let preview = admin.post(&format!("{TYPE}/preview"), body.clone()).await;
    let preview = preview.expect(200).member("result");
    let context = format!("{stored:?}\n{body}\n{preview}\n{before:#?}");
    assert_eq!(
        (&preview["examined"], &preview["complete"]),
        (&json!(before.len()), &json!(true))
    );
    let put = admin.put(TYPE, body).await;
    if preview["refused"] != json!([]) {
        assert_eq!(put.status, 400, "{put}\n{context}");
        assert_eq!(objects(admin).await, before);
        return false;
    }
    let put = put.expect(202);
    let after = objects(admin).await;
    let mut count = 0;
    for id in before.keys() {
        let history = admin
            .get(&format!("{OBJECTS}/{id}/history"))
            .await
            .expect(200);
        let is_of = |change: &&Value| change["request_id"] == put.header("x-request-id");
        let changes = history.member("results");
        count += usize::from(changes.as_array().unwrap().iter().any(|it| is_of(&it)));
    }
    assert_eq!(preview["changed"], count, "{context}");
    let unclean = admin
        .get(&format!("{OBJECTS}/clean/1?limit=0"))
        .await
        .expect(200)
        .ids();
    let named = preview["unclean"]["objects"].as_array().unwrap();
    let named: Vec<i64> = named
        .iter()
        .map(|it| it["public_id"].as_i64().unwrap())
        .collect();
    assert_eq!(
        (named, &preview["unclean"]["count"]),
        (unclean.clone(), &json!(unclean.len())),
        "{context}"
    );
    let mut unfit = Places::new();
    for (id, object) in &after {
        let fields = refused(admin, object).await;
        unfit.extend(fields.into_iter().map(|name| (name, *id)));
    }
    assert_eq!(places(&preview, "unfit"), unfit, "{context}");
    check_moves(&preview, &stored, &fields, (&before, &after), &context);
    true
}

/// Compares what was renamed, and what stayed behind.
fn check_moves(
    preview: &Value,
    stored: &[Value],
    fields: &[Value],
    (before, after): (&BTreeMap<i64, Value>, &BTreeMap<i64, Value>),
    context: &str,
) {
    let mut gone: Vec<&str> = stored.iter().map(name_of).collect();
    let mut renamed = Vec::new();
    for field in fields {
        gone.retain(|name| *name != name_of(field));
        if let Some(from) = field["renamed_from"].as_str() {
            gone.retain(|name| *name != from);
            let count = holders(before, from, |_| true).len();
            renamed.push(json!({"from": from, "to": field["name"], "count": count}));
            assert_eq!(holders(after, from, |_| true), [0; 0], "{context}");
        }
    }
    assert_eq!(preview["renamed"], json!(renamed), "{context}");
    let mut orphaned = Places::new();
    for name in gone {
        let holders = holders(after, name, |value| !value.is_null() && value != "");
        orphaned.extend(holders.into_iter().map(|id| (name.to_owned(), id)));
    }
    assert_eq!(places(preview, "orphaned"), orphaned, "{context}");
}

#[apply(both)]
async fn a_preview_is_exactly_what_happens(server: TestServer) {
    let admin = server.admin();
    let mut random = Rng::with_seed(1);
    let fields = NAMES.map(|name| json!({"type": "any", "name": name, "label": name}));
    insert(
        &admin,
        "/rest/types",
        json!({"name": "things", "author_id": 1, "fields": fields}),
    )
    .await;
    insert(
        &admin,
        "/rest/types",
        json!({"name": "others", "author_id": 1}),
    )
    .await;
    insert(&admin, OBJECTS, object(1, &[])).await;
    insert(&admin, OBJECTS, object(2, &[])).await;
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        fill(&admin, &mut random).await;
        accepted += usize::from(compare(&admin, &mut random).await);
        let _ = admin
            .delete(&format!("{OBJECTS}/{}", random.i64(3..40)))
            .await;
    }
    assert!(accepted > ROUNDS / 4 && accepted < ROUNDS, "{accepted}");
}
