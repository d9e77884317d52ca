//! What a change of a type means for its objects.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, both};

use super::{PATH, body, field};

both! {
    async fn a_type_with_objects_stays(server: TestServer) {
        let admin = server.admin();
        let id = insert(&admin, PATH, body("used", &[field("text", "a")])).await;
        let category = json!({"name": "c", "types": [id, 9]});
        let _ = admin.post("/rest/categories/", category).await.expect(200);
        let only = object(&admin, id, json!([{"name": "a", "value": null}])).await;
        let refused = admin.delete("/rest/types/1").await.expect(400);
        assert!(refused.detail().contains("1 object;"), "{refused}");
        let _ = admin.delete(&format!("/rest/objects/{only}")).await.expect(200);
        let _ = admin.delete("/rest/types/1").await.expect(202);
        assert_eq!(admin.get("/rest/categories/1").await.expect(200).member("result")["types"], json!([9]));
    }

    async fn references_follow_the_type(server: TestServer) {
        let admin = server.admin();
        let id = insert(&admin, PATH, body("linked", &[field("text", "peer")])).await;
        let target = object(&admin, id, json!([])).await;
        let referrer = object(&admin, id, json!([{"name": "peer", "value": target.to_string()}])).await;
        let path = format!("/rest/objects/{target}/references");
        assert_eq!(admin.get(&path).await.expect(200).ids(), [0; 0]);
        for (fields, referrers) in [
            (json!([field("ref", "peer")]), vec![referrer]),
            (json!([field("text", "peer")]), vec![]),
            (json!([{"type": "text", "name": "peer", "label": "", "ref_types": [id]}]), vec![referrer]),
            (json!([field("ref", "other")]), vec![]),
            (json!([field("location", "peer")]), vec![referrer]),
            (json!(null), vec![]),
        ] {
            let _ = admin.patch("/rest/types/1", json!({"fields": fields})).await.expect(202);
            assert_eq!(admin.get(&path).await.expect(200).ids(), referrers, "{fields}");
        }
    }

    async fn values_that_become_passwords_are_hidden(server: TestServer) {
        let admin = server.admin();
        let id = insert(&admin, PATH, body("vault", &[field("text", "pin"), field("number", "code")])).await;
        let full = object(&admin, id, json!([{"name": "pin", "value": "s3cret"}, {"name": "code", "value": 42}])).await;
        let empty = object(&admin, id, json!([{"name": "pin", "value": null}, {"name": "code", "value": null}])).await;
        let passwords = json!({"fields": [field("password", "pin"), field("password", "code")]});
        let _ = admin.patch("/rest/types/1", passwords).await.expect(202);
        assert_eq!(listed(&admin, full, "pin").await, "••••••");
        assert_eq!(listed(&admin, full, "code").await, "••••••");
        assert_eq!(listed(&admin, empty, "pin").await, Value::Null);
        let shown = native(&admin, full).await;
        assert_eq!((value(&shown, "pin"), value(&shown, "code")), (json!("s3cret"), json!("42")));
        let search = [("filter", r#"{"fields.value": "s3cret"}"#)];
        assert_eq!(admin.query("/rest/objects", &search).await.expect(200).ids(), [0; 0]);

        let readable = json!({"fields": [field("password", "code"), field("text", "pin")]});
        let refused = admin.patch("/rest/types/1", readable).await.expect(400);
        assert_eq!(refused.pointers(), ["/fields/1/type"]);
        assert!(refused.detail().contains("1 object"), "{refused}");
    }

    async fn passwords_of_removed_fields_stay_hidden(server: TestServer) {
        let admin = server.admin();
        let id = insert(&admin, PATH, body("vault", &[field("password", "pin")])).await;
        let one = object(&admin, id, json!([{"name": "pin", "value": "s3cret"}])).await;
        let _ = admin.patch("/rest/types/1", json!({"fields": []})).await.expect(202);
        let shown = native(&admin, one).await;
        assert_eq!(value(&shown, "pin"), "••••••");
        let _ = admin.put(&format!("/rest/objects/{one}"), shown).await.expect(200);
        let readable = json!({"fields": [field("text", "pin")]});
        assert_eq!(admin.patch("/rest/types/1", readable.clone()).await.pointers(), ["/fields/0/type"]);
        let back = json!({"fields": [field("password", "pin")]});
        let _ = admin.patch("/rest/types/1", back).await.expect(202);
        assert_eq!(value(&native(&admin, one).await, "pin"), "s3cret");
        let _ = admin.patch("/rest/types/1", json!({"fields": []})).await.expect(202);
        let _ = admin.put("/rest/objects/clean/1", json!(null)).await.expect(200);
        let _ = admin.patch("/rest/types/1", readable).await.expect(202);
    }
}

/// What every reader sees of a field: lists never show passwords.
async fn listed(client: &Client, id: i64, name: &str) -> Value {
    let filter = json!({"public_id": id}).to_string();
    let list = client.query("/rest/objects", &[("filter", &filter)]).await;
    value(&list.expect(200).json()["results"][0], name)
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

async fn object(client: &Client, r#type: i64, fields: Value) -> i64 {
    let body = json!({"type_id": r#type, "author_id": 1, "fields": fields});
    insert(client, "/rest/objects", body).await
}
