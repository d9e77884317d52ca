//! `projection`, `view`, and malformed parameters.

use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::list;

/// `projection` as JSON text.
async fn projected(server: &TestServer, projection: &str) -> Value {
    // Projected objects lack members that the OpenAPI document requires.
    let client = server.admin().unchecked();
    let parameters = [
        ("projection", projection),
        ("filter", r#"{"fields.value": "srv-02"}"#),
    ];
    let mut results = list(&client, &parameters)
        .await
        .expect(200)
        .member("results");
    results[0].take()
}

#[apply(both)]
async fn a_projection_takes_or_leaves_out_paths(server: TestServer) {
    let small = inventory::small(&server.admin()).await;
    let id = small.srv_02;
    for (projection, expected) in [
        (r#"{"public_id": 1}"#, json!({"public_id": id})),
        (
            r#"["public_id", "views"]"#,
            json!({"public_id": id, "views": 0}),
        ),
        (
            r#"{"type_id": 1, "nowhere": 1}"#,
            json!({"type_id": small.server_type}),
        ),
        (
            r#"{"creation_time": 1}"#,
            json!({"creation_time": stockroom_testkit::START.to_date()}),
        ),
    ] {
        let found = projected(&server, projection).await;
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(found[key], *value, "{projection}");
        }
        assert!(
            found.get("version").is_none() && found.get("fields").is_none(),
            "{projection}: {found}"
        );
    }
    let names = projected(&server, r#"{"fields.name": 1}"#).await;
    assert_eq!(names["fields"][0], json!({"name": "hostname"}));
    let without = projected(&server, r#"{"fields": 0, "views": 0}"#).await;
    assert!(
        without.get("fields").is_none()
            && without.get("views").is_none()
            && without["version"] == "1.0.0",
        "{without}"
    );
}

#[apply(both)]
async fn a_wrong_projection_is_refused(server: TestServer) {
    for projection in [
        r#"{"a": 1, "b": 0}"#,
        "5",
        r#""a""#,
        "{",
        r#"{"a": "x"}"#,
        "[1]",
    ] {
        let answer = list(&server.admin(), &[("projection", projection)])
            .await
            .expect(400);
        assert!(
            answer.pointers()[0].starts_with("projection"),
            "{projection}\n{answer}"
        );
    }
}

#[apply(both)]
async fn the_list_can_be_rendered(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let answer = list(
        &admin,
        &[
            ("view", "render"),
            ("filter", r#"{"public_id": {"$lte": 3}}"#),
        ],
    )
    .await
    .expect(200);
    let echo = answer.member("parameters")["optional"].clone();
    assert_eq!(
        (answer.member("model"), echo),
        (json!("Object"), json!({"view": "render"}))
    );
    let results = answer.member("results");
    for (result, id) in
        results
            .as_array()
            .unwrap()
            .iter()
            .zip([small.berlin, small.vienna, small.srv_01])
    {
        let mut single = admin
            .get(&crate::fixture::path(id))
            .await
            .expect(200)
            .json();
        if id == small.srv_01 {
            single["type_information"]["fields"][4]["value"] = json!("••••••");
        }
        assert_eq!(
            *result, single,
            "an object of the list is what a single read gives, passwords masked"
        );
    }
    let native = list(&admin, &[]).await.member("parameters");
    assert_eq!(native["optional"], json!({"view": "native"}));
}

#[apply(both)]
async fn a_parameter_that_is_wrong_or_stands_twice_is_named(server: TestServer) {
    let admin = server.admin();
    for (query, name) in [
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("limit=1.5", "limit"),
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=x", "page"),
        ("view=tree", "view"),
        ("active=maybe", "active"),
        ("limit=1&limit=1", "limit"),
        ("page=1&limit=1&page=2", "page"),
        ("sort=a&sort=b", "sort"),
        ("order=1&order=1", "order"),
        ("filter={}&filter={}", "filter"),
        ("view=native&view=render", "view"),
        ("active=1&active=0", "active"),
        ("projection=[]&projection=[]", "projection"),
        ("filter={}&f%69lter={}", "filter"),
    ] {
        let query = query.replace('{', "%7B").replace('}', "%7D");
        let answer = admin
            .get(&format!("/rest/objects/?{query}"))
            .await
            .expect(400);
        assert_eq!(answer.pointers(), [name], "{query}");
    }
    let _ = admin
        .get("/rest/objects/?limit=&page=&sort=&order=&filter=&view=&projection=")
        .await
        .expect(200);
    let _ = admin
        .get("/rest/objects/?unknown=1&unknown=2")
        .await
        .expect(200);
}
