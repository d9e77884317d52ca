//! Groups as records: insert, read, replace, patch, list.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use crate::fixture::{check_conditions, check_envelope, check_patches, check_unknown, read, with};

const PATH: &str = "/rest/groups";
const DESK: &str = "/rest/groups/3";
const TIME: &str = "2026-03-04 05:06:07.089012";

fn desk() -> Value {
    json!({"name": "desk", "label": "Help desk", "rights": ["base.system.view", "base.user-management.*"]})
}

fn names(group: &Value) -> Vec<String> {
    let rights = group["rights"].as_array().unwrap();
    rights
        .iter()
        .map(|right| right["name"].as_str().unwrap().to_owned())
        .collect()
}

#[apply(both)]
async fn two_groups_are_there_from_the_start(server: TestServer) {
    let list = server.admin().get("/rest/groups/").await.expect(200);
    let keys = [
        "results",
        "count",
        "total",
        "parameters",
        "pager",
        "pagination",
        "response_type",
        "model",
        "time",
    ];
    assert_eq!(list.keys(), keys);
    assert_eq!(
        (
            list.member("model"),
            list.member("time"),
            list.header("x-total-count")
        ),
        (json!("Group"), json!(TIME), "2")
    );
    let everything = json!({"level": 0, "name": "base.*", "label": "base.*", "description": "Base application right", "is_master": true});
    let groups = list.member("results");
    assert_eq!(
        groups[0],
        json!({"public_id": 1, "name": "admin", "label": "Administrator", "rights": [everything]})
    );
    assert_eq!(
        (&groups[1]["name"], &groups[1]["label"]),
        (&json!("user"), &json!("User"))
    );
    let expected = [
        "base.framework.object.*",
        "base.framework.type.view",
        "base.framework.category.view",
        "base.framework.log.view",
        "base.user-management.user.view",
        "base.user-management.group.view",
        "base.docapi.template.view",
    ];
    assert_eq!(names(&groups[1]), expected);
    let _ = server.admin().head(PATH).await.expect(200);
}

#[apply(both)]
async fn a_group_needs_a_name_and_everything_else_has_a_default(server: TestServer) {
    let admin = server.admin();
    for body in [
        json!({"name": "help desk"}),
        json!({"name": "help desk", "public_id": null, "label": null, "rights": null, "invented": 1}),
    ] {
        let raw = admin.post(PATH, body).await.expect(201).member("raw");
        let id = raw["public_id"].clone();
        assert_eq!(
            raw,
            json!({"public_id": id, "name": "help desk", "label": "Help Desk", "rights": []})
        );
        let _ = admin.delete(&format!("{PATH}/{id}")).await.expect(202);
    }
    assert_eq!(admin.post(PATH, json!({})).await.pointers(), ["/name"]);
    let raw = admin
        .post(PATH, json!({"name": "x", "label": ""}))
        .await
        .expect(201)
        .member("raw");
    assert_eq!(raw["label"], "");
}

#[apply(both)]
async fn an_insert_answers_its_envelope_and_leads_to_the_group(server: TestServer) {
    let admin = server.admin();
    let answer = admin.post("/rest/groups/", desk()).await.expect(201);
    check_envelope(&answer, &["result_id", "raw"], "INSERT", "Group", TIME);
    assert_eq!(
        (answer.member("result_id"), answer.header("etag")),
        (json!(3), "\"1\"")
    );
    assert_eq!(
        answer.header("location"),
        "http://inventory.example/rest/groups/3"
    );
    let single = admin.get("/rest/groups/3/").await.expect(200);
    check_envelope(&single, &["result"], "GET", "Group", TIME);
    assert_eq!(single.member("result"), answer.member("raw"));
    let _ = admin.head(DESK).await.expect(200);
}

#[apply(both)]
async fn rights_are_written_as_names_or_right_objects_and_read_as_right_objects(
    server: TestServer,
) {
    let admin = server.admin();
    let view = admin
        .get("/rest/rights/base.system.view")
        .await
        .expect(200)
        .member("result");
    let users = admin
        .get("/rest/rights/base.user-management.*")
        .await
        .expect(200)
        .member("result");
    for rights in [
        json!(["base.system.view", "base.user-management.*"]),
        json!([view, users]),
        json!(["base.user-management.*", view]),
        json!([users, "base.system.view", {"name": "base.system.view", "level": "ignored"}, "base.user-management.*"]),
    ] {
        let raw = admin
            .post(PATH, with(&desk(), &json!({"rights": rights})))
            .await
            .expect(201)
            .member("raw");
        assert_eq!(
            raw["rights"],
            json!([view, users]),
            "each once, in the order of the table: {rights}"
        );
        let _ = admin
            .delete(&format!("{PATH}/{}", raw["public_id"]))
            .await
            .expect(202);
    }
    for (rights, pointers) in [
        (json!(["base.nothing"]), vec!["/rights/0"]),
        (
            json!(["base.system.view", "BASE.*", {"name": "base"}, ""]),
            vec!["/rights/1", "/rights/2", "/rights/3"],
        ),
        (
            json!([1, {"level": 3}, null, {"name": 5}]),
            vec!["/rights/0", "/rights/1", "/rights/2", "/rights/3"],
        ),
        (json!("base.*"), vec!["/rights"]),
        (json!({"name": "base.*"}), vec!["/rights"]),
    ] {
        let answer = admin
            .post(PATH, with(&desk(), &json!({"rights": rights})))
            .await;
        assert_eq!(answer.pointers(), pointers, "{rights}");
    }
}

#[apply(both)]
async fn all_problems_of_a_body_are_told_at_once(server: TestServer) {
    let admin = server.admin();
    let body = json!({"public_id": 1, "name": "user", "rights": ["base.nothing"]});
    assert_eq!(
        admin.post(PATH, body).await.pointers(),
        ["/name", "/public_id", "/rights/0"]
    );
    let body = json!({"public_id": "1", "name": "user", "label": 1, "rights": ["base.nothing", 1]});
    assert_eq!(
        admin.post(PATH, body).await.pointers(),
        ["/public_id", "/label", "/rights/1", "/name", "/rights/0"]
    );
    insert(&admin, PATH, desk()).await;
    let change = json!({"public_id": 9, "name": "user", "rights": ["base.nothing"]});
    assert_eq!(
        admin.patch(DESK, change).await.pointers(),
        ["/public_id", "/name", "/rights/0"]
    );
}

#[apply(both)]
async fn what_a_read_returns_can_be_put_back_unchanged(server: TestServer) {
    let admin = server.admin().with_header("prefer", "handling=strict");
    insert(&admin, PATH, desk()).await;
    for id in 1..=3 {
        let path = format!("{PATH}/{id}");
        let before = read(&admin, &path).await;
        let answer = admin
            .put(&format!("{path}/"), before.clone())
            .await
            .expect(202);
        check_envelope(&answer, &["result"], "UPDATE", "Group", TIME);
        assert_eq!(
            answer.header("location"),
            format!("http://inventory.example{path}")
        );
        assert_eq!(answer.member("result"), before);
        assert_eq!(read(&admin, &path).await, before);
    }
}

#[apply(both)]
async fn a_put_replaces_the_group(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, desk()).await;
    let result = admin
        .put(DESK, json!({"name": "front"}))
        .await
        .expect(202)
        .member("result");
    assert_eq!(
        result,
        json!({"public_id": 3, "name": "front", "label": "Front", "rights": []})
    );
    let body =
        json!({"public_id": 3, "name": "front", "label": "F", "rights": ["base.system.view"]});
    let result = admin
        .put(DESK, body.clone())
        .await
        .expect(202)
        .member("result");
    assert_eq!(
        (names(&result), &result["label"]),
        (vec!["base.system.view".to_owned()], &json!("F"))
    );
    for (more, pointer) in [
        (json!({"public_id": 4}), "/public_id"),
        (json!({"name": null}), "/name"),
        (json!({"name": ""}), "/name"),
        (json!({"name": "admin"}), "/name"),
        (json!({"label": 1}), "/label"),
        (json!({"rights": ["base.nothing"]}), "/rights/0"),
    ] {
        assert_eq!(
            admin.put(DESK, with(&body, &more)).await.pointers(),
            [pointer],
            "{more}"
        );
        assert_eq!(
            admin.patch(DESK, more.clone()).await.pointers(),
            [pointer],
            "{more}"
        );
    }
    assert_eq!(read(&admin, DESK).await, result);
}

#[apply(both)]
async fn a_patch_merges(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, desk()).await;
    let view = admin
        .get("/rest/rights/base.system.view")
        .await
        .expect(200)
        .member("result");
    check_patches(
        &admin,
        DESK,
        &[
            (json!({}), json!({})),
            (
                json!({"label": "Other", "invented": 1}),
                json!({"label": "Other"}),
            ),
            (json!({"label": null}), json!({"label": "Desk"})),
            (json!({"name": "other"}), json!({"name": "other"})),
            (
                json!({"rights": ["base.system.view"]}),
                json!({"rights": [view]}),
            ),
            (json!({"rights": null}), json!({"rights": []})),
            (json!({"public_id": 3}), json!({})),
        ],
    )
    .await;
    for patch in [json!([]), json!(null), json!("x")] {
        assert_eq!(admin.patch(DESK, patch).await.pointers(), [""]);
    }
}

#[apply(both)]
async fn names_are_unique_and_ids_are_honoured_if_free(server: TestServer) {
    let admin = server.admin();
    let named = |name: &str, id: Value| json!({"name": name, "public_id": id});
    assert_eq!(insert(&admin, PATH, named("ten", json!(10))).await, 10);
    assert_eq!(insert(&admin, PATH, named("next", Value::Null)).await, 11);
    for (body, pointer) in [
        (named("ten", Value::Null), "/name"),
        (named("other", json!(10)), "/public_id"),
        (named("other", json!(0)), "/public_id"),
        (named("other", json!("12")), "/public_id"),
    ] {
        assert_eq!(
            admin.post(PATH, body.clone()).await.pointers(),
            [pointer],
            "{body}"
        );
    }
    let _ = admin
        .put("/rest/groups/11", named("next", json!(11)))
        .await
        .expect(202);
    let _ = admin.delete("/rest/groups/11").await.expect(202);
    assert_eq!(insert(&admin, PATH, named("next", Value::Null)).await, 12);
}

#[apply(both)]
async fn groups_are_filtered_sorted_and_projected(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, desk()).await;
    for (parameters, ids) in [
        (vec![("sort", "label")], vec![1, 3, 2]),
        (
            vec![("sort", "name"), ("order", "-1"), ("limit", "1")],
            vec![2],
        ),
        (
            vec![("filter", r#"{"rights.name": "base.user-management.*"}"#)],
            vec![3],
        ),
        (vec![("filter", r#"{"rights": {"$size": 1}}"#)], vec![1]),
        (
            vec![(
                "filter",
                r#"{"rights": {"$elemMatch": {"level": {"$gte": 50}, "is_master": true}}}"#,
            )],
            vec![3],
        ),
        (
            vec![(
                "filter",
                r#"{"label": {"$regex": "^help", "$options": "i"}}"#,
            )],
            vec![3],
        ),
        (vec![("limit", "2"), ("page", "2")], vec![3]),
    ] {
        assert_eq!(
            admin.query(PATH, &parameters).await.expect(200).ids(),
            ids,
            "{parameters:?}"
        );
    }
    let projected = admin
        .query(
            PATH,
            &[("projection", r#"["name", "rights.name"]"#), ("limit", "1")],
        )
        .await
        .expect(200);
    assert_eq!(
        projected.member("results"),
        json!([{"name": "admin", "rights": [{"name": "base.*"}]}])
    );
}

#[apply(both)]
async fn a_group_that_does_not_exist_is_not_found(server: TestServer) {
    check_unknown(&server.admin(), PATH, &desk()).await;
}

#[apply(both)]
async fn a_group_has_entity_tags(server: TestServer) {
    insert(&server.admin(), PATH, desk()).await;
    check_conditions(&server.admin(), DESK, &json!({"label": "Other"})).await;
}
