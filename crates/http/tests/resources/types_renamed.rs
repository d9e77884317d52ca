//! Fields that get another name: `renamed_from`.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{read, with};

const TYPE: &str = "/rest/types/1";
const OBJECTS: &str = "/rest/objects";

fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

fn renamed(kind: &str, from: &str, to: &str) -> Value {
    with(&field(kind, to), &json!({"renamed_from": from}))
}

/// Makes the type 1.
async fn make_type(admin: &Client, fields: &[Value]) {
    let body = json!({"name": "things", "author_id": 1, "fields": fields});
    assert_eq!(insert(admin, "/rest/types", body).await, 1);
}

async fn redefine(admin: &Client, fields: &[Value]) -> Answer {
    admin.patch(TYPE, json!({"fields": fields})).await
}

async fn make(admin: &Client, values: &[(&str, Value)]) -> i64 {
    insert(admin, OBJECTS, object(1, values)).await
}

async fn native(client: &Client, id: i64) -> Value {
    let answer = client.get(&format!("{OBJECTS}/{id}/native")).await;
    answer.expect(200).json()
}

/// The names and values of the fields of an object.
async fn values(client: &Client, id: i64) -> Vec<(String, Value)> {
    let document = native(client, id).await;
    let items = document["fields"].as_array().unwrap().iter();
    items
        .map(|item| {
            (
                item["name"].as_str().unwrap().to_owned(),
                item["value"].clone(),
            )
        })
        .collect()
}

fn named(pairs: &[(&str, Value)]) -> Vec<(String, Value)> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}

/// The ids of the objects that a filter finds.
async fn found(client: &Client, filter: &Value) -> Vec<i64> {
    let filter = filter.to_string();
    let list = client.query(OBJECTS, &[("filter", &filter)]).await;
    list.expect(200).ids()
}

async fn changes(client: &Client, id: i64) -> Vec<Value> {
    let answer = client.get(&format!("{OBJECTS}/{id}/history?limit=0")).await;
    let results = answer.expect(200).json()["results"].take();
    results.as_array().unwrap().clone()
}

fn details(answer: &Answer) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let warnings = answer.json()["warnings"].take();
    let warnings = warnings.as_array().into_iter().flatten();
    warnings
        .map(|it| (text(&it["pointer"]), text(&it["detail"])))
        .collect()
}

#[apply(both)]
async fn values_move_with_the_name_of_their_field(server: TestServer) {
    let admin = server.admin();
    make_type(
        &admin,
        &[
            field("text", "host"),
            field("number", "size"),
            field("ref", "peer"),
        ],
    )
    .await;
    let first = make(
        &admin,
        &[
            ("host", json!("a")),
            ("size", json!(7)),
            ("peer", json!(null)),
        ],
    )
    .await;
    let second = make(&admin, &[("peer", json!(first)), ("host", json!("b"))]).await;
    let bare = make(&admin, &[]).await;
    let before = native(&admin, first).await;
    let fields = [
        renamed("text", "host", "hostname"),
        field("number", "size"),
        renamed("ref", "peer", "partner"),
    ];
    let answer = redefine(&admin, &fields).await.expect(202);
    assert_eq!(details(&answer), []);
    let stored = [
        field("text", "hostname"),
        field("number", "size"),
        field("ref", "partner"),
    ];
    assert_eq!(
        answer.member("result")["fields"],
        json!(stored),
        "renamed_from is not stored"
    );
    assert_eq!(
        values(&admin, first).await,
        named(&[
            ("hostname", json!("a")),
            ("size", json!(7)),
            ("partner", json!(null))
        ])
    );
    assert_eq!(
        values(&admin, second).await,
        named(&[("partner", json!(first)), ("hostname", json!("b"))])
    );
    assert_eq!(values(&admin, bare).await, []);
    assert_eq!(
        found(&admin, &json!({"fields.hostname": "b"})).await,
        [second]
    );
    assert_eq!(
        found(&admin, &json!({"fields.hostname": {"$exists": false}})).await,
        [bare]
    );
    assert_eq!(
        found(&admin, &json!({"fields": {"$elemMatch": {"name": "host"}}})).await,
        [0; 0]
    );
    assert_eq!(
        admin
            .get(&format!("{OBJECTS}/{first}/references"))
            .await
            .expect(200)
            .ids(),
        [second]
    );
    assert_eq!(
        admin
            .get(&format!("{OBJECTS}/clean/1"))
            .await
            .expect(200)
            .ids(),
        [second, bare]
    );
    let after = native(&admin, first).await;
    assert_eq!(
        (&after["last_edit_time"], &after["editor_id"]),
        (&before["last_edit_time"], &before["editor_id"])
    );
    let _ = admin
        .put(&format!("{OBJECTS}/{first}"), after)
        .await
        .expect(200);
}

#[apply(both)]
async fn a_rename_is_in_the_history_of_each_object_and_can_be_undone(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "host"), field("text", "note")]).await;
    let one = make(&admin, &[("host", json!("a")), ("note", json!(null))]).await;
    let bare = make(&admin, &[("note", json!("b"))]).await;
    let before = (read(&admin, TYPE).await, native(&admin, one).await);
    server.advance(std::time::Duration::from_secs(1));
    let tagged = admin.clone().with_header("x-request-id", "renaming");
    let _ = redefine(
        &tagged,
        &[renamed("text", "host", "hostname"), field("text", "note")],
    )
    .await
    .expect(202);
    let of_one = changes(&admin, one).await;
    assert_eq!((of_one.len(), changes(&admin, bare).await.len()), (2, 1));
    let told = of_one
        .iter()
        .find(|change| change["revision"] == 2)
        .unwrap();
    assert_eq!(
        (&told["action"], &told["request_id"]),
        (&json!("update"), &json!("renaming"))
    );
    let past = admin
        .get(&format!("{OBJECTS}/{one}/history/1"))
        .await
        .expect(200);
    assert_eq!(past.member("fields")[0]["name"], "host");
    let _ = admin
        .post("/rest/history/requests/renaming/revert", json!({}))
        .await
        .expect(200);
    let after = (read(&admin, TYPE).await, native(&admin, one).await);
    assert_eq!(
        (&after.0["fields"], &after.1["fields"]),
        (&before.0["fields"], &before.1["fields"])
    );
    assert_eq!(found(&admin, &json!({"fields.host": "a"})).await, [one]);
    assert_eq!(
        admin
            .get(&format!("{OBJECTS}/clean/1"))
            .await
            .expect(200)
            .ids(),
        [bare]
    );
    let _ = redefine(
        &admin,
        &[renamed("text", "host", "hostname"), field("text", "note")],
    )
    .await
    .expect(202);
    assert_eq!(
        found(&admin, &json!({"fields.hostname": "a"})).await,
        [one],
        "back to a name that was known"
    );
    let filter = [
        ("filter", r#"{"fields.hostname": "a"}"#),
        ("sort", "fields.hostname"),
    ];
    assert_eq!(admin.query(OBJECTS, &filter).await.expect(200).ids(), [one]);
}

#[apply(both)]
async fn lists_of_the_past_have_the_names_of_the_past(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "host"), field("text", "note")]).await;
    let one = make(&admin, &[("host", json!("b")), ("note", json!(null))]).await;
    let two = make(&admin, &[("host", json!("a")), ("note", json!(null))]).await;
    let bare = make(&admin, &[("note", json!("b"))]).await;
    let then = server.now().to_iso() + "Z";
    server.advance(std::time::Duration::from_secs(1));
    let _ = redefine(
        &admin,
        &[renamed("text", "host", "hostname"), field("text", "note")],
    )
    .await
    .expect(202);
    for (filter, sort, ids) in [
        (
            json!({"fields.host": {"$gte": "a"}}),
            "fields.host",
            vec![two, one],
        ),
        (json!({"fields.host": null}), "public_id", vec![bare]),
        (
            json!({"fields.host": {"$exists": false}}),
            "public_id",
            vec![bare],
        ),
        (json!({}), "fields.host", vec![bare, two, one]),
    ] {
        let filter = filter.to_string();
        let list = admin
            .query(
                OBJECTS,
                &[("as_of", &then), ("filter", &filter), ("sort", sort)],
            )
            .await;
        assert_eq!(list.expect(200).ids(), ids, "{filter} by {sort}");
    }
    let past = admin
        .get(&format!("{OBJECTS}/{one}/native?as_of={then}"))
        .await
        .expect(200);
    assert_eq!(past.member("fields")[0]["name"], "host");
}

#[apply(both)]
async fn a_rename_that_cannot_be_is_refused_and_changes_nothing(server: TestServer) {
    let admin = server.admin();
    let new = json!({"name": "new", "author_id": 1, "fields": [renamed("text", "x", "y")]});
    assert_eq!(
        admin.post("/rest/types", new).await.pointers(),
        ["/fields/0/renamed_from"]
    );
    make_type(&admin, &[field("text", "a"), field("text", "b")]).await;
    let one = make(&admin, &[("a", json!("x")), ("b", json!("y"))]).await;
    let before = (read(&admin, TYPE).await, native(&admin, one).await);
    for (fields, at, words) in [
        (
            vec![renamed("text", "c", "d")],
            0,
            "must name a field of the stored type, not \"c\"; its fields are a, b",
        ),
        (
            vec![renamed("text", "", "d")],
            0,
            "must name a field of the stored type",
        ),
        (
            vec![field("text", "a"), renamed("text", "a", "d")],
            1,
            "names \"a\", which is still a field",
        ),
        (
            vec![renamed("text", "a", "a")],
            0,
            "names \"a\", which is still a field",
        ),
        (
            vec![renamed("text", "a", "b")],
            0,
            "cannot move values to \"b\"",
        ),
        (
            vec![renamed("text", "a", "b"), renamed("text", "b", "a")],
            0,
            "still a field",
        ),
        (
            vec![renamed("text", "a", "c"), renamed("text", "a", "d")],
            1,
            "names \"a\" like another field",
        ),
        (
            vec![with(&field("text", "c"), &json!({"renamed_from": 7}))],
            0,
            "must be a text",
        ),
    ] {
        let refused = redefine(&admin, &fields).await.expect(400);
        let errors = refused.member("errors");
        let error = errors
            .as_array()
            .unwrap()
            .iter()
            .find(|error| error["pointer"] == format!("/fields/{at}/renamed_from"));
        let error = error.unwrap_or_else(|| panic!("{refused}"));
        assert!(
            error["detail"].as_str().unwrap().contains(words),
            "{refused}"
        );
        assert_eq!(
            (read(&admin, TYPE).await, native(&admin, one).await),
            before,
            "{fields:?}"
        );
    }
    let nothing = with(&field("text", "b"), &json!({"renamed_from": null}));
    let answer = redefine(&admin, &[field("text", "a"), nothing])
        .await
        .expect(202);
    assert_eq!(answer.member("result"), before.0, "null renames nothing");
}

#[apply(both)]
async fn values_under_the_new_name_are_not_overwritten(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "a"), field("text", "b")]).await;
    let full = make(&admin, &[("a", json!("x")), ("b", json!("y"))]).await;
    let half = make(&admin, &[("b", json!(null)), ("a", json!("z"))]).await;
    let other = make(&admin, &[("b", json!("w"))]).await;
    let _ = redefine(&admin, &[field("text", "a")]).await.expect(202);
    let before = read(&admin, TYPE).await;
    let moved = [renamed("text", "a", "b")];
    let refused = redefine(&admin, &moved).await.expect(400);
    assert_eq!(refused.pointers(), ["/fields/0/renamed_from"]);
    assert!(
        refused
            .detail()
            .contains(&format!("2 objects ({full}, {other}) hold one of \"b\"")),
        "{refused}"
    );
    assert_eq!(
        (
            read(&admin, TYPE).await,
            values(&admin, half).await[1].0.as_str()
        ),
        (before, "a")
    );
    for id in [full, other] {
        let cleared = json!({"fields": [{"name": "b", "value": null}]});
        let path = format!("{OBJECTS}/{id}");
        let _ = admin.patch(&path, cleared).await.expect(200);
    }
    let _ = redefine(&admin, &moved).await.expect(202);
    for (id, value) in [(full, json!("x")), (half, json!("z")), (other, json!(null))] {
        assert_eq!(values(&admin, id).await, named(&[("b", value.clone())]));
        assert_eq!(found(&admin, &json!({"fields.b": value})).await, [id]);
    }
}

#[apply(both)]
async fn no_value_becomes_a_readable_password_by_a_new_name(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "k"), field("password", "a")]).await;
    let id = make(&admin, &[("k", json!("1")), ("b", json!("tops3cret"))]).await;
    let moved = [field("text", "k"), renamed("password", "a", "b")];
    let refused = redefine(&admin, &moved).await.expect(400);
    assert!(refused.detail().contains(&format!("({id})")), "{refused}");
}

#[apply(both)]
async fn no_password_becomes_a_text_by_a_new_name(server: TestServer) {
    let admin = server.admin();
    let secret = [
        field("text", "k"),
        field("password", "p"),
        field("text", "z"),
    ];
    make_type(&admin, &secret).await;
    let id = make(&admin, &[("k", json!("1")), ("p", json!("real"))]).await;
    let left = [field("text", "k"), field("text", "z")];
    let _ = redefine(&admin, &left).await.expect(202);
    let moved = [field("text", "k"), renamed("text", "z", "p")];
    let refused = redefine(&admin, &moved).await.expect(400);
    assert!(refused.detail().contains(&format!("({id})")), "{refused}");
}

#[apply(both)]
async fn passwords_move_and_stay_secret(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("password", "pin"), field("text", "code")]).await;
    let one = make(
        &admin,
        &[("pin", json!("s3cret")), ("code", json!("plain-old-code"))],
    )
    .await;
    let refused = redefine(
        &admin,
        &[renamed("text", "pin", "key"), field("text", "code")],
    )
    .await
    .expect(400);
    assert_eq!(refused.pointers(), ["/fields/0/type"]);
    let _ = redefine(
        &admin,
        &[
            renamed("password", "pin", "key"),
            renamed("password", "code", "token"),
        ],
    )
    .await
    .expect(202);
    assert_eq!(
        values(&admin, one).await,
        named(&[("key", json!("s3cret")), ("token", json!("plain-old-code"))])
    );
    let viewer = server
        .user_with(&["base.framework.object.view", "base.framework.log.view"])
        .await
        .client;
    assert_eq!(
        values(&viewer, one).await,
        named(&[("key", json!("••••••")), ("token", json!("••••••"))])
    );
    assert_eq!(
        found(
            &admin,
            &json!({"fields.value": {"$in": ["s3cret", "plain-old-code"]}})
        )
        .await,
        [0; 0]
    );
    for change in changes(&viewer, one).await {
        let revision = &change["revision"];
        let past = viewer
            .get(&format!("{OBJECTS}/{one}/history/{revision}"))
            .await;
        assert!(!past.to_string().contains("plain-old-code"), "{past}");
    }
    let _ = admin
        .patch(
            &format!("{OBJECTS}/{one}"),
            json!({"fields": [{"name": "key", "value": "••••••"}]}),
        )
        .await
        .expect(200);
    assert_eq!(values(&admin, one).await[0].1, "s3cret");
}

#[apply(both)]
async fn a_password_is_secret_under_its_former_names(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "code"), field("text", "place")]).await;
    let plain = [("code", json!("plain-old-code")), ("place", json!("Graz"))];
    let (one, gone) = (make(&admin, &plain).await, make(&admin, &plain).await);
    let _ = admin.delete(&format!("{OBJECTS}/{gone}")).await.expect(200);
    let empty = json!({"fields": [{"name": "code", "value": null}]});
    let _ = admin
        .patch(&format!("{OBJECTS}/{one}"), empty)
        .await
        .expect(200);
    let _ = redefine(
        &admin,
        &[renamed("text", "code", "key"), field("text", "place")],
    )
    .await
    .expect(202);
    let _ = redefine(
        &admin,
        &[field("text", "place"), renamed("text", "key", "pin")],
    )
    .await
    .expect(202);
    let _ = redefine(&admin, &[field("text", "place"), field("password", "pin")])
        .await
        .expect(202);
    for id in [one, gone] {
        let first = admin
            .get(&format!("{OBJECTS}/{id}/history/1"))
            .await
            .expect(200);
        assert_eq!(
            first.json()["fields"],
            json!([{"name": "code", "value": null}, {"name": "place", "value": "Graz"}])
        );
        for change in changes(&admin, id).await {
            assert!(!change.to_string().contains("plain-old-code"), "{change}");
        }
    }
}

#[apply(both)]
async fn an_object_keeps_the_fields_beside_a_new_password(server: TestServer) {
    let admin = server.admin();
    make_type(&admin, &[field("text", "code"), field("text", "place")]).await;
    let one = make(
        &admin,
        &[("code", json!("plain-old-code")), ("place", json!("Graz"))],
    )
    .await;
    let _ = redefine(&admin, &[field("text", "place"), field("text", "code")])
        .await
        .expect(202);
    let _ = redefine(&admin, &[field("text", "place"), field("password", "code")])
        .await
        .expect(202);
    assert_eq!(
        values(&admin, one).await[1],
        ("place".to_owned(), json!("Graz"))
    );
    let history = changes(&admin, one).await;
    assert!(
        !json!(history).to_string().contains("plain-old-code"),
        "{history:?}"
    );
    for change in history {
        let route = format!("{OBJECTS}/{one}/history/{}", change["revision"]);
        assert!(
            !admin
                .get(&route)
                .await
                .expect(200)
                .to_string()
                .contains("plain-old-code")
        );
    }
}

#[apply(both)]
async fn what_still_names_the_old_field_is_warned_of(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "host"),
        field("ref-section-field", "home-field"),
        field("ref", "peer"),
    ];
    make_type(&admin, &fields).await;
    let other = json!({"name": "racks", "author_id": 1, "fields": [{
        "type": "ref", "name": "top", "label": "", "ref_types": [1],
        "summaries": [{"type_id": 1, "line": "at {host}", "label": "", "icon": ""}],
    }]});
    let _ = admin.post("/rest/types", other).await.expect(200);
    let view = json!({"name": "By host", "type_id": 1, "definition": {"columns": ["fields.host"]}});
    let _ = admin.post("/rest/views", view).await.expect(201);
    let unrelated =
        json!({"name": "All", "type_id": 1, "definition": {"columns": ["fields.hosts"]}});
    let _ = admin.post("/rest/views", unrelated).await.expect(201);
    let summary =
        json!([{"type_id": 1, "line": "{}", "label": "", "icon": "", "fields": ["host"]}]);
    let body = json!({
        "fields": [
            renamed("text", "host", "hostname"),
            renamed("ref-section-field", "home-field", "house-field"),
            with(&field("ref", "peer"), &json!({"summaries": summary})),
        ],
        "render_meta": {
            "sections": [
                {"type": "section", "name": "main", "label": "", "fields": ["peer", "host"]},
                {"type": "ref-section", "name": "home", "label": "", "reference": {"type_id": 1, "section_name": "main"}},
            ],
            "externals": [{"name": "web", "href": "https://{host}/{}", "label": "", "icon": "", "fields": ["host"]}],
            "summary": {"fields": ["host"]},
        },
    });
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let expected = [
        (
            "/render_meta/sections/0/fields/1",
            "\"host\" is called \"hostname\" now",
        ),
        (
            "/render_meta/externals/0/fields/0",
            "\"host\" is called \"hostname\" now",
        ),
        (
            "/render_meta/summary/fields/0",
            "\"host\" is called \"hostname\" now",
        ),
        (
            "/render_meta/externals/0/href",
            "names \"host\", which is called \"hostname\" now",
        ),
        (
            "/render_meta/sections/1/name",
            "names \"home-field\", which is called \"house-field\" now",
        ),
        (
            "/fields/2/summaries",
            "names \"host\", which is called \"hostname\" now",
        ),
        (
            "/fields/2/summaries/0/fields/0",
            "\"host\" is no field of the type",
        ),
        (
            "/fields/0/renamed_from",
            "these types still name \"host\"; change them, too: \"Racks\" (2)",
        ),
        (
            "/fields/0/renamed_from",
            "these views still name \"host\"; change them, too: \"By host\" (1)",
        ),
    ];
    let refused = strict.patch(TYPE, body.clone()).await.expect(400);
    assert_eq!(refused.pointers(), expected.map(|(pointer, _)| pointer));
    let warned = details(&admin.patch(TYPE, body).await.expect(202));
    for ((pointer, words), warning) in expected.iter().zip(&warned) {
        assert!(
            warning.0 == *pointer && warning.1.contains(words),
            "{words} in {warning:?}"
        );
    }
    assert_eq!(warned.len(), expected.len());
}

#[apply(both)]
async fn a_type_with_too_many_objects_keeps_the_names(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.renamed_objects = 1;
    let server = setup.start(engine).await;
    let admin = server.admin();
    make_type(&admin, &[field("text", "a")]).await;
    make(&admin, &[("a", json!("x"))]).await;
    let _ = redefine(&admin, &[renamed("text", "a", "b")])
        .await
        .expect(202);
    let last = make(&admin, &[("b", json!("x"))]).await;
    let refused = redefine(&admin, &[renamed("text", "b", "c")])
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields/0/renamed_from"]);
    assert!(
        refused
            .detail()
            .contains("2 objects; the limit is 1 in one transaction"),
        "{refused}"
    );
    assert_eq!(values(&admin, last).await, named(&[("b", json!("x"))]));
}

#[apply(both)]
async fn a_type_with_large_objects_keeps_the_names_and_kinds(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.renamed_objects = 2;
    let server = setup.start(engine).await;
    let admin = server.admin();
    make_type(&admin, &[field("text", "a")]).await;
    let long = json!("x".repeat(3_000));
    let id = make(&admin, &[("a", long.clone())]).await;
    let _ = redefine(&admin, &[renamed("text", "a", "b")])
        .await
        .expect(202);
    let _ = make(&admin, &[("b", long.clone())]).await;
    for fields in [renamed("text", "b", "c"), field("password", "b")] {
        let refused = redefine(&admin, &[fields]).await.expect(413);
        assert!(
            refused.detail().contains("fit into 4096 bytes"),
            "{refused}"
        );
    }
    assert_eq!(values(&admin, id).await, named(&[("b", long)]));
}

#[apply(both)]
async fn a_type_gains_no_field_that_many_large_objects_have(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.renamed_objects = 2;
    let server = setup.start(engine).await;
    let admin = server.admin();
    make_type(&admin, &[field("text", "a")]).await;
    let long = json!("x".repeat(3_000));
    for _ in 0..6 {
        let _ = make(&admin, &[("unknown", long.clone())]).await;
    }
    for kind in ["text", "password"] {
        let fields = [field("text", "a"), field(kind, "unknown")];
        let refused = redefine(&admin, &fields).await.expect(413);
        let way_out = "under the names of the new fields: remove those values";
        assert!(refused.detail().contains(way_out), "{refused}");
    }
    let others = [field("text", "a"), field("text", "new")];
    let _ = redefine(&admin, &others).await.expect(202);
    for id in found(&admin, &json!({"type_id": 1})).await {
        let _ = admin.delete(&format!("{OBJECTS}/{id}")).await.expect(200);
    }
    let _ = redefine(&admin, &[field("password", "unknown")])
        .await
        .expect(202);
}

#[apply(both)]
async fn an_object_that_becomes_regular_by_new_names_is_renamed(server: TestServer) {
    let admin = server.admin();
    let texts = |names: &[&str]| {
        names
            .iter()
            .map(|name| field("text", name))
            .collect::<Vec<_>>()
    };
    make_type(&admin, &texts(&["kept", "old", "code", "number"])).await;
    // Its column stays, so that `code` keeps its own when it gets this name.
    let _ = redefine(&admin, &texts(&["kept", "old", "code"]))
        .await
        .expect(202);
    let odd = [
        ("kept", json!("x")),
        ("code", json!("1")),
        ("new", json!(null)),
    ];
    let odd = make(&admin, &odd).await;
    let fields = [
        field("text", "kept"),
        renamed("text", "old", "new"),
        renamed("text", "code", "number"),
    ];
    let _ = redefine(&admin, &fields).await.expect(202);
    let expected = named(&[
        ("kept", json!("x")),
        ("number", json!("1")),
        ("new", json!(null)),
    ]);
    assert_eq!(values(&admin, odd).await, expected);
    assert_eq!(found(&admin, &json!({"fields.number": "1"})).await, [odd]);
}
