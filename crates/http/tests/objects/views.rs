//! `views`: how often the rendered object was read.

use serde_json::json;
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::{insert, list, make_type, native, path};

#[apply(both)]
async fn rendered_reads_count_and_native_ones_do_not(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let (looked_at, other) = (
        insert(&admin, type_id, &[]).await,
        insert(&admin, type_id, &[]).await,
    );
    for _ in 0..3 {
        let _ = admin.get(&path(looked_at)).await.expect(200);
    }
    for id in [looked_at, other] {
        let _ = native(&admin, id).await;
        let _ = admin.get(&format!("{}/state", path(id))).await.expect(200);
    }
    let _ = list(&admin, &[("view", "render")]).await.expect(200);
    let _ = admin.get(&path(999)).await.expect(404);
    server.service().flush_views().await.unwrap();
    assert_eq!(native(&admin, looked_at).await["views"], 3);
    assert_eq!(native(&admin, other).await["views"], 0);
    let found = list(&admin, &[("filter", r#"{"views": 3}"#), ("sort", "views")])
        .await
        .expect(200);
    assert_eq!(found.ids(), [looked_at], "the count can be filtered");
    server.service().flush_views().await.unwrap();
    assert_eq!(
        native(&admin, looked_at).await["views"],
        3,
        "each view counts once"
    );
}

#[apply(both)]
async fn a_read_that_is_refused_does_not_count(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let id = insert(&admin, type_id, &[]).await;
    let person = server.user_with(&["base.framework.object.view"]).await;
    crate::fixture::restrict(&admin, type_id, person.group_id, &[]).await;
    let _ = person.client.get(&path(id)).await.expect(403);
    server.service().flush_views().await.unwrap();
    assert_eq!(native(&admin, id).await["views"], 0);
}

#[apply(both)]
async fn counting_is_no_change_of_the_object(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let id = insert(&admin, type_id, &[]).await;
    let before = native(&admin, id).await;
    let _ = admin.get(&path(id)).await.expect(200);
    server.service().flush_views().await.unwrap();
    let known = admin.clone().with_header("if-match", "\"1\"");
    let mut expected = before.clone();
    expected["views"] = json!(1);
    assert_eq!(native(&admin, id).await, expected);
    let mut changed = before;
    changed["version"] = json!("2.0.0");
    let answer = known.put(&path(id), changed).await.expect(200);
    assert_eq!(answer.header("etag"), "\"2\"");
    assert_eq!(
        answer.member("result")["views"],
        1,
        "an update does not set the count back"
    );
}

#[apply(both)]
async fn the_count_goes_on_from_what_the_insert_said(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let mut body = inventory::object(type_id, &[]);
    body["views"] = json!(40);
    let id = inventory::insert(&admin, "/rest/objects", body).await;
    for _ in 0..2 {
        let _ = admin.get(&path(id)).await.expect(200);
    }
    server.service().flush_views().await.unwrap();
    assert_eq!(native(&admin, id).await["views"], 42);
}

#[apply(both)]
async fn views_of_an_object_that_is_gone_are_forgotten(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[]).await;
    let (gone, kept) = (
        insert(&admin, type_id, &[]).await,
        insert(&admin, type_id, &[]).await,
    );
    for id in [gone, kept] {
        let _ = admin.get(&path(id)).await.expect(200);
    }
    let _ = admin.delete(&path(gone)).await.expect(200);
    server.service().flush_views().await.unwrap();
    assert_eq!(native(&admin, kept).await["views"], 1);
}
