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
    let shared = format!(
        "objects share values: \"X1\" in objects {}, {}",
        ids[0], ids[1]
    );
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

#[apply(both)]
async fn a_batch_may_end_a_rule_after_a_write(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let x1 = [("serial", json!("X1"))];
    let insert_one =
        json!({"method": "POST", "path": "/objects", "body": inventory::object(type_id, &x1)});
    let plain = json!({"fields": [field("text", "serial"), field("text", "note")]});
    let end = json!({"method": "PATCH", "path": format!("/types/{type_id}"), "body": plain});
    let batch = json!({"operations": [insert_one, end]});
    let _ = admin.post("/rest/batch", batch).await.expect(200);
    // Another rule does not inherit what the first one knew.
    let other = make_type(&admin, "tablet", &[unique("text", "serial")]).await;
    let _ = insert(&admin, other, &x1).await;
}

#[apply(both)]
async fn a_rule_that_stands_twice_is_one(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "laptop", &[field("text", "serial")]).await;
    for serial in ["X1", "X2"] {
        let _ = insert(&admin, type_id, &[("serial", json!(serial))]).await;
    }
    let twice = json!({"fields": [unique("text", "serial")], UNIQUE: [["serial"], ["serial"]]});
    let _ = patch_type(&admin, type_id, twice).await.expect(202);
    let _ = try_insert(&admin, type_id, &[("serial", json!("X1"))])
        .await
        .expect(409);
    let once = json!({"fields": [field("text", "serial")]});
    let _ = patch_type(&admin, type_id, once).await.expect(202);
    let _ = try_insert(&admin, type_id, &[("serial", json!("X1"))])
        .await
        .expect(409);
    let _ = patch_type(&admin, type_id, json!({UNIQUE: []}))
        .await
        .expect(202);
    let _ = insert(&admin, type_id, &[("serial", json!("X1"))]).await;
}

#[apply(both)]
async fn references_and_dates_are_the_same_in_all_their_forms(server: TestServer) {
    let admin = server.admin();
    let fields = [unique("ref", "rack"), unique("date", "day")];
    let type_id = make_type(&admin, "slot", &fields).await;
    let first = insert(&admin, type_id, &[("day", json!("2026-03-04"))]).await;
    let _ = insert(&admin, type_id, &[("rack", json!(first))]).await;
    for same in [
        ("rack", json!(first.to_string())),
        ("day", json!({"$date": 1_772_582_400_000_i64})),
    ] {
        let _ = try_insert(&admin, type_id, std::slice::from_ref(&same))
            .await
            .expect(409);
    }
}

#[apply(both)]
async fn sets_follow_their_fields(server: TestServer) {
    let admin = server.admin();
    let fields = [field("text", "site"), field("number", "vid")];
    let type_id = make_type(&admin, "vlan", &fields).await;
    let read = async || {
        let answer = admin.get(&format!("/rest/types/{type_id}")).await;
        let stored = answer.expect(200).member("result");
        stored.get(UNIQUE).cloned()
    };
    let sets = json!({UNIQUE: [["site", "vid"]]});
    let _ = patch_type(&admin, type_id, sets).await.expect(202);
    let place = field_with("text", "place", &json!({"renamed_from": "site"}));
    let renamed = json!({"fields": [place, field("number", "vid")]});
    let _ = patch_type(&admin, type_id, renamed).await.expect(202);
    assert_eq!(read().await, Some(json!([["place", "vid"]])));
    // An earlier state without sets has none.
    let restore = format!("/rest/types/{type_id}/restore");
    let body = json!({"revision": 1, "force": true});
    let _ = admin.post(&restore, body).await.expect(202);
    assert_eq!(read().await, None);
    let sets = json!({UNIQUE: [["site", "vid"]]});
    let _ = patch_type(&admin, type_id, sets).await.expect(202);
    let without = json!({"fields": [field("text", "site")]});
    let changed = patch_type(&admin, type_id, without).await.expect(202);
    assert!(
        changed.warnings().contains(&"/unique/0".to_owned()),
        "{changed}"
    );
    assert_eq!(read().await, None);
}

#[apply(both)]
async fn a_preview_tells_which_objects_share_values(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "laptop", &[field("text", "serial")]).await;
    let mut ids = Vec::new();
    for serial in ["X2", "X1", "X1"] {
        ids.push(insert(&admin, type_id, &[("serial", json!(serial))]).await);
    }
    let stored = admin
        .get(&format!("/rest/types/{type_id}"))
        .await
        .expect(200);
    let mut body = stored.member("result");
    body["fields"] = json!([unique("text", "serial")]);
    let preview = format!("/rest/types/{type_id}/preview");
    let told = admin.post(&preview, body.clone()).await.expect(200);
    let refused = told.member("result")["refused"].clone();
    assert_eq!(refused[0]["reason"], "unique", "{told}");
    assert_eq!(refused[0]["count"], 2);
    let named: Vec<&Value> = refused[0]["objects"].as_array().unwrap().iter().collect();
    assert_eq!(
        [&named[0]["public_id"], &named[1]["public_id"]],
        [ids[1], ids[2]]
    );
    // It has changed nothing.
    let _ = insert(&admin, type_id, &[("serial", json!("X1"))]).await;
    let _ = admin.delete(&path(ids[1])).await.expect(200);
    let _ = admin.delete(&path(ids[2])).await.expect(200);
    let told = admin.post(&preview, body).await.expect(200);
    assert_eq!(told.member("result")["refused"], json!([]), "{told}");
}

#[apply(both)]
async fn a_row_may_take_what_an_earlier_row_has_freed(server: TestServer) {
    let admin = server.admin();
    let type_id = laptops(&admin).await;
    let old = [("serial", json!("A")), ("note", json!("one"))];
    let _ = insert(&admin, type_id, &old).await;
    let file = "note,serial\none,X\ntwo,A\nthree,A\n";
    let import = upload(&admin, "a.csv", file).await;
    let body = json!({"type_id": type_id, "key": ["note"], "policy": "skip"});
    let done = run(&server, &admin, &import, body).await;
    let expected = json!({"update": 1, "new": 1, "error": 1});
    assert_eq!(counts(&done), expected, "{done}");
    let found = problems(&admin, &import).await;
    assert!(
        found[0]
            .2
            .ends_with("given to another object in the same change"),
        "{found:?}"
    );
}

#[apply(both)]
async fn cleaning_gives_no_two_objects_one_value(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "laptop", &[field("text", "name")]).await;
    let mut ids = Vec::new();
    for name in ["a", "b"] {
        ids.push(insert(&admin, type_id, &[("name", json!(name))]).await);
    }
    let serial = field_with("text", "serial", &json!({UNIQUE: true, "value": "none"}));
    let change = json!({"fields": [field("text", "name"), serial]});
    let _ = patch_type(&admin, type_id, change).await.expect(202);
    let clean = format!("/rest/objects/clean/{type_id}");
    let cleaned = admin.put(&clean, json!({})).await;
    assert!(cleaned.status < 300, "{cleaned}");
    assert_eq!(serial_of(&admin, ids[1]).await, Value::Null);
}
