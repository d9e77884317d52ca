//! `POST /rest/types/{public_id}/preview`

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, object};
use stockroom_testkit::{Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{NO_IDS, read, with};

const TYPE: &str = "/rest/types/1";
const PREVIEW: &str = "/rest/types/1/preview";
const OBJECTS: &str = "/rest/objects";

fn field(kind: &str, name: &str) -> Value {
    json!({"type": kind, "name": name, "label": name})
}

fn body(fields: &[Value]) -> Value {
    json!({"name": "things", "author_id": 1, "fields": fields,
        "render_meta": {"summary": {"fields": ["host"]}}})
}

/// Makes the type 1 with objects 1 to 3, and the type 2 with object 4.
async fn inventory(admin: &Client) {
    let fields = [
        field("text", "host"),
        with(
            &field("select", "size"),
            &json!({"options": [{"name": "small", "label": "S"}, {"name": "big", "label": "B"}]}),
        ),
        field("ref", "peer"),
        field("text", "note"),
        field("password", "pin"),
    ];
    insert(admin, "/rest/types", body(&fields)).await;
    let other = json!({"name": "others", "author_id": 1, "fields": []});
    insert(admin, "/rest/types", other).await;
    for values in [
        [
            ("host", json!("a1")),
            ("size", json!("big")),
            ("peer", json!(null)),
            ("note", json!("x")),
            ("pin", json!("s3cret")),
        ],
        [
            ("host", json!("B2")),
            ("size", json!("small")),
            ("peer", json!(1)),
            ("note", json!("")),
            ("pin", json!(null)),
        ],
        [
            ("host", json!("")),
            ("size", json!(null)),
            ("peer", json!(1)),
            ("note", json!("y")),
            ("pin", json!(null)),
        ],
    ] {
        insert(admin, OBJECTS, object(1, &values)).await;
    }
    insert(admin, OBJECTS, object(2, &[])).await;
}

async fn preview(client: &Client, fields: &[Value]) -> Value {
    let answer = client.post(PREVIEW, body(fields)).await;
    answer.expect(200).member("result")
}

fn named(objects: &[(i64, &str)]) -> Value {
    let objects = objects.iter();
    objects
        .map(|(id, summary)| json!({"public_id": id, "summary": summary}))
        .collect()
}

/// Field, reason and number of each finding of a kind.
fn found<'v>(preview: &'v Value, kind: &str) -> Vec<(&'v str, &'v str, i64)> {
    let findings = preview[kind].as_array().unwrap().iter();
    findings
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap();
            (text("field"), text("reason"), it["count"].as_i64().unwrap())
        })
        .collect()
}

async fn everything(admin: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    for list in ["/rest/types", OBJECTS, "/rest/history"] {
        all.push(admin.get(list).await.expect(200).member("results"));
    }
    all
}

#[apply(both)]
async fn a_preview_says_what_would_happen_and_changes_nothing(server: TestServer) {
    let admin = server.admin();
    inventory(&admin).await;
    let before = everything(&admin).await;
    let new = [
        with(
            &field("text", "host"),
            &json!({"regex": "[a-z0-9]+", "required": true}),
        ),
        with(
            &field("select", "size"),
            &json!({"options": [{"name": "small", "label": "S"}]}),
        ),
        with(
            &field("ref", "partner"),
            &json!({"renamed_from": "peer", "ref_types": [2]}),
        ),
        field("password", "pin"),
        field("date", "bought"),
    ];
    let shown = preview(&admin, &new).await;
    let all = named(&[(1, "a1"), (2, "B2"), (3, "")]);
    let finding = |field: &str, reason: &str, detail: &str, objects: &[(i64, &str)]| {
        json!({
            "field": field, "reason": reason, "detail": detail, "count": objects.len(), "objects": named(objects),
        })
    };
    assert_eq!(
        shown,
        json!({
            "type_id": 1, "objects": 3, "examined": 3, "complete": true, "changed": 3,
            "unclean": {"count": 3, "objects": all},
            "renamed": [{"from": "peer", "to": "partner", "count": 3}],
            "orphaned": [finding("note", "removed", "the field \"note\" goes; objects keep its values until they are cleaned",
                &[(1, "a1"), (3, "")])],
            "unfit": [
                finding("host", "regex", "\"host\" must match [a-z0-9]+ as a whole", &[(2, "B2")]),
                finding("size", "options", "\"size\" must be one of small", &[(1, "a1")]),
                finding("host", "required", "the field \"host\" is required", &[(3, "")]),
                finding("partner", "ref_types", "\"partner\" takes objects of the type \"Others\" (2)",
                    &[(2, "B2"), (3, "")]),
            ],
            "refused": [], "warnings": [],
        })
    );
    let same = preview(
        &admin,
        &read(&admin, TYPE).await["fields"]
            .as_array()
            .unwrap()
            .clone(),
    )
    .await;
    assert_eq!(
        (&same["changed"], &same["unclean"]["count"]),
        (&json!(0), &json!(0))
    );
    for kind in ["renamed", "orphaned", "unfit", "refused", "warnings"] {
        assert_eq!(same[kind], json!([]), "{kind}");
    }
    assert_eq!(everything(&admin).await, before);
}

#[apply(both)]
async fn what_refuses_the_put_is_told(server: TestServer) {
    let admin = server.admin();
    inventory(&admin).await;
    let shown = preview(&admin, &[field("text", "pin"), field("password", "note")]).await;
    assert_eq!(found(&shown, "refused"), [("pin", "password", 1)]);
    assert_eq!(
        found(&shown, "orphaned"),
        [
            ("host", "removed", 2),
            ("size", "removed", 2),
            ("peer", "removed", 2)
        ]
    );
    assert_eq!(shown["changed"], 2, "values that would be encrypted");
    let gone = [field("password", "pin")];
    let _ = admin.put(TYPE, body(&gone)).await.expect(202);
    let renamed = [with(
        &field("password", "note"),
        &json!({"renamed_from": "pin"}),
    )];
    let shown = preview(&admin, &renamed).await;
    assert_eq!(found(&shown, "refused"), [("note", "taken", 2)]);
    assert_eq!(
        admin.put(TYPE, body(&renamed)).await.pointers(),
        ["/fields/0/renamed_from"]
    );
    let shown = preview(&admin, &[]).await;
    assert_eq!(
        found(&shown, "orphaned"),
        [("pin", "removed", 1)],
        "passwords stay behind, too"
    );
}

#[apply(both)]
async fn a_malformed_body_is_refused_as_by_put(server: TestServer) {
    let admin = server.admin();
    inventory(&admin).await;
    let twice = [field("text", "a"), field("text", "a")];
    let gone = [with(&field("text", "a"), &json!({"renamed_from": "b"}))];
    for wrong in [
        json!({}),
        json!([]),
        body(&twice),
        body(&gone),
        with(&body(&[]), &json!({"name": "others"})),
        with(&body(&[]), &json!({"public_id": 2})),
    ] {
        let (shown, put) = (
            admin.post(PREVIEW, wrong.clone()).await,
            admin.put(TYPE, wrong.clone()).await,
        );
        assert_eq!(
            (shown.status, shown.pointers()),
            (400, put.pointers()),
            "{wrong}"
        );
        assert_eq!(shown.member("errors"), put.member("errors"), "{wrong}");
    }
    for id in NO_IDS {
        let _ = admin
            .post(&format!("/rest/types/{id}/preview"), body(&[]))
            .await
            .expect(404);
    }
    let doubtful = admin
        .post(PREVIEW, body(&[field("text", "a")]))
        .await
        .expect(200)
        .member("result");
    assert_eq!(
        doubtful["warnings"][0]["pointer"],
        "/render_meta/summary/fields/0"
    );
}

#[apply(both)]
async fn objects_that_the_caller_may_not_read_are_counted_and_not_named(server: TestServer) {
    let admin = server.admin();
    inventory(&admin).await;
    let blind = server.user_with(&["base.framework.type.edit"]).await.client;
    let shown = preview(&blind, &[]).await;
    assert_eq!(
        (
            found(&shown, "orphaned")[0],
            &shown["orphaned"][0]["objects"]
        ),
        (("host", "removed", 2), &json!([]))
    );
    assert_eq!(shown["unclean"], json!({"count": 3, "objects": []}));
    // A count of the values that match would tell them.
    let guess = with(&field("text", "host"), &json!({"regex": "w.*"}));
    let guessed = preview(&blind, std::slice::from_ref(&guess)).await;
    assert_eq!(guessed["unfit"], json!([]), "{guessed}");
    assert_ne!(preview(&admin, &[guess]).await["unfit"], json!([]));
    let closed = json!({"acl": {"activated": true, "groups": {"includes": {"1": ["UPDATE"]}}}});
    let _ = admin.patch(TYPE, closed).await.expect(202);
    assert_eq!(preview(&admin, &[]).await, shown);
    let viewer = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    let _ = viewer.post(PREVIEW, body(&[])).await.expect(403);
}

#[apply(both)]
async fn a_finding_names_a_hundred_objects_and_counts_all(server: TestServer) {
    let admin = server.admin();
    let long = "x".repeat(300);
    insert(&admin, "/rest/types", body(&[field("text", "host")])).await;
    for _ in 0..103 {
        insert(&admin, OBJECTS, object(1, &[("host", json!(long))])).await;
    }
    let shown = preview(&admin, &[]).await;
    let orphaned = &shown["orphaned"][0];
    assert_eq!(
        (
            &orphaned["count"],
            orphaned["objects"].as_array().unwrap().len()
        ),
        (&json!(103), 100)
    );
    assert_eq!(
        orphaned["objects"][99],
        json!({"public_id": 100, "summary": format!("{}…", "x".repeat(200))})
    );
}

#[apply(both)]
async fn a_preview_ends_when_its_time_is_up(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.preview_seconds = 0;
    let server = setup.start(engine).await;
    inventory(&server.admin()).await;
    let shown = preview(&server.admin(), &[]).await;
    assert_eq!(
        (&shown["objects"], &shown["examined"], &shown["complete"]),
        (&json!(3), &json!(0), &json!(false))
    );
}
