use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

use super::PATH;

const RECORD: &str = "/rest/categories/1";

#[apply(both)]
async fn every_change_gives_a_new_entity_tag(server: TestServer) {
    let admin = server.admin();
    let inserted = admin.post(PATH, json!({"name": "racks"})).await.expect(200);
    let replaced = admin.put(RECORD, json!({"name": "rows"})).await.expect(202);
    let patched = admin
        .patch(RECORD, json!({"name": "row"}))
        .await
        .expect(202);
    let read = admin.get(RECORD).await.expect(200);
    let tags = [&inserted, &replaced, &patched, &read].map(|answer| answer.header("etag"));
    assert_eq!(tags, ["\"1\"", "\"2\"", "\"3\"", "\"3\""]);
}

#[apply(both)]
async fn a_deleted_categorys_tags_do_not_return_with_its_id(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "racks"})).await;
    let _ = admin.delete(RECORD).await.expect(202);
    let again = admin
        .post(PATH, json!({"name": "racks", "public_id": 1}))
        .await
        .expect(200);
    assert_ne!(again.header("etag"), "\"1\"");
}

#[apply(both)]
async fn if_match_refuses_to_change_what_was_changed_meanwhile(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "racks"})).await;
    let _ = admin.put(RECORD, json!({"name": "rows"})).await.expect(202);
    for tag in ["\"1\"", "\"3\"", "W/\"2\"", "\"x\"", "\"1\", \"3\"", "\"\""] {
        let client = admin.clone().with_header("if-match", tag);
        for answer in [
            client.put(RECORD, json!({"name": "other"})).await,
            client.patch(RECORD, json!({"name": "other"})).await,
            client.delete(RECORD).await,
        ] {
            let answer = answer.expect(412);
            assert_eq!(answer.header("etag"), "\"2\"", "{tag}");
            let _ = answer.problem();
        }
    }
    let read = admin.get(RECORD).await.expect(200);
    assert_eq!(
        (&read.member("result")["name"], read.header("etag")),
        (&json!("rows"), "\"2\"")
    );
}

#[apply(both)]
async fn if_match_lets_pass_what_it_names(server: TestServer) {
    let admin = server.admin();
    for tag in ["\"1\"", "*", "\"7\", \"1\"", "\"7\",\"1\""] {
        let id = insert(&admin, PATH, json!({"name": "racks"})).await;
        let path = format!("{PATH}/{id}");
        let client = admin.clone().with_header("if-match", tag);
        let _ = client.put(&path, json!({"name": "rows"})).await.expect(202);
        let client = admin
            .clone()
            .with_header("if-match", &tag.replace('1', "2"));
        let _ = client
            .patch(&path, json!({"name": "row"}))
            .await
            .expect(202);
        let client = admin
            .clone()
            .with_header("if-match", &tag.replace('1', "3"));
        let _ = client.delete(&path).await.expect(202);
    }
}

#[apply(both)]
async fn if_match_on_a_missing_category_is_not_found(server: TestServer) {
    for tag in ["*", "\"1\""] {
        let client = server.admin().with_header("if-match", tag);
        let _ = client
            .put(RECORD, json!({"name": "rows"}))
            .await
            .expect(404);
    }
}

#[apply(both)]
async fn if_none_match_spares_what_the_client_knows(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "racks"})).await;
    for (tag, status) in [
        ("\"1\"", 304),
        ("W/\"1\"", 304),
        ("*", 304),
        ("\"7\", \"1\"", 304),
        ("\"2\"", 200),
        ("1", 200),
    ] {
        let client = admin.clone().with_header("if-none-match", tag);
        let answer = client.get(RECORD).await.expect(status);
        assert_eq!(answer.body.is_empty(), status == 304, "{tag}");
        assert_eq!(answer.header("etag"), "\"1\"", "{tag}");
        assert_ne!(answer.header("content-length"), "0", "{tag}");
        let _ = client.head(RECORD).await.expect(status);
    }
}

#[apply(both)]
async fn a_read_after_a_change_is_whole_again(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "racks"})).await;
    let client = admin.clone().with_header("if-none-match", "\"1\"");
    let _ = admin
        .patch(RECORD, json!({"name": "rows"}))
        .await
        .expect(202);
    let answer: Value = client.get(RECORD).await.expect(200).member("result");
    assert_eq!(answer["name"], "rows");
}
