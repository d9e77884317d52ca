//! Who may read an object, and when 304 is enough.

use serde_json::json;
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::{OBJECTS, path, restrict};

#[apply(both)]
async fn reading_needs_the_right_and_the_access_list(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(
        &admin,
        small.site_type,
        person.group_id,
        &["UPDATE", "DELETE", "CREATE"],
    )
    .await;
    let nobody = server.user_with(&["base.framework.object.edit"]).await;
    for suffix in ["", "/native"] {
        let answer = person
            .client
            .get(&format!("{}{suffix}", path(small.berlin)))
            .await
            .expect(403);
        assert!(answer.detail().contains("READ"), "{answer}");
        let answer = nobody
            .client
            .get(&format!("{}{suffix}", path(small.berlin)))
            .await
            .expect(403);
        assert!(
            answer.detail().contains("base.framework.object.view"),
            "{answer}"
        );
        for missing in ["999", "0", "-1", "x", "1.0", "9007199254740992"] {
            let _ = admin
                .get(&format!("/rest/objects/{missing}{suffix}"))
                .await
                .expect(404);
        }
    }
}

#[apply(both)]
async fn only_native_reads_can_be_answered_with_not_modified(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let id = small.vienna;
    let native = admin.get(&format!("{}/native", path(id))).await.expect(200);
    let knows = admin
        .clone()
        .with_header("if-none-match", native.header("etag"));
    let _ = knows.get(&format!("{}/native", path(id))).await.expect(304);
    let _ = knows.get(&path(id)).await.expect(200);
    let _ = admin
        .patch(&path(id), json!({"version": "2.0.0"}))
        .await
        .expect(200);
    let _ = knows.get(&format!("{}/native", path(id))).await.expect(200);
    let _ = admin
        .head(&format!("{}/native", path(id)))
        .await
        .expect(200);
    let _ = admin.head(&path(id)).await.expect(200);
}
