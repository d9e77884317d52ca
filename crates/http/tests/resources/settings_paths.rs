//! The list of a user's settings, identifiers in paths, and access to the settings of others.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

const PATH: &str = "/rest/users/1/settings";

fn setting(identifier: &str) -> Value {
    json!({"identifier": identifier, "payload": {"of": identifier}, "setting_type": "GLOBAL"})
}

async fn twelve(client: &Client) {
    for number in (0..12).rev() {
        let _ = client
            .post(PATH, setting(&format!("s{number:02}")))
            .await
            .expect(201);
    }
}

fn identifiers(results: &Value) -> Vec<&str> {
    let results = results.as_array().unwrap();
    results
        .iter()
        .map(|setting| setting["identifier"].as_str().unwrap())
        .collect()
}

#[apply(both)]
async fn the_list_holds_everything_and_has_no_pages(server: TestServer) {
    let admin = server.admin();
    twelve(&admin).await;
    let list = admin.get("/rest/users/1/settings/").await.expect(200);
    assert_eq!(list.keys(), ["results", "response_type", "model", "time"]);
    let tail = ["response_type", "model", "time"].map(|key| list.member(key));
    assert_eq!(tail, ["GET", "UserSetting", "2026-03-04 05:06:07.089012"]);
    assert_eq!(list.header("x-total-count"), "12");
    let results = list.member("results");
    let expected: Vec<String> = (0..12).map(|number| format!("s{number:02}")).collect();
    assert_eq!(identifiers(&results), expected);
    assert_eq!(
        admin.head(PATH).await.expect(200).header("x-total-count"),
        "12"
    );
    let other = server.user_with(&[]).await;
    let empty = other
        .client
        .get(&format!("/rest/users/{}/settings", other.id))
        .await
        .expect(200);
    assert_eq!(
        (empty.member("results"), empty.header("x-total-count")),
        (json!([]), "0")
    );
}

#[apply(both)]
async fn a_limit_cuts_the_list_and_the_other_parameters_hold_too(server: TestServer) {
    let admin = server.admin();
    twelve(&admin).await;
    for (parameters, expected, total) in [
        (vec![("limit", "2")], vec!["s00", "s01"], "12"),
        (
            vec![("limit", "5"), ("page", "3")],
            vec!["s10", "s11"],
            "12",
        ),
        (
            vec![("limit", "2"), ("order", "-1")],
            vec!["s11", "s10"],
            "12",
        ),
        (
            vec![("limit", "1"), ("sort", "payload.of"), ("order", "-1")],
            vec!["s11"],
            "12",
        ),
        (
            vec![("filter", r#"{"payload.of": {"$in": ["s03", "s07"]}}"#)],
            vec!["s03", "s07"],
            "2",
        ),
        (
            vec![("filter", r#"{"setting_type": "SERVER"}"#)],
            vec![],
            "0",
        ),
    ] {
        let list = admin.query(PATH, &parameters).await.expect(200);
        assert_eq!(
            (
                identifiers(&list.member("results")),
                list.header("x-total-count")
            ),
            (expected, total),
            "{parameters:?}"
        );
    }
    let projected = admin
        .query(PATH, &[("projection", r#"["payload.of"]"#), ("limit", "1")])
        .await
        .expect(200);
    assert_eq!(
        projected.member("results"),
        json!([{"payload": {"of": "s00"}}])
    );
    for (name, value) in [("limit", "-1"), ("page", "0"), ("filter", "[]")] {
        assert_eq!(admin.query(PATH, &[(name, value)]).await.pointers(), [name]);
    }
}

#[apply(both)]
async fn an_identifier_is_one_encoded_segment_of_the_path(server: TestServer) {
    let admin = server.admin();
    for (identifier, segment) in [
        ("grid-1_a.b~c", "grid-1_a.b~c"),
        ("a b", "a%20b"),
        ("a/b", "a%2Fb"),
        ("50% ?#&=+", "50%25%20%3F%23%26%3D%2B"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("settings", "settings"),
        ("%2F", "%252F"),
    ] {
        let answer = admin.post(PATH, setting(identifier)).await.expect(201);
        let path = format!("{PATH}/{segment}");
        assert_eq!(
            answer.header("location"),
            format!("http://inventory.example{path}")
        );
        assert_eq!(answer.member("result_id"), identifier);
        let read = admin.get(&path).await.expect(200).member("results")[0].clone();
        assert_eq!(read["identifier"], identifier);
        let updated = admin.put(&path, read).await.expect(202);
        assert_eq!(updated.header("location"), answer.header("location"));
        let _ = admin.delete(&path).await.expect(202);
        let _ = admin.get(&path).await.expect(404);
    }
    let _ = admin.get(&format!("{PATH}/%FF")).await.expect(404);
}

#[apply(both)]
async fn the_settings_of_a_user_that_does_not_exist_are_not_found(server: TestServer) {
    let admin = server.admin();
    for id in ["99", "0", "-1", "x", "1.5"] {
        let list = format!("/rest/users/{id}/settings");
        let single = format!("{list}/grid");
        for answer in [
            admin.get(&list).await,
            admin.post(&list, setting("grid")).await,
            admin.get(&single).await,
            admin.put(&single, setting("grid")).await,
            admin.patch(&single, json!({})).await,
            admin.delete(&single).await,
        ] {
            let _ = answer.expect(404).detail();
        }
    }
}

#[apply(both)]
async fn ones_own_settings_need_no_right(server: TestServer) {
    let nobody = server.user_with(&[]).await;
    let list = format!("/rest/users/{}/settings", nobody.id);
    let single = format!("{list}/grid");
    let _ = nobody.client.post(&list, setting("grid")).await.expect(201);
    let _ = nobody.client.get(&list).await.expect(200);
    let _ = nobody.client.get(&single).await.expect(200);
    let _ = nobody
        .client
        .put(&single, setting("grid"))
        .await
        .expect(202);
    let _ = nobody.client.patch(&single, json!({})).await.expect(202);
    let _ = nobody.client.delete(&single).await.expect(202);
    let _ = server.anonymous().get(&list).await.expect(401);
}

#[apply(both)]
async fn the_settings_of_others_need_the_rights_over_users(server: TestServer) {
    let nobody = server.user_with(&[]).await.client;
    let viewer = server
        .user_with(&["base.user-management.user.view"])
        .await
        .client;
    let editor = server
        .user_with(&["base.user-management.user.edit"])
        .await
        .client;
    let single = format!("{PATH}/grid");
    let _ = server.admin().post(PATH, setting("grid")).await.expect(201);
    for path in [PATH, &single] {
        let _ = viewer.get(path).await.expect(200);
        for client in [&nobody, &editor] {
            let refused = client.get(path).await.expect(403);
            assert!(
                refused.detail().contains("base.user-management.user.view"),
                "{refused}"
            );
        }
    }
    for client in [&nobody, &viewer] {
        for answer in [
            client.post(PATH, setting("new")).await,
            client.put(&single, setting("grid")).await,
            client.patch(&single, json!({})).await,
            client.delete(&single).await,
        ] {
            let refused = answer.expect(403);
            assert!(
                refused.detail().contains("base.user-management.user.edit"),
                "{refused}"
            );
        }
    }
    let _ = nobody.get("/rest/users/99/settings").await.expect(403);
    let _ = editor.post(PATH, setting("new")).await.expect(201);
    let _ = editor.put(&single, setting("grid")).await.expect(202);
    let _ = editor.patch(&single, json!({})).await.expect(202);
    let _ = editor.delete(&single).await.expect(202);
}
