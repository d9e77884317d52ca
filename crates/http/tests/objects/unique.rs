//! Values that no two objects of a type may share (`docs/guide/src/unique-values.md`).

use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;
use stockroom_testkit::{Answer, Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, make_type, native, patch_type, path, restrict, value,
};
use crate::imports::{counts, problems, run, undo, upload};

const UNIQUE: &str = "unique";

fn unique(kind: &str, name: &str) -> Value {
    field_with(kind, name, &json!({ UNIQUE: true }))
}

/// A type whose serials are unique.
async fn laptops(admin: &Client) -> i64 {
    make_type(
        admin,
        "laptop",
        &[unique("text", "serial"), field("text", "note")],
    )
    .await
}

async fn try_insert(client: &Client, type_id: i64, values: &[(&str, Value)]) -> Answer {
    let body = inventory::object(type_id, values);
    client.post("/rest/objects", body).await
}

fn change(values: &[(&str, Value)]) -> Value {
    let item = |(name, value): &(&str, Value)| json!({"name": name, "value": value});
    let items: Vec<Value> = values.iter().map(item).collect();
    json!({ "fields": items })
}

async fn serial_of(client: &Client, id: i64) -> Value {
    value(&native(client, id).await, "serial").clone()
}

#[apply(both)]
async fn a_value_has_one_holder_at_a_time(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let x1 = [("serial", json!("X1"))];
    let first = insert(&admin, type_id, &x1).await;
    for refused in [try_insert(&admin, type_id, &x1).await, {
        let other = insert(&admin, type_id, &[("serial", json!("X2"))]).await;
        admin.patch(&path(other), change(&x1)).await
    }] {
        let refused = refused.expect(409);
        let detail = format!("the value \"X1\" of \"serial\" is taken by object {first}");
        assert_eq!(refused.detail(), detail);
        assert_eq!(refused.pointers(), ["fields.serial"]);
        assert_eq!(refused.member("holder"), first);
    }
    for free in [json!(null), json!("")] {
        for _ in 0..2 {
            let _ = insert(&admin, type_id, &[("serial", free.clone())]).await;
        }
    }
    // Its own value is no other one's.
    let _ = admin.patch(&path(first), change(&x1)).await.expect(200);
    let _ = admin.delete(&path(first)).await.expect(200);
    let second = insert(&admin, type_id, &x1).await;
    let restore = format!("/rest/objects/{first}/restore");
    let refused = admin
        .post(&restore, json!({"revision": 1}))
        .await
        .expect(409);
    assert_eq!(refused.member("holder"), second);
    let moved = change(&[("serial", json!("X3"))]);
    let _ = admin.patch(&path(second), moved).await.expect(200);
    let _ = admin
        .post(&restore, json!({"revision": 1}))
        .await
        .expect(200);
    // What an earlier state held is taken again.
    let back = json!({"revision": 1});
    let restore = format!("/rest/objects/{second}/restore");
    let _ = admin.post(&restore, back).await.expect(409);
}

#[apply(both)]
async fn kinds_and_folding_decide_which_values_are_the_same(server: TestServer) {
    let admin = server.admin();
    let fields = [
        unique("mac", "mac"),
        field_with("text", "tag", &json!({UNIQUE: true, "fold": true})),
        unique("number", "port"),
        unique("text", "exact"),
    ];
    let type_id = make_type(&admin, "host", &fields).await;
    let first = [
        ("mac", json!("00:1a:2b:3c:4d:5e")),
        ("tag", json!("Müller 7")),
        ("port", json!(1)),
        ("exact", json!("a")),
    ];
    let _ = insert(&admin, type_id, &first).await;
    for (name, same) in [
        ("mac", json!("001A.2B3C.4D5E")),
        ("tag", json!("  mu\u{308}ller ７")),
        ("port", json!("1")),
        ("port", json!(1.0)),
    ] {
        let refused = try_insert(&admin, type_id, &[(name, same)])
            .await
            .expect(409);
        assert_eq!(refused.pointers(), [format!("fields.{name}")]);
    }
    for other in [
        ("exact", json!("A")),
        ("port", json!(10)),
        ("tag", json!("muller 7")),
    ] {
        let _ = insert(&admin, type_id, &[other]).await;
    }
}

#[apply(both)]
async fn values_may_be_unique_among_active_objects(server: TestServer) {
    let admin = server.admin();
    let serial = field_with("text", "serial", &json!({UNIQUE: true, "where": "active"}));
    let type_id = make_type(&admin, "laptop", &[serial]).await;
    let x1 = [("serial", json!("X1"))];
    let first = insert(&admin, type_id, &x1).await;
    let state = format!("/rest/objects/{first}/state");
    let _ = admin.put(&state, json!(false)).await.expect(200);
    let _ = insert(&admin, type_id, &x1).await;
    let _ = admin.put(&state, json!(true)).await.expect(409);
    // In a job, the others are changed.
    let third = insert(&admin, type_id, &[("serial", json!("X3"))]).await;
    let _ = admin
        .put(&format!("/rest/objects/{third}/state"), json!(false))
        .await
        .expect(200);
    let filter = json!({"type_id": type_id});
    let body = json!({"filter": filter, "total": 3, "state": true});
    let started = admin.post("/rest/objects/jobs", body).await.expect(202);
    server.service().finish(ObjectJobs).await.unwrap();
    let job = format!("/rest/objects/jobs/{}", started.member("result")["id"]);
    let job = admin.get(&job).await.expect(200).member("result");
    assert_eq!([&job["changed"], &job["failed_total"]], [1, 1], "{job}");
    assert_eq!(native(&admin, third).await["active"], true);
}

#[apply(both)]
async fn several_fields_may_be_unique_together(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "site"), field("number", "vid")];
    let type_id = make_type(&admin, "vlan", &fields).await;
    let sets = json!({UNIQUE: [["site", "vid"]]});
    let changed = patch_type(&admin, type_id, sets).await.expect(202);
    assert_eq!(changed.member("result")[UNIQUE], json!([["site", "vid"]]));
    let vlan = |site: Value, vid: Value| [("site", site), ("vid", vid)];
    let berlin = vlan(json!("BER"), json!(7));
    let first = insert(&admin, type_id, &berlin).await;
    let refused = try_insert(&admin, type_id, &berlin).await.expect(409);
    let detail = format!("the values \"BER\", 7 of \"site\", \"vid\" are taken by object {first}");
    assert_eq!(refused.detail(), detail);
    for free in [
        vlan(json!("HAM"), json!(7)),
        vlan(json!("BER"), json!(8)),
        vlan(json!("BER"), json!(null)),
        vlan(json!("BER"), json!(null)),
    ] {
        let _ = insert(&admin, type_id, &free).await;
    }
    for (sets, pointer) in [
        (json!([["site", "nowhere"]]), "/unique/0"),
        (json!([[]]), "/unique/0"),
        (json!([["site", "site"]]), "/unique/0"),
        (json!(["site"]), "/unique/0"),
        (json!("site"), "/unique"),
    ] {
        let refused = patch_type(&admin, type_id, json!({UNIQUE: sets}))
            .await
            .expect(400);
        assert_eq!(refused.pointers(), [pointer], "{sets}");
    }
}

#[apply(both)]
async fn a_batch_is_checked_at_its_end(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let mut ids = Vec::new();
    for serial in ["X1", "X2"] {
        ids.push(insert(&admin, type_id, &[("serial", json!(serial))]).await);
    }
    let patch = |id: i64, serial: &str| {
        let body = change(&[("serial", json!(serial))]);
        json!({"method": "PATCH", "path": format!("/objects/{id}"), "body": body})
    };
    let swap = json!({"operations": [patch(ids[0], "X2"), patch(ids[1], "X1")]});
    for query in ["?dry_run=true", ""] {
        let _ = admin
            .post(&format!("/rest/batch{query}"), swap.clone())
            .await
            .expect(200);
    }
    assert_eq!(serial_of(&admin, ids[0]).await, "X2");
    let both = json!({"operations": [patch(ids[0], "X9"), patch(ids[1], "X9")]});
    for query in ["?dry_run=true", ""] {
        let refused = admin
            .post(&format!("/rest/batch{query}"), both.clone())
            .await;
        let refused = refused.expect(409);
        assert!(refused.detail().contains("X9"), "{refused}");
    }
    assert_eq!(serial_of(&admin, ids[0]).await, "X2");
    let alone = format!("{}?dry_run=true", path(ids[0]));
    let taken = change(&[("serial", json!("X1"))]);
    let _ = admin.patch(&alone, taken).await.expect(409);
}

#[apply(both)]
async fn rows_of_an_import_are_refused_one_by_one(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let held = insert(&admin, type_id, &[("serial", json!("X1"))]).await;
    let import = upload(
        &admin,
        "a.csv",
        "serial,note\nX1,a\nX2,b\nX2,c\n,d\n,e\nX3,f\n",
    )
    .await;
    for dry_run in [true, false] {
        let body = json!({"type_id": type_id, "dry_run": dry_run, "policy": "skip"});
        let done = run(&server, &admin, &import, body).await;
        assert_eq!(counts(&done), json!({"new": 4, "error": 2}), "{done}");
        let found = problems(&admin, &import).await;
        let (row, column, detail) = &found[0];
        assert_eq!((*row, column.as_str()), (2, "serial"), "{found:?}");
        assert_eq!(
            detail,
            &format!("the value \"X1\" of \"serial\" is taken by object {held}")
        );
        assert_eq!(found[1].0, 4, "{found:?}");
    }
    // Updates take turns: the second row frees what the third one takes.
    let file = "note,serial\nb,X4\nf,X2\n";
    let updated = upload(&admin, "b.csv", file).await;
    let body = json!({"type_id": type_id, "key": ["note"]});
    let done = run(&server, &admin, &updated, body).await;
    assert_eq!(counts(&done), json!({"update": 2}), "{done}");
    let undone = undo(&server, &admin, &updated).await;
    assert_eq!(undone["state"], "undone", "{undone}");
    assert_eq!(
        counts(&undone),
        json!({"update": 2, "undone": 2}),
        "{undone}"
    );
}

#[apply(both)]
async fn a_rule_begins_only_where_all_values_differ(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "laptop", &[field("text", "serial")]).await;
    let mut ids = Vec::new();
    for serial in ["X1", "X1", "X2", ""] {
        ids.push(insert(&admin, type_id, &[("serial", json!(serial))]).await);
    }
    let rule = json!({"fields": [unique("text", "serial")]});
    let refused = patch_type(&admin, type_id, rule.clone()).await.expect(400);
    assert_eq!(refused.pointers(), ["/fields/0/unique"]);
    let shared = format!("objects share values: \"X1\" in {}, {}", ids[0], ids[1]);
    assert!(refused.detail().contains(&shared), "{}", refused.detail());
    let _ = insert(&admin, type_id, &[("serial", json!("X1"))]).await;
    for id in [ids[1], ids[1] + 3] {
        let _ = admin.delete(&path(id)).await.expect(200);
    }
    let _ = patch_type(&admin, type_id, rule).await.expect(202);
    let _ = try_insert(&admin, type_id, &[("serial", json!("X2"))])
        .await
        .expect(409);
    // It holds under another name of the field, and ends with it.
    let mut renamed = unique("text", "sn");
    renamed["renamed_from"] = json!("serial");
    let _ = patch_type(&admin, type_id, json!({"fields": [renamed]}))
        .await
        .expect(202);
    let _ = try_insert(&admin, type_id, &[("sn", json!("X2"))])
        .await
        .expect(409);
    let ended = json!({"fields": [field("text", "sn")]});
    let _ = patch_type(&admin, type_id, ended).await.expect(202);
    let _ = insert(&admin, type_id, &[("sn", json!("X2"))]).await;
}

#[apply(both)]
async fn who_may_not_read_objects_learns_neither_value_nor_holder(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let _ = insert(&admin, type_id, &[("serial", json!("X1"))]).await;
    let writer = server.user_with(OBJECTS).await;
    restrict(&admin, type_id, writer.group_id, &["CREATE"]).await;
    let refused = try_insert(&writer.client, type_id, &[("serial", json!("X1"))]).await;
    let refused = refused.expect(409);
    assert_eq!(
        refused.detail(),
        "the value of \"serial\" is taken by another object"
    );
    assert!(refused.json().get("holder").is_none(), "{refused}");
}

#[apply(both)]
async fn of_many_at_once_one_gets_the_value(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    for round in 0..3 {
        let serial = [("serial", json!(format!("X{round}")))];
        let tries = (0..32).map(|_| try_insert(&admin, type_id, &serial));
        let answers = join_all(tries).await;
        let refused = answers.iter().filter(|answer| answer.status == 409).count();
        assert_eq!(refused, 31);
    }
}

#[apply(both)]
async fn members_without_effect_are_warned_about(server: TestServer) {
    let admin = server.admin();
    let fields = [
        unique("password", "secret"),
        field_with("text", "a", &json!({UNIQUE: "yes"})),
        field_with(
            "text",
            "b",
            &json!({UNIQUE: true, "where": "here", "fold": 1}),
        ),
    ];
    let body = json!({"name": "odd", "author_id": 1, "fields": fields});
    let made = admin.post("/rest/types", body).await.expect(200);
    let expected = [
        "/fields/0/unique",
        "/fields/1/unique",
        "/fields/2/fold",
        "/fields/2/where",
    ];
    assert_eq!(made.warnings(), expected);
}
