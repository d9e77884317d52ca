//! Lists with their parameters in the body of a POST.

use serde_json::{Value, json};
use stockroom_testkit::inventory::small;
use stockroom_testkit::{TestServer, apply, both};

use super::{PATH, fill};

/// Every list, with parameters to send to both of its routes.
fn lists() -> Vec<(&'static str, Value)> {
    let common = json!({"filter": {"public_id": {"$gte": 1}}, "sort": "public_id", "order": -1, "limit": 1, "page": 2, "projection": ["public_id"], "total": true});
    let mut lists: Vec<(&str, Value)> = [
        "/rest/objects",
        "/rest/objects/1/references",
        "/rest/objects/clean/1",
        "/rest/types",
        "/rest/categories",
        "/rest/users",
        "/rest/groups",
    ]
    .map(|path| (path, common.clone()))
    .to_vec();
    lists.extend([
        (
            "/rest/objects",
            json!({"view": "render", "active": true, "limit": 0}),
        ),
        (
            "/rest/categories",
            json!({"view": "tree", "filter": {"name": "machines"}}),
        ),
        (
            "/rest/rights",
            json!({"filter": {"level": 80}, "limit": 2, "after": ""}),
        ),
        (
            "/rest/users/1/settings",
            json!({"filter": {"identifier": "query"}}),
        ),
        (
            "/rest/types",
            json!({"limit": "1", "filter": null, "sort": ""}),
        ),
        ("/rest/types", json!({})),
    ]);
    lists
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[apply(both)]
async fn every_list_answers_a_body_as_it_answers_a_url(server: TestServer) {
    let admin = server.admin().unchecked();
    let _ = small(&admin).await;
    let setting = json!({"identifier": "query", "setting_type": "GLOBAL"});
    let _ = admin
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
    for (path, parameters) in lists() {
        let pairs: Vec<(&str, String)> = parameters
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.as_str(), text(value)))
            .collect();
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let asked = admin.query(path, &pairs).await.expect(200);
        let sent = admin
            .post(&format!("{path}/query"), parameters.clone())
            .await
            .expect(200);
        let (mut asked_body, mut sent_body) = (asked.json(), sent.json());
        asked_body["pagination"] = Value::Null;
        sent_body["pagination"] = Value::Null;
        assert_eq!(sent_body, asked_body, "{path} {parameters}");
        assert_eq!(
            sent.header("x-total-count"),
            asked.header("x-total-count"),
            "{path}"
        );
    }
}

#[apply(both)]
async fn a_filter_may_be_longer_than_a_url(server: TestServer) {
    fill(&server.admin(), 3).await;
    let names: Vec<String> = (2..9_000).map(|number| format!("c{number}")).collect();
    let body = json!({"filter": {"name": {"$in": names}}});
    assert!(body.to_string().len() > 64 * 1_024);
    let answer = server
        .admin()
        .post(&format!("{PATH}/query"), body)
        .await
        .expect(200);
    assert_eq!(answer.ids(), [2, 3]);
}

#[apply(both)]
async fn a_url_that_is_too_long_is_told_the_way(server: TestServer) {
    let long = format!("{PATH}?sort={}", "a".repeat(40_000));
    let refused = server.admin().get(&long).await.expect(414);
    assert!(refused.detail().contains("/query"), "{refused}");
    let _ = server
        .admin()
        .get(&format!("{PATH}?sort={}", "a".repeat(30_000)))
        .await
        .expect(200);
}

#[apply(both)]
async fn a_link_is_followed_with_the_same_body(server: TestServer) {
    fill(&server.admin(), 5).await;
    for (body, links) in [
        (
            json!({"limit": 2, "filter": {"public_id": {"$ne": 2}}}),
            ["?page=2", "?page=2"],
        ),
        (
            json!({"limit": 2, "page": 1, "filter": {"public_id": {"$ne": 2}}}),
            ["?page=2", "?page=2"],
        ),
    ] {
        let first = server
            .admin()
            .post(&format!("{PATH}/query"), body.clone())
            .await
            .expect(200);
        assert_eq!(first.ids(), [1, 3]);
        let url = format!("http://inventory.example{PATH}/query");
        let shown = first.member("pagination");
        assert_eq!(shown["current"], url);
        assert_eq!(shown["next"], format!("{url}{}", links[0]));
        assert_eq!(shown["last"], format!("{url}{}", links[1]));
        let next = server
            .admin()
            .post(&format!("{PATH}/query{}", links[0]), body)
            .await
            .expect(200);
        assert_eq!(next.ids(), [4, 5]);
    }
    let body = json!({"limit": 3, "after": ""});
    let first = server
        .admin()
        .post(&format!("{PATH}/query"), body.clone())
        .await
        .expect(200);
    let next = first.member("pagination")["next"]
        .as_str()
        .unwrap()
        .to_owned();
    let next = next.strip_prefix("http://inventory.example").unwrap();
    assert_eq!(
        server.admin().post(next, body).await.expect(200).ids(),
        [4, 5]
    );
}

#[apply(both)]
async fn faults_of_a_body_are_named_as_those_of_a_url(server: TestServer) {
    fill(&server.admin(), 1).await;
    for (body, pointers) in [
        (
            json!({"filter": {"a": {"$where": 1}}}),
            &["filter/a/$where"][..],
        ),
        (json!({"filter": []}), &["filter"]),
        (json!({"sort": {"name": 1}}), &["sort"]),
        (json!({"limit": -1}), &["limit"]),
        (json!({"limit": 1.5}), &["limit"]),
        (json!({"page": [1]}), &["page"]),
        (json!({"view": "forest"}), &["view"]),
        (json!({"projection": {"a": 1, "b": 0}}), &["projection/b"]),
        (json!([]), &[""]),
        (json!("{}"), &[""]),
    ] {
        let refused = server
            .admin()
            .post(&format!("{PATH}/query"), body.clone())
            .await;
        assert_eq!(refused.pointers(), pointers, "{body}");
    }
    let unknown = server
        .admin()
        .post(&format!("{PATH}/query"), json!({"filters": {}, "limit": 1}))
        .await
        .expect(200);
    assert_eq!(unknown.warnings(), ["filters"]);
    let strict = server.admin().with_header("prefer", "handling=strict");
    assert_eq!(
        strict
            .post(&format!("{PATH}/query"), json!({"filters": {}}))
            .await
            .pointers(),
        ["filters"]
    );
}

#[apply(both)]
async fn a_setting_may_be_called_like_the_route(server: TestServer) {
    let admin = server.admin();
    let list = "/rest/users/1/settings";
    let setting = json!({"identifier": "query", "setting_type": "GLOBAL", "payload": {"a": 1}});
    let created = admin.post(list, setting.clone()).await.expect(201);
    let path = format!("{list}/query");
    assert_eq!(
        created.header("location"),
        format!("http://inventory.example{path}")
    );
    assert_eq!(
        admin.get(&path).await.expect(200).member("results")[0]["payload"],
        json!({"a": 1})
    );
    let _ = admin
        .patch(&path, json!({"payload": {"a": 2}}))
        .await
        .expect(202);
    let _ = admin.put(&path, setting).await.expect(202);
    let _ = admin.delete(&path).await.expect(202);
    let _ = admin.get(&path).await.expect(404);
}
