//! Views as records: insert, read, replace, patch, list, limits (`docs/guide/src/views.md`).

use serde_json::{Value, json};
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{Engine, Setup, TestServer, apply, both};

use crate::fixture::{check_conditions, check_envelope, check_patches, check_unknown, read, with};

pub(crate) const PATH: &str = "/rest/views";
const FIRST: &str = "/rest/views/1";
const TIME: &str = "2026-03-04T05:06:07.089012";

fn view() -> Value {
    json!({
        "name": "Debian", "description": "d", "type_id": 2, "visibility": "private", "is_default": false,
        "definition": {"columns": ["fields.hostname"], "filter": {"fields.system": "debian"}, "density": 1.5},
    })
}

#[apply(both)]
async fn a_view_needs_a_name_and_everything_else_has_a_default(server: TestServer) {
    let admin = server.admin();
    for body in [
        json!({"name": "Mine"}),
        json!({"name": "Mine", "public_id": null, "description": null, "type_id": null, "visibility": null, "group_id": null,
                   "is_default": null, "definition": null, "invented": 1, "owner_id": 7, "creation_time": "x", "last_edit_time": "y"}),
        json!({"name": "Mine", "visibility": "private", "group_id": 99}),
    ] {
        let raw = admin.post(PATH, body).await.expect(201).member("raw");
        let expected = json!({
            "public_id": raw["public_id"], "name": "Mine", "description": null, "type_id": null, "visibility": "private",
            "owner_id": 1, "group_id": null, "is_default": false, "definition": {}, "creation_time": TIME, "last_edit_time": null,
        });
        assert_eq!(raw, expected);
    }
    assert_eq!(
        admin.post(PATH, json!({})).await.expect(400).pointers(),
        ["/name"]
    );
}

#[apply(both)]
async fn all_problems_of_a_body_are_told_together(server: TestServer) {
    let body = json!({
        "public_id": 0, "name": "", "description": 1, "type_id": "x", "visibility": "public", "group_id": -1, "is_default": 1,
        "definition": {"filter": {"$nonsense": 1}},
    });
    let refused = server.admin().post(PATH, body).await.expect(400);
    let expected = [
        "/public_id",
        "/name",
        "/description",
        "/type_id",
        "/visibility",
        "/group_id",
        "/is_default",
    ];
    assert_eq!(refused.pointers(), expected);
    let body = json!({"name": "x", "visibility": "group", "group_id": 99, "type_id": 99});
    let refused = server.admin().post(PATH, body).await.expect(400);
    assert_eq!(refused.pointers(), ["/group_id", "/type_id"]);
}

#[apply(both)]
async fn a_filter_must_be_one_that_lists_accept(server: TestServer) {
    let admin = server.admin();
    for (filter, pointer) in [
        (json!([]), "/definition/filter"),
        (json!("{}"), "/definition/filter"),
        (json!({"a": {"$none": 1}}), "/definition/filter/a/$none"),
        (json!({"a": {"$regex": "("}}), "/definition/filter/a/$regex"),
    ] {
        let body = json!({"name": "x", "definition": {"filter": filter}});
        let refused = admin.post(PATH, body).await.expect(400);
        assert_eq!(refused.pointers(), [pointer], "{refused}");
    }
    for filter in [
        json!(null),
        json!({}),
        json!({"fields.gone": {"$regex": "^a", "$options": "i"}}),
    ] {
        let body = json!({"name": "x", "definition": {"filter": filter}});
        let raw = admin
            .post(PATH, body.clone())
            .await
            .expect(201)
            .member("raw");
        assert_eq!(raw["definition"], body["definition"]);
    }
}

#[apply(both)]
async fn an_insert_answers_its_envelope_and_leads_to_the_view(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    let answer = admin.post(PATH, view()).await.expect(201);
    check_envelope(&answer, &["result_id", "raw"], "INSERT", "View", TIME);
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/views/1"
    );
    let raw = answer.member("raw");
    assert_eq!(raw, with(&raw, &view()));
    let single = admin.get(FIRST).await.expect(200);
    check_envelope(&single, &["result"], "GET", "View", TIME);
    assert_eq!(single.member("result"), raw);
    let list = admin.get(PATH).await.expect(200);
    assert_eq!(
        (list.member("results"), list.member("total")),
        (json!([raw]), json!(1))
    );
    let removed = admin.delete(FIRST).await.expect(202);
    check_envelope(&removed, &["deleted_entry"], "DELETE", "View", TIME);
    assert_eq!(removed.member("deleted_entry"), raw);
    check_unknown(&admin, PATH, &view()).await;
}

#[apply(both)]
async fn a_put_replaces_the_view_and_a_patch_merges(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    insert(&admin, PATH, view()).await;
    let replaced = admin.put(FIRST, json!({"name": "Bare"})).await.expect(202);
    check_envelope(&replaced, &["result"], "UPDATE", "View", TIME);
    let record = replaced.member("result");
    let expected = json!({"name": "Bare", "description": null, "type_id": null, "definition": {}, "owner_id": 1, "last_edit_time": TIME});
    assert_eq!(record, with(&record, &expected));
    for (more, pointer) in [
        (json!({"public_id": 2}), "/public_id"),
        (json!({"name": null}), "/name"),
    ] {
        let refused = admin.put(FIRST, with(&view(), &more)).await.expect(400);
        assert_eq!(refused.pointers(), [pointer]);
    }
    let _ = admin.put(FIRST, view()).await.expect(202);
    check_patches(
        &admin,
        FIRST,
        &[
            (json!({"name": "Alpine"}), json!({"name": "Alpine"})),
            (json!({"description": null}), json!({"description": null})),
            (json!({"type_id": null}), json!({"type_id": null})),
            (json!({"visibility": "all"}), json!({"visibility": "all"})),
            (
                json!({"visibility": "group"}),
                json!({"visibility": "group", "group_id": 1}),
            ),
            (
                json!({"visibility": "group", "group_id": 2}),
                json!({"visibility": "group", "group_id": 2}),
            ),
            (json!({"is_default": true}), json!({"is_default": true})),
            (
                json!({"definition": {"filter": null, "density": 2}}),
                json!({"definition": {"columns": ["fields.hostname"], "density": 2}}),
            ),
            (json!({"definition": null}), json!({"definition": {}})),
        ],
    )
    .await;
}

#[apply(both)]
async fn a_view_has_entity_tags(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "Mine"})).await;
    check_conditions(&admin, FIRST, &json!({"name": "Ours"})).await;
}

#[apply(both)]
async fn a_write_that_changes_nothing_writes_nothing(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "Mine"})).await;
    let stored = read(&admin, FIRST).await;
    let answer = admin.put(FIRST, stored.clone()).await.expect(202);
    assert_eq!(
        (answer.header("etag"), answer.member("result")),
        ("\"1\"", stored)
    );
}

#[apply(both)]
async fn views_are_filtered_sorted_and_paged(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    for (name, type_id) in [("c", json!(1)), ("a", json!(2)), ("b", json!(null))] {
        insert(&admin, PATH, json!({"name": name, "type_id": type_id})).await;
    }
    let names = async |query: Value| {
        let answer = admin.post("/rest/views/query", query).await.expect(200);
        let results = answer.member("results");
        let names: Vec<String> = results
            .as_array()
            .unwrap()
            .iter()
            .map(|view| view["name"].as_str().unwrap().to_owned())
            .collect();
        (names.concat(), answer.member("total"))
    };
    assert_eq!(
        names(json!({"sort": "name"})).await,
        ("abc".to_owned(), json!(3))
    );
    assert_eq!(
        names(json!({"filter": {"type_id": {"$in": [2, null]}}})).await,
        ("ab".to_owned(), json!(2))
    );
    assert_eq!(
        names(json!({"sort": "name", "order": -1, "limit": 1, "page": 2})).await,
        ("b".to_owned(), json!(3))
    );
    let recent = json!({"filter": {"creation_time": {"$gte": "2026-03-04"}}});
    assert_eq!(names(recent).await.1, 3);
}

#[apply(both)]
async fn only_one_view_opens_first_for_a_type_and_the_same_people(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    let default = |name: &str, visibility: &str, type_id: Value| json!({"name": name, "visibility": visibility, "type_id": type_id, "is_default": true});
    for visibility in ["private", "group", "all"] {
        for type_id in [json!(null), json!(1), json!(2)] {
            insert(&admin, PATH, default("first", visibility, type_id.clone())).await;
            let refused = admin
                .post(PATH, default("second", visibility, type_id))
                .await
                .expect(400);
            assert_eq!(refused.pointers(), ["/is_default"]);
        }
    }
    let other_group = with(&default("x", "group", json!(1)), &json!({"group_id": 2}));
    insert(&admin, PATH, other_group.clone()).await;
    let refused = admin.post(PATH, other_group).await.expect(400);
    assert!(
        refused.detail().contains("another view is the default"),
        "{refused}"
    );
    let next = insert(&admin, PATH, json!({"name": "next"})).await;
    let path = format!("{PATH}/{next}");
    let refused = admin
        .patch(&path, json!({"is_default": true}))
        .await
        .expect(400);
    assert!(
        refused.detail().contains("the view 1 is the default"),
        "{refused}"
    );
    let swap = json!({"operations": [
        {"method": "PATCH", "path": "/views/1", "body": {"is_default": false}},
        {"method": "PATCH", "path": format!("/views/{next}"), "body": {"is_default": true}},
    ]});
    let _ = admin.post("/rest/batch", swap).await.expect(200);
    assert_eq!(read(&admin, FIRST).await["is_default"], false);
    assert_eq!(read(&admin, &path).await["is_default"], true);
}

#[apply(both)]
async fn a_dry_run_and_an_idempotency_key_work_as_elsewhere(server: TestServer) {
    let admin = server.admin();
    let tried = admin
        .post("/rest/views?dry_run=true", json!({"name": "Mine"}))
        .await
        .expect(201);
    let expected = json!([{"resource": "view", "public_id": 1, "action": "insert"}]);
    assert_eq!(tried.member("effects")["changes"], expected);
    assert_eq!(admin.get(PATH).await.expect(200).member("total"), 0);
    let keyed = admin.clone().with_header("idempotency-key", "k");
    let first = keyed.post(PATH, json!({"name": "Mine"})).await.expect(201);
    let again = keyed.post(PATH, json!({"name": "Mine"})).await.expect(201);
    assert_eq!(first.json(), again.json());
    assert_eq!(admin.get(PATH).await.expect(200).member("total"), 1);
}

#[apply(both)]
async fn views_of_a_user_are_few_and_small(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.views = 2;
    setup.config.records.view_bytes = 800;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let view = |text: &str| json!({"name": "x", "definition": {"text": text}});
    insert(&admin, PATH, view("")).await;
    let refused = admin.post(PATH, view(&"x".repeat(700))).await.expect(400);
    assert!(refused.detail().contains("the limit is 800"), "{refused}");
    insert(&admin, PATH, view("")).await;
    let refused = admin.post(PATH, view("")).await.expect(400);
    assert!(refused.detail().contains("the limit is 2"), "{refused}");
    let refused = admin.put(FIRST, view(&"x".repeat(700))).await.expect(400);
    assert_eq!(refused.pointers(), ["/definition"], "{refused}");
    // Others have limits of their own.
    let other = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    insert(&other, PATH, view("")).await;
    let _ = admin.delete(FIRST).await.expect(202);
    insert(&admin, PATH, view("")).await;
}
