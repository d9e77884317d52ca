//! Passwords of fields that a type no longer has.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

#[apply(both)]
async fn passwords_of_removed_fields_stay_hidden(server: TestServer) {
    let admin = server.admin();
    let id = insert(
        &admin,
        "/rest/types",
        json!({"name": "vault", "author_id": 1, "fields": [field("password")]}),
    )
    .await;
    let one = object(&admin, id, json!([{"name": "pin", "value": "s3cret"}])).await;
    let _ = admin
        .patch("/rest/types/1", json!({"fields": []}))
        .await
        .expect(202);
    let shown = native(&admin, one).await;
    assert_eq!(value(&shown, "pin"), "••••••");
    let _ = admin
        .put(&format!("/rest/objects/{one}"), shown)
        .await
        .expect(200);
    let readable = json!({"fields": [field("text")]});
    assert_eq!(
        admin
            .patch("/rest/types/1", readable.clone())
            .await
            .pointers(),
        ["/fields/0/type"]
    );
    let back = json!({"fields": [field("password")]});
    let _ = admin.patch("/rest/types/1", back).await.expect(202);
    assert_eq!(value(&native(&admin, one).await, "pin"), "s3cret");
    let _ = admin
        .patch("/rest/types/1", json!({"fields": []}))
        .await
        .expect(202);
    let _ = admin
        .put("/rest/objects/clean/1", json!(null))
        .await
        .expect(200);
    let _ = admin.patch("/rest/types/1", readable).await.expect(202);
}

fn field(kind: &str) -> Value {
    json!({"type": kind, "name": "pin", "label": "PIN"})
}

async fn native(client: &Client, id: i64) -> Value {
    let answer = client.get(&format!("/rest/objects/{id}/native")).await;
    answer.expect(200).json()
}

fn value(object: &Value, name: &str) -> Value {
    let fields = object["fields"].as_array().unwrap();
    let field = fields.iter().find(|field| field["name"] == name).unwrap();
    field["value"].clone()
}

async fn object(client: &Client, type_id: i64, fields: Value) -> i64 {
    let body = json!({"type_id": type_id, "author_id": 1, "fields": fields});
    insert(client, "/rest/objects", body).await
}
