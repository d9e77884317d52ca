//! Kinds with one form of each value, wherever values are written (`docs/guide/src/values.md`).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stockroom_model::kind::FieldKind;
use stockroom_service::background::ObjectJobs;
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

use crate::fixture::{field, field_with, insert, list, make_type, native, patch_type, path, value};
use crate::imports::{counts, problems, run, upload};

/// What is sent to a field of a kind and what is stored, and what is refused.
type Case = (&'static str, Vec<(Value, Value)>, Vec<Value>);

/// Values that are stored as they are, and texts that are read as others.
fn with(own: &[Value], others: &[(&str, Value)]) -> Vec<(Value, Value)> {
    let same = own.iter().chain([&Value::Null]);
    let same = same.map(|value| (value.clone(), value.clone()));
    let blank = [("", Value::Null), ("  ", Value::Null)];
    let read = blank.iter().chain(others);
    let read = read.map(|(sent, stored)| (json!(sent), stored.clone()));
    same.chain(read).collect()
}

fn cases() -> Vec<Case> {
    let mut cases = scalars();
    cases.extend(texts());
    cases
}

fn scalars() -> Vec<Case> {
    let march = json!({"$date": 1_772_600_760_000_i64});
    vec![
        (
            "number",
            with(
                &[
                    json!(8),
                    json!(-0.5),
                    json!(u64::MAX),
                    json!(i64::MIN),
                    json!(1e300),
                ],
                &[("8", json!(8)), (" 0.5 ", json!(0.5)), ("1e3", json!(1e3))],
            ),
            vec![
                json!("many"),
                json!("8 GB"),
                json!("0x10"),
                json!("89490200001234567890"),
                json!(true),
                json!("true"),
                json!({"$date": 0}),
                json!([8]),
                json!({}),
            ],
        ),
        (
            "checkbox",
            with(
                &[json!(true), json!(false)],
                &[
                    ("Yes", json!(true)),
                    ("0", json!(false)),
                    (" no ", json!(false)),
                ],
            )
            .into_iter()
            .chain([(json!(1), json!(true)), (json!(0.0), json!(false))])
            .collect(),
            vec![json!("maybe"), json!(2), json!({"$date": 0}), json!([true])],
        ),
        (
            "datetime",
            with(
                std::slice::from_ref(&march),
                &[
                    ("2026-03-04 05:06", march.clone()),
                    ("2026-03-04T06:06:00+01:00", march.clone()),
                    ("2026-03-04", json!({"$date": 1_772_582_400_000_i64})),
                ],
            )
            .into_iter()
            .chain([(json!({"$date": "2026-03-04T05:06:00Z"}), march.clone())])
            .collect(),
            vec![
                json!("tomorrow"),
                json!("2026-02-30"),
                json!(1_772_600_760_000_i64),
                json!(true),
                json!({"$date": "x"}),
            ],
        ),
    ]
}

fn texts() -> Vec<Case> {
    let mac = json!("00:1b:44:11:3a:b7");
    vec![
        (
            "url",
            with(
                &[
                    json!("https://example.org/A?b#c"),
                    json!("ssh://root@10.0.0.1"),
                ],
                &[(" HTTPS://Example.org/ ", json!("https://Example.org/"))],
            ),
            vec![
                json!("example.org"),
                json!("javascript:alert(1)"),
                json!("https://example.org/a b"),
                json!(7),
                json!({"$date": 0}),
            ],
        ),
        (
            "email",
            with(
                &[json!("Ann.B@example.org")],
                &[(" it@Example.ORG", json!("it@example.org"))],
            ),
            vec![
                json!("example.org"),
                json!("a@b@c.d"),
                json!("a b@c.d"),
                json!(7),
            ],
        ),
        (
            "mac",
            with(
                &[mac.clone(), json!("02:00:5e:10:00:00:00:01")],
                &[("00-1B-44-11-3A-B7", mac.clone()), ("001b.4411.3ab7", mac)],
            ),
            vec![
                json!("00:1b:44:11:3a"),
                json!("banana"),
                json!(1_144_113),
                json!(true),
            ],
        ),
    ]
}

async fn stored(client: &Client, id: i64) -> Value {
    value(&native(client, id).await, "it").clone()
}

#[test]
fn every_strict_kind_has_cases() {
    let is_strict = |kind: &&FieldKind| kind.canonical(&json!(" ")).is_some();
    let strict = FieldKind::NAMED.iter().filter(is_strict);
    let strict: BTreeSet<&str> = strict.filter_map(|kind| kind.name()).collect();
    let cases: BTreeSet<&str> = cases().iter().map(|case| case.0).collect();
    assert_eq!(cases, strict);
}

#[apply(both)]
async fn requests_store_one_form_of_each_value(server: TestServer) {
    let admin = server.admin();
    for (kind, pairs, refused) in cases() {
        let type_id = make_type(&admin, &format!("of-{kind}"), &[field(kind, "it")]).await;
        let body = |sent: &Value| inventory::object(type_id, &[("it", sent.clone())]);
        let changed = insert(&admin, type_id, &[("it", json!(null))]).await;
        for (sent, expected) in pairs {
            let id = insert(&admin, type_id, &[("it", sent.clone())]).await;
            assert_eq!(stored(&admin, id).await, expected, "POST of {kind} {sent}");
            // The same in its one form changes nothing.
            let before = native(&admin, id).await;
            let _ = admin.put(&path(id), body(&expected)).await.expect(200);
            assert_eq!(native(&admin, id).await, before, "PUT of {kind} {expected}");
            let _ = admin.put(&path(id), body(&sent)).await.expect(200);
            assert_eq!(native(&admin, id).await, before, "PUT of {kind} {sent}");
            let patch = json!({"fields": [{"name": "it", "value": sent}]});
            let _ = admin.patch(&path(changed), patch).await.expect(200);
            assert_eq!(
                stored(&admin, changed).await,
                expected,
                "PATCH of {kind} {sent}"
            );
            let operations = json!({"operations": [
                {"method": "POST", "path": "/objects/", "body": body(&sent)},
            ]});
            let answer = admin.post("/rest/batch", operations).await.expect(200);
            let made = answer.json()["results"][0]["body"]["result_id"].as_i64();
            assert_eq!(
                stored(&admin, made.unwrap()).await,
                expected,
                "a batch of {kind} {sent}"
            );
        }
        for sent in refused {
            let answers = [
                admin.post("/rest/objects/", body(&sent)).await,
                admin.put(&path(changed), body(&sent)).await,
            ];
            for answer in answers {
                assert_eq!(answer.status, 400, "{kind}: {sent}\n{answer}");
                assert_eq!(answer.pointers(), ["/fields/0/value"], "{kind}: {sent}");
            }
        }
    }
}

#[apply(both)]
async fn jobs_and_imports_store_one_form_of_each_value(server: TestServer) {
    let admin = server.admin();
    for (kind, pairs, refused) in cases() {
        let fields = [field("text", "key"), field(kind, "it")];
        let type_id = make_type(&admin, &format!("of-{kind}"), &fields).await;
        let values = [("key", json!("job")), ("it", json!(null))];
        let id = insert(&admin, type_id, &values).await;
        let filter = json!({"public_id": id});
        for (sent, expected) in &pairs {
            let job = json!({"filter": filter, "total": 1, "set": {"it": sent}});
            let _ = admin.post("/rest/objects/jobs", job).await.expect(202);
            server.service().finish(ObjectJobs).await.unwrap();
            assert_eq!(
                stored(&admin, id).await,
                *expected,
                "a job with {kind} {sent}"
            );
        }
        let rows: Vec<Value> = pairs
            .iter()
            .map(|(sent, _)| sent)
            .chain(&refused)
            .enumerate()
            .map(|(number, sent)| json!({"key": number.to_string(), "it": sent}))
            .collect();
        let plan = json!({"type_id": type_id, "key": ["key"], "policy": "skip", "columns": {"key": "key", "it": "it"}});
        let import = upload(&admin, "a.json", json!(rows).to_string()).await;
        let import = run(&server, &admin, &import, plan).await;
        let expected = json!({"new": pairs.len(), "error": refused.len()});
        assert_eq!(
            counts(&import),
            expected,
            "{kind}: {:?}",
            problems(&admin, &import).await
        );
        for (number, (sent, expected)) in pairs.iter().enumerate() {
            let filter = json!({"type_id": type_id, "fields.key": number.to_string()}).to_string();
            let found = list(&admin, &[("filter", &filter)]).await.member("results");
            assert_eq!(
                value(&found[0], "it"),
                expected,
                "an import of {kind} {sent}"
            );
        }
    }
}

#[apply(both)]
async fn rows_find_objects_by_other_notations_of_their_key(server: TestServer) {
    let admin = server.admin();
    let fields = [field("mac", "mac"), field("text", "note")];
    let type_id = make_type(&admin, "interface", &fields).await;
    let values = [("mac", json!("001B44113AB7")), ("note", json!("old"))];
    let id = insert(&admin, type_id, &values).await;
    let plan =
        json!({"type_id": type_id, "key": ["mac"], "columns": {"mac": "mac", "note": "note"}});
    for (file, note) in [
        ("mac,note\n00-1B-44-11-3A-B7,csv\n".to_owned(), "csv"),
        (
            json!([{"mac": "001b.4411.3ab7", "note": "json"}]).to_string(),
            "json",
        ),
    ] {
        let import = upload(&admin, &format!("a.{note}"), file).await;
        let import = run(&server, &admin, &import, plan.clone()).await;
        assert_eq!(counts(&import), json!({"update": 1}));
        assert_eq!(value(&native(&admin, id).await, "note"), note);
    }
}

#[apply(both)]
async fn values_from_before_the_kind_stay_until_they_are_changed(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "it"), field("text", "note")];
    let type_id = make_type(&admin, "host", &fields).await;
    let mut ids = Vec::new();
    for text in ["8", "many"] {
        let values = [("it", json!(text)), ("note", json!("a"))];
        ids.push(insert(&admin, type_id, &values).await);
    }
    let number = json!({"fields": [field("number", "it"), field("text", "note")]});
    let _ = patch_type(&admin, type_id, number).await.expect(202);
    for (id, text) in ids.into_iter().zip(["8", "many"]) {
        assert_eq!(stored(&admin, id).await, text);
        let _ = admin
            .put(&path(id), native(&admin, id).await)
            .await
            .expect(200);
        let note = json!({"fields": [{"name": "note", "value": "b"}]});
        let _ = admin.patch(&path(id), note).await.expect(200);
        assert_eq!(stored(&admin, id).await, text);
        let changed = json!({"fields": [{"name": "it", "value": "9"}]});
        let _ = admin.patch(&path(id), changed).await.expect(200);
        assert_eq!(stored(&admin, id).await, 9);
    }
}

#[apply(both)]
async fn patterns_and_required_fields_see_the_one_form(server: TestServer) {
    let admin = server.admin();
    let only_https = field_with("url", "link", &json!({"regex": "https://.*"}));
    let needed = field_with("number", "count", &json!({"required": true}));
    let type_id = make_type(&admin, "page", &[only_https, needed]).await;
    let body = |link: &str, count: &str| {
        inventory::object(type_id, &[("link", json!(link)), ("count", json!(count))])
    };
    let taken = admin
        .post("/rest/objects", body("HTTPS://example.org", "1"))
        .await;
    let _ = taken.expect(200);
    for (link, count, pointer) in [
        ("http://example.org", "1", "/fields/0/value"),
        ("https://example.org", " ", "/fields/1/value"),
    ] {
        let answer = admin
            .post("/rest/objects", body(link, count))
            .await
            .expect(400);
        assert_eq!(answer.pointers(), [pointer]);
    }
}

#[apply(both)]
async fn points_in_time_sort_and_compare_as_times(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "event", &[field("datetime", "at")]).await;
    let mut ids = Vec::new();
    for text in [
        "2026-03-04 23:00+00:00",
        "2026-03-05T01:00+03:00",
        "2026-03-04",
    ] {
        ids.push(insert(&admin, type_id, &[("at", json!(text))]).await);
    }
    let of_type = json!({"type_id": type_id}).to_string();
    let sorted = list(&admin, &[("filter", &of_type), ("sort", "fields.at")]).await;
    assert_eq!(
        public_ids(&sorted.member("results")),
        [ids[2], ids[1], ids[0]]
    );
    let since = json!({"fields.at": {"$gte": {"$date": "2026-03-04T22:30:00Z"}}}).to_string();
    let found = list(&admin, &[("filter", &since)]).await;
    assert_eq!(public_ids(&found.member("results")), [ids[0]]);
}

fn public_ids(results: &Value) -> Vec<i64> {
    let results = results.as_array().unwrap().iter();
    results
        .filter_map(|object| object["public_id"].as_i64())
        .collect()
}
