//! Large objects, a few of which fill the memory for a whole page: they are read and sent in small
//! parts.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_service::background::{ObjectJobs, SearchIndex};
use stockroom_testkit::{Client, Engine, TestServer, apply, both};

use crate::fixture::{
    document, field, field_with, insert, list, make_type, native, path, stored, value,
};
use crate::search::search;

/// Close to the maximum length of a value.
const LONG: usize = 1_000_000;
/// Several times what is read at once.
const COUNT: i64 = 30;

fn long(seed: i64) -> Value {
    json!(format!("{seed} {}", "x".repeat(LONG)))
}

async fn with_large_objects(engine: Engine) -> TestServer {
    let one = |id: i64| document(id, 7, &[("n", json!(id % 7)), ("text", long(id))]);
    stored((1..=COUNT).map(one).collect(), engine).await
}

/// The ids of a list. Validating 30 MB against the OpenAPI document would take too long.
async fn ids(admin: &Client, parameters: &[(&str, &str)]) -> Vec<i64> {
    let answer = list(&admin.clone().unchecked(), parameters)
        .await
        .expect(200);
    let results = answer.member("results");
    let results = results.as_array().unwrap();
    assert_eq!(answer.member("count"), results.len());
    let id = |object: &Value| match object.get("public_id") {
        Some(id) => id.as_i64(),
        None => object["object_information"]["object_id"].as_i64(),
    };
    results.iter().map(|object| id(object).unwrap()).collect()
}

/// A type whose objects have a long text and reference others, which a summary line shows.
async fn naming(admin: &Client, references: usize) -> i64 {
    let line =
        json!({"summaries": [{"type_id": 1, "label": "", "icon": "", "line": "", "fields": []}]});
    let mut fields = vec![field("text", "text")];
    fields.extend((0..references).map(|at| field_with("ref", &format!("other-{at}"), &line)));
    make_type(admin, "large", &fields).await
}

#[apply(both)]
async fn a_list_of_large_objects_is_whole_and_in_order(engine: Engine) {
    let server = with_large_objects(engine).await;
    let admin = server.admin();
    let ascending: Vec<i64> = (1..=COUNT).collect();
    let descending: Vec<i64> = (1..=COUNT).rev().collect();
    let mut by_n = ascending.clone();
    by_n.sort_by_key(|id| (id % 7, *id));
    for (sort, order, expected) in [
        ("public_id", "1", &ascending),
        ("public_id", "-1", &descending),
        ("fields.n", "1", &by_n),
    ] {
        for limit in ["500", "0"] {
            let parameters = [("sort", sort), ("order", order), ("limit", limit)];
            assert_eq!(ids(&admin, &parameters).await, *expected, "{parameters:?}");
        }
    }
    let rendered = [("view", "render"), ("sort", "fields.n"), ("limit", "20")];
    assert_eq!(ids(&admin, &rendered).await, by_n[..20]);
    let parts = [
        ("projection", r#"{"public_id": 1}"#),
        ("limit", "25"),
        ("sort", "fields.n"),
    ];
    assert_eq!(ids(&admin, &parts).await, by_n[..25]);
}

#[apply(both)]
async fn a_cursor_leads_past_objects_that_are_sent_later(engine: Engine) {
    let server = with_large_objects(engine).await;
    let admin = server.admin().unchecked();
    let mut after = String::new();
    let mut seen = Vec::new();
    while seen.len() < usize::try_from(COUNT).unwrap() {
        let page = list(&admin, &[("limit", "15"), ("after", &after)])
            .await
            .expect(200);
        seen.extend(page.ids());
        after = page.member("pager")["after"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
    }
    assert_eq!(seen, (1..=COUNT).collect::<Vec<i64>>());
}

#[apply(both)]
async fn an_object_that_names_too_much_is_cut_and_says_so(server: TestServer) {
    const NAMED: usize = 12;
    let admin = server.admin();
    let type_id = naming(&admin, NAMED).await;
    let mut values = vec![("text".to_owned(), json!("small"))];
    for at in 0..NAMED {
        let named = insert(&admin, type_id, &[("text", long(1))]).await;
        values.push((format!("other-{at}"), json!(named)));
    }
    let values: Vec<(&str, Value)> = values
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    let few = insert(&admin, type_id, &values[..4]).await;
    let many = insert(&admin, type_id, &values).await;
    let shown = |document: &Value| {
        let fields = document["type_information"]["fields"]
            .as_array()
            .unwrap()
            .clone();
        fields
            .iter()
            .filter(|field| field["reference"].is_object())
            .count()
    };
    let whole = admin.get(&path(few)).await.expect(200).json();
    assert_eq!((whole.get("truncated"), shown(&whole)), (None, 3));
    let cut = admin.get(&path(many)).await.expect(200).json();
    assert_eq!(cut["truncated"], true);
    assert!((4..NAMED).contains(&shown(&cut)), "{}", shown(&cut));
    // Next to it, other objects are still shown whole.
    let filter = json!({"public_id": {"$gte": few}}).to_string();
    let both = list(&admin, &[("view", "render"), ("filter", &filter)])
        .await
        .expect(200);
    let results = both.member("results");
    assert_eq!(
        (&results[0], &results[1]["truncated"]),
        (&whole, &json!(true))
    );
}

#[apply(both)]
async fn objects_that_are_deleted_together_have_a_size(engine: Engine) {
    let server = with_large_objects(engine).await;
    let admin = server.admin().unchecked();
    let path = |count: i64| {
        let ids: Vec<String> = (1..=count).map(|id| id.to_string()).collect();
        format!("/rest/objects/{}", ids.join(","))
    };
    let refused = admin.delete(&path(COUNT)).await.expect(400);
    assert!(
        refused
            .detail()
            .contains("more than 16777216 bytes together; delete 16 at once"),
        "{refused}"
    );
    let _ = native(&admin, 1).await;
    let deleted = admin.delete(&path(16)).await.expect(200);
    assert_eq!(
        deleted.member("deleted_entry").as_array().map(Vec::len),
        Some(16)
    );
}

#[apply(both)]
async fn a_large_change_is_checked_like_a_small_one(server: TestServer) {
    let admin = server.admin().unchecked();
    let short = json!({"regex": "x*"});
    let fields = [
        field("text", "text"),
        field_with("text", "name", &short),
        field("ref", "other"),
    ];
    let type_id = make_type(&admin, "large", &fields).await;
    let id = insert(
        &admin,
        type_id,
        &[
            ("text", json!("")),
            ("name", json!("x")),
            ("other", json!(null)),
        ],
    )
    .await;
    let fields = |name: &str, other: Value| json!({"fields": [{"name": "text", "value": long(1)}, {"name": "name", "value": name}, {"name": "other", "value": other}]});
    let refused = admin
        .patch(&path(id), fields("y", json!(99)))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields/1/value", "/fields/2/value"]);
    let body = json!({"type_id": type_id, "author_id": "nobody", "fields": fields("y", json!(99))["fields"]});
    let refused = admin.post("/rest/objects", body).await.expect(400);
    assert_eq!(
        refused.pointers(),
        ["/author_id", "/fields/1/value", "/fields/2/value"]
    );
    let _ = admin
        .patch(&path(99), fields("x", json!(id)))
        .await
        .expect(404);
    let stale = admin.clone().with_header("if-match", "\"7\"");
    let _ = stale
        .patch(&path(id), fields("x", json!(id)))
        .await
        .expect(412);
    let changed = admin
        .patch(&path(id), fields("xx", json!(id)))
        .await
        .expect(200);
    assert_eq!(changed.member("result")["fields"][0]["value"], long(1));
}

#[apply(both)]
async fn references_of_large_objects_are_cleared(server: TestServer) {
    let admin = server.admin().unchecked();
    let type_id = naming(&admin, 1).await;
    let target = insert(&admin, type_id, &[("text", json!("named"))]).await;
    let mut naming = Vec::new();
    for at in 0..20 {
        naming.push(
            insert(
                &admin,
                type_id,
                &[("text", long(at)), ("other-0", json!(target))],
            )
            .await,
        );
    }
    let _ = admin
        .delete(&format!("{}?references=clear", path(target)))
        .await
        .expect(200);
    for id in naming {
        let object = native(&admin, id).await;
        assert_eq!(
            object["fields"][1],
            json!({"name": "other-0", "value": null}),
            "{id}"
        );
    }
}

#[apply(both)]
async fn a_past_with_more_bytes_than_one_answer_keeps_is_exact(server: TestServer) {
    let admin = server.admin().unchecked();
    let type_id = make_type(&admin, "large", &[field("text", "text")]).await;
    // Letters at random, so that no image of a change is short.
    let mut random = fastrand::Rng::with_seed(9);
    let mut random_text = || {
        json!(
            std::iter::repeat_with(|| random.alphanumeric())
                .take(LONG)
                .collect::<String>()
        )
    };
    let first = random_text();
    let id = insert(&admin, type_id, &[("text", first.clone())]).await;
    let mut pasts = vec![(server.now().to_iso(), first)];
    for _ in 0..8 {
        server.advance(Duration::from_secs(1));
        let text = random_text();
        let body = json!({"fields": [{"name": "text", "value": text}]});
        let _ = admin.patch(&path(id), body).await.expect(200);
        pasts.push((server.now().to_iso(), text));
    }
    for (at, text) in pasts {
        let past = admin
            .get(&format!("{}/native?as_of={at}", path(id)))
            .await
            .expect(200);
        assert!(*value(&past.json(), "text") == text, "{at}");
    }
}

// PostgreSQL would only take longer.
#[tokio::test]
async fn what_one_transaction_changes_has_a_limit_in_bytes() {
    let site = |id: i64| if id == 1 { Value::Null } else { json!(1) };
    let one = |id: i64| document(id, 7, &[("site", site(id)), ("text", long(id))]);
    let server = stored((1..=36).map(one).collect(), Engine::Sqlite).await;
    let admin = server.admin();
    let fields = [
        field("ref", "site"),
        field("text", "text"),
        field("text", "more"),
    ];
    let definition = json!({"name": "host", "author_id": 1, "fields": fields});
    let _ = admin.put("/rest/types/7", definition).await.expect(202);
    let clean = "/rest/objects/clean/7?dry_run=true";
    for refused in [
        admin.delete("/rest/objects/1?references=clear").await,
        admin.put(clean, json!({})).await,
    ] {
        let detail = refused.expect(413).detail();
        assert!(detail.contains("fit into 33554432 bytes"), "{detail}");
    }
    let job = json!({"filter": {"type_id": 7}, "total": 36, "set": {"more": "x"}});
    let _ = admin.post("/rest/objects/jobs", job).await.expect(202);
    server.service().finish(ObjectJobs).await.unwrap();
    let history = admin.get("/rest/objects/9/history").await.expect(200);
    let request = history.member("results")[0]["request_id"].clone();
    let undo = format!(
        "/rest/history/requests/{}/revert",
        request.as_str().unwrap()
    );
    let refused = admin.post(&undo, json!({})).await.expect(413).detail();
    assert!(refused.contains("33554432 bytes"), "{refused}");
    let revised = native(&admin, 9).await;
    assert_eq!(
        value(&revised, "more"),
        "x",
        "the refused undo changed something"
    );
    let _ = admin.delete("/rest/objects/2").await.expect(200);
    let _ = admin.delete("/rest/objects/3").await.expect(200);
    let _ = admin.delete("/rest/objects/4").await.expect(200);
    let fields = [field("ref", "site"), field("text", "text")];
    let definition = json!({"name": "host", "author_id": 1, "fields": fields});
    let _ = admin.put("/rest/types/7", definition).await.expect(202);
    let cleaned = admin.put(clean, json!({})).await.expect(200);
    assert_eq!(cleaned.member("result")["cleaned"], 33);
}

// PostgreSQL would only take longer.
#[tokio::test]
async fn many_fields_are_not_added_to_many_objects_at_once() {
    let one = |id: i64| document(id, 7, &[("a", json!("x"))]);
    let server = stored((1..=300).map(one).collect(), Engine::Sqlite).await;
    let admin = server.admin();
    let with = |count: usize| {
        let names = (0..count).map(|at| format!("f{at}"));
        let fields = names.map(|name| field("text", &name));
        let fields: Vec<Value> = std::iter::once(field("text", "a")).chain(fields).collect();
        json!({"name": "host", "author_id": 1, "fields": fields})
    };
    let refused = admin.put("/rest/types/7", with(900)).await.expect(400);
    assert_eq!(refused.pointers(), ["/fields"]);
    let detail = refused.detail();
    assert!(
        detail.contains("adds 900 fields of 300 objects"),
        "{detail}"
    );
    for count in [600, 900] {
        let _ = admin.put("/rest/types/7", with(count)).await.expect(202);
    }
}

// PostgreSQL would only take longer.
#[tokio::test]
async fn nor_one_after_the_other_in_a_batch() {
    let one = |id: i64| document(id, 7, &[("a", json!("x"))]);
    let server = stored((1..=300).map(one).collect(), Engine::Sqlite).await;
    let admin = server.admin();
    let with = |first: usize, count: usize| {
        let names = (first..first + count).map(|at| format!("f{at}"));
        let fields: Vec<Value> = names.map(|name| field("text", &name)).collect();
        let body = json!({"name": "host", "author_id": 1, "fields": fields});
        json!({"method": "PUT", "path": "/types/7", "body": body})
    };
    let batch = |operations: Vec<Value>| json!({"operations": operations});
    let most = batch(vec![with(0, 500), with(500, 166)]);
    let _ = admin.post("/rest/batch", most).await.expect(200);
    let more = batch(vec![with(1_000, 500), with(1_500, 500)]);
    let refused = admin.post("/rest/batch", more).await.expect(400);
    let detail = refused.detail();
    assert!(
        detail.contains("beside those of earlier operations"),
        "{detail}"
    );
}

#[apply(both)]
async fn all_changes_are_conflicts_if_their_states_are_too_large_to_be_compared(engine: Engine) {
    let server = stored(
        vec![document(1, 7, &[("n", json!("0")), ("text", long(0))])],
        engine,
    )
    .await;
    let admin = server.admin();
    let object = "/rest/objects/1";
    for n in 1..=17 {
        let patch = json!({"fields": [{"name": "n", "value": n.to_string()}]});
        let _ = admin
            .clone()
            .unchecked()
            .patch(object, patch)
            .await
            .expect(200);
    }
    let restore = "/rest/objects/1/restore";
    let body = |force: bool| json!({"revision": 1, "fields": ["text"], "force": force});
    let refused = admin.post(restore, body(false)).await.expect(409);
    assert_eq!(
        refused.member("conflicts").as_array().map(Vec::len),
        Some(16)
    );
    let _ = admin
        .clone()
        .unchecked()
        .post(restore, body(true))
        .await
        .expect(200);
    let few = json!({"revision": 15, "fields": ["text"]});
    let _ = admin
        .clone()
        .unchecked()
        .post(restore, few)
        .await
        .expect(200);
}

// PostgreSQL would only take longer to store them.
#[tokio::test]
async fn large_odd_objects_that_name_others_do_not_stop_a_delete() {
    // Together, more than a delete looks into.
    let odd = |id: i64, named: i64| {
        let fields = [
            ("site", json!(named)),
            ("list", json!([named])),
            ("text", long(id)),
        ];
        document(id, 7, &fields)
    };
    let mut documents: Vec<Value> = (1..=3).map(|id| document(id, 7, &[])).collect();
    documents.extend((4..=80).map(|id| odd(id, 1)));
    documents.push(odd(81, 2));
    let server = stored(documents, Engine::Sqlite).await;
    let admin = server.admin().unchecked();
    let definition = json!({"name": "host", "author_id": 1, "fields": [field("ref", "site")]});
    let _ = admin.put("/rest/types/7", definition).await.expect(202);
    let referrers = admin.get("/rest/objects/2/references").await.expect(200);
    assert_eq!(referrers.ids(), [81]);
    let protected = |id: i64| format!("{}?references=protect", path(id));
    let refused = admin.delete(&protected(2)).await.expect(400);
    assert!(refused.detail().contains("referenced by 81"), "{refused}");
    let _ = admin.delete(&protected(3)).await.expect(200);
    let _ = admin.delete(&protected(1)).await.expect(400);
}

#[apply(both)]
async fn large_objects_do_not_wait_to_be_indexed(server: TestServer) {
    let admin = server.admin().unchecked();
    let type_id = naming(&admin, 0).await;
    let oldest = insert(&admin, type_id, &[("text", json!("zebra"))]).await;
    // More than a search reads while they wait.
    for seed in 0..9 {
        let _ = insert(&admin, type_id, &[("text", long(seed))]).await;
    }
    let zebra = || search(&admin, "zebra", &[]);
    assert_eq!(zebra().await["more"], true);
    let _ = server.service().step(SearchIndex::default()).await.unwrap();
    let answer = zebra().await;
    assert_eq!(answer["more"], false);
    assert_eq!(answer["results"][0]["public_id"], oldest);
}

#[apply(both)]
async fn large_objects_do_not_hide_others_from_a_search(server: TestServer) {
    let admin = server.admin().unchecked();
    let type_id = naming(&admin, 0).await;
    let small = insert(&admin, type_id, &[("text", json!("a zebra"))]).await;
    // More than a search reads.
    for seed in 0..9 {
        let text = format!("a zebra {}", long(seed));
        let _ = insert(&admin, type_id, &[("text", json!(text))]).await;
    }
    for is_indexed in [false, true] {
        if is_indexed {
            let _ = server.service().index_searches(1).await.unwrap();
        }
        let answer = search(&admin, "zebra", &[]).await;
        let results = answer["results"].as_array().unwrap();
        let is_small = |result: &Value| result["public_id"] == small;
        assert!(results.iter().any(is_small), "{is_indexed}");
        assert!(results.len() > 1 && answer["more"] == true, "{is_indexed}");
    }
}
