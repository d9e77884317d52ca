use serde_json::{Value, json};
use stockroom_http::HttpConfig;
use stockroom_testkit::inventory::{object, small};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both};

use crate::fixture::{change, everything};

const PATH: &str = "/rest/batch";

fn post(path: &str, body: Value) -> Value {
    let mut operation = json!({"method": "POST", "path": path});
    operation["body"] = body;
    operation
}

fn delete(path: &str) -> Value {
    json!({"method": "DELETE", "path": path})
}

async fn batch(client: &Client, operations: &[Value]) -> Answer {
    client.post(PATH, json!({"operations": operations})).await
}

/// A type, an object of it, an object that references that, and a category of the type.
fn rack() -> Vec<Value> {
    let field = |kind: &str, name: &str| json!({"type": kind, "name": name, "label": name});
    let fields = [field("text", "tag"), field("ref", "next")];
    let object = |next: Value| {
        let fields = json!([{"name": "tag", "value": "a"}, {"name": "next", "value": next}]);
        json!({"type_id": {"$result": 0}, "author_id": 1, "fields": fields})
    };
    vec![
        post(
            "/types/",
            json!({"name": "rack", "author_id": 1, "fields": fields}),
        ),
        post("/objects", object(Value::Null)),
        post("/objects/", object(json!({"$result": 1}))),
        post(
            "/categories",
            json!({"name": "racks", "types": [{"$result": 0}]}),
        ),
        json!({"method": "PATCH", "path": "/objects/{$result:1}/", "body": {"version": "2.0.0"}}),
    ]
}

#[apply(both)]
async fn operations_build_on_each_other(server: TestServer) {
    let admin = server.admin();
    let answer = batch(&admin, &rack()).await.expect(200);
    let results = answer.member("results");
    let id = |index: usize| results[index]["body"]["result_id"].clone();
    assert_eq!(results[4]["etag"], "\"2\"", "{answer}");
    assert_eq!(results[4]["status"], 200, "{answer}");
    let object = admin
        .get(&format!("/rest/objects/{}/native", id(1)))
        .await
        .expect(200);
    assert_eq!(
        (&object.json()["type_id"], &object.json()["version"]),
        (&id(0), &json!("2.0.0"))
    );
    let referrers = admin
        .get(&format!("/rest/objects/{}/references", id(1)))
        .await;
    assert_eq!(referrers.ids(), [id(2).as_i64().unwrap()]);
    let found = admin
        .query("/rest/objects", &[("filter", r#"{"fields.tag": "a"}"#)])
        .await;
    assert_eq!(found.member("total"), 2, "the index has them");
    let category = admin
        .get(&format!("/rest/categories/{}", id(3)))
        .await
        .expect(200);
    assert_eq!(category.member("result")["types"], json!([id(0)]));
    let count = admin
        .get(&format!("/rest/objects?filter={{%22type_id%22:{}}}", id(0)))
        .await;
    assert_eq!(count.member("total"), 2);
}

#[apply(both)]
async fn a_failure_undoes_everything_and_is_named(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let before = everything(&admin).await;
    let bad = post(
        "/objects",
        json!({"type_id": small.site_type, "author_id": 1, "fields": [
            {"name": "name", "value": null},
        ]}),
    );
    let mut stale = delete(&format!("/objects/{}", small.vienna));
    stale["if_match"] = json!("7");
    for (last, status, pointers) in [
        (bad, 400, vec!["/operations/5/body/fields/0/value"]),
        (stale, 412, vec![]),
        (delete("/objects/99"), 404, vec![]),
        (
            delete(&format!("/objects/{}?references=never", small.vienna)),
            400,
            vec!["/operations/5/path"],
        ),
    ] {
        let operations = [rack(), vec![last]].concat();
        let answer = batch(&admin, &operations).await.expect(status);
        assert_eq!(answer.problem()["operation"], 5, "{answer}");
        assert!(answer.detail().contains("operation 5"), "{answer}");
        if status == 400 {
            assert_eq!(answer.pointers(), pointers);
        }
        assert_eq!(everything(&admin).await, before, "{answer}");
    }
    let answer = batch(&admin, &rack()).await.expect(200);
    let id = &answer.member("results")[0]["body"]["result_id"];
    assert_eq!(id, small.server_type + 1, "no id was used up");
}

#[apply(both)]
async fn each_operation_needs_its_own_right(server: TestServer) {
    let small = small(&server.admin()).await;
    let person = server.user_with(&["base.framework.object.*"]).await;
    let site = post(
        "/objects",
        object(small.site_type, &[("name", json!("Graz"))]),
    );
    let category = post("/categories", json!({"name": "racks"}));
    let refused = batch(&person.client, &[site.clone(), category])
        .await
        .expect(403);
    assert!(
        refused.detail().contains("base.framework.category.add"),
        "{refused}"
    );
    assert_eq!(refused.problem()["operation"], 1, "{refused}");
    let _ = batch(&person.client, std::slice::from_ref(&site))
        .await
        .expect(200);
    let _ = batch(&server.anonymous(), &[site]).await.expect(401);
}

#[apply(both)]
async fn a_right_that_goes_within_a_batch_is_gone(server: TestServer) {
    let person = server.user_with(&["base.*"]).await;
    let rights = json!({"rights": ["base.user-management.*"]});
    let path = format!("/groups/{}", person.group_id);
    let lose = json!({"method": "PATCH", "path": path, "body": rights});
    let category = post("/categories", json!({"name": "racks"}));
    let refused = batch(&person.client, &[lose, category]).await.expect(403);
    assert_eq!(refused.problem()["operation"], 1, "{refused}");
    let read = server
        .admin()
        .get(&format!("/rest{path}"))
        .await
        .expect(200);
    assert_eq!(read.header("etag"), "\"1\"");
}

#[apply(both)]
async fn malformed_batches_are_refused_with_all_problems(server: TestServer) {
    let admin = server.admin();
    let site = |body: Value| post("/categories", body);
    let later = site(json!({"name": "a", "parent": {"$result": 1}}));
    for (operation, pointer) in [
        (json!(1), "/operations/0"),
        (
            json!({"method": "GET", "path": "/objects"}),
            "/operations/0/method",
        ),
        (delete("objects/1"), "/operations/0/path"),
        (delete("/auth/sessions"), "/operations/0/path"),
        (
            post("/users/1/../../auth/login", json!({})),
            "/operations/0/path",
        ),
        (post("/a b", json!({})), "/operations/0/path"),
        (post("/batch", json!({})), "/operations/0/path"),
        (post("/objects/query", json!({})), "/operations/0/path"),
        (delete("/objects/1?dry_run=true"), "/operations/0/path"),
        (delete("/objects/{$result:0}"), "/operations/0/path"),
        (delete("/objects/{$result:x"), "/operations/0/path"),
        (later, "/operations/0/body/parent"),
        (
            json!({"method": "DELETE", "path": "/objects/1", "if_match": []}),
            "/operations/0/if_match",
        ),
    ] {
        let answer = batch(&admin, &[operation]).await.expect(400);
        assert!(answer.pointers().contains(&pointer.to_owned()), "{answer}");
    }
    let id_less = [delete("/objects/1"), site(json!({"name": {"$result": 0}}))];
    assert_eq!(
        batch(&admin, &id_less).await.pointers(),
        ["/operations/1/body/name"]
    );
    for body in [
        json!([]),
        json!({}),
        json!({"operations": []}),
        json!({"operations": 1}),
    ] {
        let _ = admin.post(PATH, body).await.expect(400);
    }
    let many = vec![site(json!({"name": "a"})); 1_001];
    assert_eq!(batch(&admin, &many).await.pointers(), ["/operations"]);
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let doubtful = site(json!({"name": "a", "types": [99]}));
    let _ = batch(&admin, std::slice::from_ref(&doubtful))
        .await
        .expect(200);
    let _ = batch(&strict, &[doubtful]).await.expect(400);
}

#[apply(both)]
async fn a_batch_may_be_tried(server: TestServer) {
    let admin = server.admin();
    let before = everything(&admin).await;
    let body = json!({"operations": rack()});
    let dry = admin
        .post("/rest/batch?dry_run=true", body.clone())
        .await
        .expect(200);
    assert_eq!(dry.header("x-dry-run"), "true");
    let effects = dry.member("effects");
    assert_eq!(effects["total"], 5, "{dry}");
    assert_eq!(effects["changes"][0], change("type", 1, "insert"), "{dry}");
    assert_eq!(everything(&admin).await, before);
    let done = admin.post(PATH, body).await.expect(200);
    assert_eq!(done.member("results"), dry.member("results"));
}

#[apply(both)]
async fn an_operation_warns_like_the_same_write_alone(server: TestServer) {
    let admin = server.admin();
    let fields = json!([{"type": "text", "name": "tag", "label": "Tag"}]);
    let value = json!([{"name": "tag", "value": "a"}]);
    let definition = |name: &str| json!({"name": name, "author_id": 1, "fields": fields});
    let object = |id: Value| json!({"type_id": id, "author_id": 1, "fields": value});
    let change = json!({"fields": []});

    let alone = admin
        .post("/rest/types", definition("alone"))
        .await
        .expect(200);
    let id = alone.member("result_id");
    let _ = admin
        .post("/rest/objects", object(id.clone()))
        .await
        .expect(200);
    let path = format!("/rest/types/{id}");
    let alone = admin
        .patch(&path, change.clone())
        .await
        .expect(202)
        .member("warnings");

    let operations = [
        post("/types", definition("together")),
        post("/objects", object(json!({"$result": 0}))),
        json!({"method": "PATCH", "path": "/types/{$result:0}", "body": change}),
    ];
    let together = batch(&admin, &operations)
        .await
        .expect(200)
        .member("results");
    // Each names its own type.
    let together = together[2]["body"]["warnings"]
        .to_string()
        .replace("clean/2", "clean/1");
    assert_eq!(together, alone.to_string());
}

#[apply(both)]
async fn users_are_made_and_log_in(server: TestServer) {
    let admin = server.admin();
    let user = |name: &str| json!({"user_name": name, "password": "difference engine", "group_id": {"$result": 0}});
    let operations = [
        post("/groups", json!({"name": "staff", "rights": []})),
        post("/users", user("ada")),
        post("/users", user("charles")),
        json!({"method": "PATCH", "path": "/users/{$result:1}/password", "body": {"password": "analytical engine"}}),
        post(
            "/users/{$result:2}/settings",
            json!({"identifier": "a b", "setting_type": "GLOBAL", "payload": {}}),
        ),
        json!({"method": "DELETE", "path": "/users/{$result:2}/settings/a%20b"}),
    ];
    let _ = batch(&admin, &operations).await.expect(200);
    let _ = server.login("ada", "analytical engine").await;
    let _ = server.login("charles", "difference engine").await;
}

#[apply(both)]
async fn the_number_of_operations_may_be_configured(engine: Engine) {
    let http = HttpConfig {
        batch_operations: 1,
        base_path: "/cmdb".to_owned(),
        ..HttpConfig::default()
    };
    let server = Setup {
        http,
        ..Setup::default()
    }
    .start(engine)
    .await;
    let operation = post("/categories", json!({"name": "racks"}));
    for (count, status) in [(1, 200), (2, 400)] {
        let body = json!({"operations": vec![operation.clone(); count]});
        let _ = server
            .admin()
            .post("/cmdb/rest/batch/", body)
            .await
            .expect(status);
    }
}

/// The operations of the OpenAPI document with methods that may write: their method, a path below
/// `/rest`, and how their writes may be run.
fn writing_operations() -> Vec<(String, String, Option<String>)> {
    let document = stockroom_http::document();
    let mut found = Vec::new();
    for (template, operations) in document["paths"].as_object().unwrap() {
        let segments = template
            .strip_prefix("/rest")
            .unwrap_or(template)
            .split('/');
        let path: Vec<&str> = segments
            .map(|part| if part.starts_with('{') { "1" } else { part })
            .collect();
        for (method, operation) in operations.as_object().unwrap() {
            if !matches!(method.as_str(), "get" | "head") {
                let kind = operation["x-write"].as_str().map(str::to_owned);
                found.push((method.to_uppercase(), path.join("/"), kind));
            }
        }
    }
    found
}

#[apply(both)]
async fn a_batch_ends_after_enough_work_for_its_checks(server: TestServer) {
    let admin = server.admin();
    let definition = |filter: Value| json!({"definition": {"filter": filter}});
    let mut view = json!({"name": "all", "visibility": "private"});
    view["definition"] = json!({});
    let view = admin
        .post("/rest/views", view)
        .await
        .expect(201)
        .member("result_id");
    let operations: Vec<Value> = (0..1_000)
        .map(|index| {
            let pattern = |other| format!("(?i)(?:abc{index}|d{other}df){{1,150}}");
            let filters = (0..16).map(|other| json!({"fields.tag": {"$regex": pattern(other)}}));
            let body = definition(json!({"$or": filters.collect::<Value>()}));
            json!({"method": "PATCH", "path": format!("/views/{view}"), "body": body})
        })
        .collect();
    let path = format!("{PATH}?dry_run=true");
    let few = json!({"operations": operations[..1]});
    let _ = admin.post(&path, few).await.expect(200);
    let all = json!({"operations": operations});
    let refused = admin.post(&path, all).await.expect(413);
    assert!(
        refused.detail().contains("check their regular expressions"),
        "{refused}"
    );
    let read = admin.get(&format!("/rest/views/{view}")).await.expect(200);
    assert_eq!(read.header("etag"), "\"1\"");
}

#[apply(both)]
async fn only_writes_of_records_may_be_operations(server: TestServer) {
    let admin = server.admin();
    let mut counts = [0, 0];
    for (method, path, kind) in writing_operations() {
        let is_operation = kind.as_deref() == Some("operation");
        // Even an allowed path is refused here, for another reason.
        let operation = json!({"method": method, "path": path, "body": 1, "if_match": []});
        let refused = batch(&admin, &[operation]).await.expect(400);
        let is_refused = refused
            .pointers()
            .contains(&"/operations/0/path".to_owned());
        assert_eq!(is_refused, !is_operation, "{method} {path}: {refused}");
        counts[usize::from(is_operation)] += 1;
    }
    assert!(counts[0] > 20 && counts[1] > 40, "{counts:?}");
}

#[test]
fn every_operation_that_may_write_is_known() {
    let others: Vec<String> = writing_operations()
        .into_iter()
        .filter(|(_, path, kind)| kind.as_deref() != Some("operation") && !path.ends_with("/query"))
        .map(|(method, path, kind)| format!("{method} {path} {}", kind.unwrap_or_default()))
        .collect();
    assert_eq!(
        others,
        [
            "POST /auth/login ",
            "POST /auth/logout ",
            "POST /auth/refresh ",
            "DELETE /auth/sessions ",
            "DELETE /auth/sessions/1 ",
            "POST /objects/aggregate ",
            "POST /types/1/preview ",
            "POST /tokens secret",
            "POST /imports ",
            "POST /batch alone",
            "POST /backups ",
        ]
    );
}

#[apply(both)]
async fn texts_of_users_are_no_part_of_a_path(server: TestServer) {
    let person = server.user_with(&[]).await;
    let settings = format!("/users/{}/settings", person.id);
    let setting = |identifier: &str| {
        post(
            &settings,
            json!({"identifier": identifier, "setting_type": "GLOBAL", "payload": {}}),
        )
    };
    let login = json!({"user_name": "admin", "password": "wrong"});
    let token = json!({"name": "a"});
    for (operations, pointer) in [
        (
            vec![
                setting("auth"),
                setting("login"),
                post("/{$result:0}/{$result:1}", login),
            ],
            "/operations/2/path",
        ),
        (
            vec![setting("tokens"), post("/{$result:0}", token)],
            "/operations/1/path",
        ),
    ] {
        let keyed = person.client.clone().with_header("idempotency-key", "a");
        let refused = batch(&keyed, &operations).await.expect(400);
        assert_eq!(refused.pointers(), [pointer], "{refused}");
    }
    let delete = json!({"method": "DELETE", "path": format!("{settings}/{{$result:0}}")});
    let refused = batch(&person.client, &[setting("1"), delete])
        .await
        .expect(400);
    assert!(refused.detail().contains("gave no id"), "{refused}");
    let path = format!("/rest{settings}");
    assert_eq!(
        person.client.get(&path).await.expect(200).member("results"),
        json!([])
    );
}

#[apply(both)]
async fn a_batch_may_undo_a_request(server: TestServer) {
    let admin = server.admin();
    let first = admin.clone().with_header("x-request-id", "first");
    let made = first
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    let operations = [
        post("/categories", json!({"name": "rows"})),
        post("/history/requests/first/revert", json!({})),
    ];
    let answer = batch(&admin, &operations).await.expect(200);
    let reverted = &answer.member("results")[1]["body"]["reverted"];
    assert_eq!(
        reverted[0]["public_id"],
        made.member("result_id"),
        "{answer}"
    );
    let left = admin
        .get("/rest/categories")
        .await
        .expect(200)
        .member("results");
    assert_eq!(
        (left.as_array().unwrap().len(), &left[0]["name"]),
        (1, &json!("rows"))
    );

    let later = [
        json!({"method": "PATCH", "path": format!("/categories/{}", left[0]["public_id"]), "body": {"name": "aisles"}}),
        post("/history/requests/nothing/revert", json!({})),
    ];
    let refused = batch(&admin, &later).await.expect(404);
    assert_eq!(refused.problem()["operation"], 1, "{refused}");
    let left = admin
        .get("/rest/categories")
        .await
        .expect(200)
        .member("results");
    assert_eq!(left[0]["name"], "rows", "nothing was changed");
}
