//! Password fields: who sees them, and where the plain text must never appear
//! (`docs/guide/src/objects.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, native, patch_type, path, query, restrict,
    value,
};

const MASK: &str = "••••••";
const PLAIN: &str = "open-sesame-8f3a";

/// A type with a text and a password field, and an object whose password is [`PLAIN`].
async fn safe(server: &TestServer) -> (i64, i64) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "safe",
        &[field("text", "name"), field("password", "secret")],
    )
    .await;
    let id = insert(
        &admin,
        type_id,
        &[("name", json!("a")), ("secret", json!(PLAIN))],
    )
    .await;
    (type_id, id)
}

async fn patch_field(client: &Client, id: i64, name: &str, value: Value) -> Value {
    let change = json!({"fields": [{"name": name, "value": value}]});
    client
        .patch(&path(id), change)
        .await
        .expect(200)
        .member("result")
}

/// The value of the password in the rendered document.
async fn rendered(client: &Client, id: i64) -> Value {
    let document = client.get(&path(id)).await.expect(200).json();
    document["type_information"]["fields"][1]["value"].clone()
}

#[apply(both)]
async fn who_may_edit_the_object_sees_its_passwords_and_others_a_mask(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = safe(&server).await;
    let reader = server.user_with(&["base.framework.object.view"]).await;
    let editor = server.user_with(OBJECTS).await;
    for (client, expected) in [
        (&admin, PLAIN),
        (&editor.client, PLAIN),
        (&reader.client, MASK),
    ] {
        assert_eq!(value(&native(client, id).await, "secret"), expected);
        assert_eq!(rendered(client, id).await, expected);
    }
    restrict(
        &admin,
        type_id,
        editor.group_id,
        &["READ", "CREATE", "DELETE"],
    )
    .await;
    assert_eq!(
        value(&native(&editor.client, id).await, "secret"),
        MASK,
        "the access list counts, too"
    );
    assert_eq!(rendered(&editor.client, id).await, MASK);
}

#[apply(both)]
async fn every_other_answer_shows_a_mask(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = safe(&server).await;
    let host = make_type(&admin, "host", &[field("ref", "safe")]).await;
    let referrer = insert(&admin, host, &[("safe", json!(id))]).await;
    let referred = insert(
        &admin,
        type_id,
        &[("secret", json!(PLAIN)), ("unknown", json!(1))],
    )
    .await;
    let mut answers = vec![
        list(&admin, &[]).await,
        list(&admin, &[("limit", "0")]).await,
        list(&admin, &[("view", "render")]).await,
        list(
            &admin.clone().unchecked(),
            &[("projection", r#"["fields"]"#)],
        )
        .await,
        admin.get(&format!("/rest/objects/clean/{type_id}")).await,
        admin.get(&path(referrer)).await,
        admin
            .post(
                "/rest/objects/",
                inventory::object(type_id, &[("secret", json!(PLAIN))]),
            )
            .await,
        admin.patch(&path(id), json!({"version": "2.0.0"})).await,
        admin
            .patch(
                &path(id),
                json!({"fields": [{"name": "secret", "value": PLAIN}]}),
            )
            .await,
        admin
            .put(&format!("{}/state", path(id)), json!(false))
            .await,
    ];
    answers.push(admin.delete(&path(referred)).await);
    for answer in answers {
        let answer = answer.expect(200);
        let text = answer.to_string();
        assert!(text.contains(MASK) && !text.contains(PLAIN), "{answer}");
    }
    let empty = insert(&admin, type_id, &[("secret", json!(null))]).await;
    assert_eq!(
        value(&native(&admin, empty).await, "secret"),
        &json!(null),
        "what is not set has no mask"
    );
}

#[apply(both)]
async fn the_mask_keeps_a_password_anything_else_replaces_it_and_null_clears_it(
    server: TestServer,
) {
    let admin = server.admin();
    let (_, id) = safe(&server).await;
    let secret = async || value(&native(&admin, id).await, "secret").clone();
    assert_eq!(
        value(
            &patch_field(&admin, id, "secret", json!(MASK)).await,
            "secret"
        ),
        MASK
    );
    assert_eq!(secret().await, PLAIN);
    let _ = patch_field(&admin, id, "name", json!("b")).await;
    assert_eq!(secret().await, PLAIN, "a change of another field keeps it");
    let mut body = native(&admin, id).await;
    let _ = admin.put(&path(id), body.clone()).await.expect(200);
    assert_eq!(secret().await, PLAIN, "sent back as it was shown");
    body["fields"][1]["value"] = json!(MASK);
    let _ = admin.put(&path(id), body.clone()).await.expect(200);
    assert_eq!(secret().await, PLAIN);
    body["fields"][1]["value"] = json!("another-one");
    let _ = admin.put(&path(id), body.clone()).await.expect(200);
    assert_eq!(secret().await, "another-one");
    let _ = patch_field(&admin, id, "secret", json!("a-third-one")).await;
    assert_eq!(secret().await, "a-third-one");
    assert_eq!(
        value(
            &patch_field(&admin, id, "secret", json!(null)).await,
            "secret"
        ),
        &json!(null)
    );
    assert_eq!(secret().await, json!(null));
    let _ = patch_field(&admin, id, "secret", json!(MASK)).await;
    assert_eq!(secret().await, json!(null), "there is nothing to keep");
    let _ = patch_field(&admin, id, "secret", json!(PLAIN)).await;
    body["fields"] = json!([{"name": "name", "value": "b"}]);
    let _ = admin.put(&path(id), body).await.expect(200);
    let _ = patch_field(&admin, id, "secret", json!(MASK)).await;
    assert_eq!(
        secret().await,
        json!(null),
        "a PUT without the field drops it"
    );
}

#[apply(both)]
async fn the_mask_in_a_new_object_is_no_password(server: TestServer) {
    let (type_id, _) = safe(&server).await;
    let admin = server.admin();
    let new = insert(&admin, type_id, &[("secret", json!(MASK))]).await;
    assert_eq!(value(&native(&admin, new).await, "secret"), &json!(null));
    let required = field_with("password", "secret", &json!({"required": true}));
    let strict = make_type(&admin, "strict", &[required]).await;
    let body = inventory::object(strict, &[("secret", json!(MASK))]);
    let answer = admin.post("/rest/objects/", body).await.expect(400);
    assert_eq!(
        answer.pointers(),
        ["/fields/0/value"],
        "it does for no required one"
    );
    let id = insert(&admin, strict, &[("secret", json!(PLAIN))]).await;
    let _ = patch_field(&admin, id, "secret", json!(MASK)).await;
    assert_eq!(value(&native(&admin, id).await, "secret"), PLAIN);
}

#[apply(both)]
async fn passwords_cannot_be_searched_sorted_or_projected(server: TestServer) {
    let admin = server.admin();
    let (type_id, first) = safe(&server).await;
    let second = insert(
        &admin,
        type_id,
        &[("name", json!("b")), ("secret", json!("aaa"))],
    )
    .await;
    let third = insert(
        &admin,
        type_id,
        &[("name", json!("c")), ("secret", json!(null))],
    )
    .await;
    let item = |value: Value| json!({"fields": {"$elemMatch": {"name": "secret", "value": value}}});
    for filter in [
        item(json!(PLAIN)),
        item(json!(MASK)),
        item(json!({"$ne": null})),
        item(json!({"$regex": "."})),
        item(json!({"$gt": ""})),
        json!({"fields.value": PLAIN}),
        json!({"fields.1.value": {"$type": "string"}}),
        json!({"secrets": {"$exists": true}}),
    ] {
        let answer = list(&admin, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(
            (answer.ids(), answer.member("total")),
            (vec![], json!(0)),
            "{filter}"
        );
        let head = admin
            .head(&query("/rest/objects/", &[("filter", &filter.to_string())]))
            .await;
        assert_eq!(head.header("x-total-count"), "0", "{filter}");
    }
    let all = list(&admin, &[("filter", &item(json!(null)).to_string())])
        .await
        .ids();
    assert_eq!(all, [first, second, third], "to a filter they are null");
    for sort in ["fields.secret", "fields.1.value"] {
        for order in ["1", "-1"] {
            assert_eq!(
                list(&admin, &[("sort", sort), ("order", order)])
                    .await
                    .ids(),
                [first, second, third],
                "{sort} {order}"
            );
        }
    }
}

#[apply(both)]
async fn the_plain_text_is_nowhere_on_disk(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = safe(&server).await;
    let texts = ["first-of-many-7c1d", "second-of-many-7c1d"];
    for text in texts {
        let _ = patch_field(&admin, id, "secret", json!(text)).await;
    }
    let _ = admin
        .put(&format!("{}/state", path(id)), json!(false))
        .await
        .expect(200);
    let _ = admin
        .put(&format!("/rest/objects/clean/{type_id}"), json!({}))
        .await
        .expect(200);
    let _ = rendered(&admin, id).await;
    server.service().flush_views().await.unwrap();
    let _ = admin.delete(&path(id)).await.expect(200);
    for text in [PLAIN, texts[0], texts[1]] {
        assert!(!server.is_stored(text), "{text}");
    }
    let _ = insert(&admin, type_id, &[("name", json!("readable-7c1d"))]).await;
    assert!(
        server.is_stored("readable-7c1d"),
        "what is no secret can be found that way"
    );
}

#[apply(both)]
async fn a_field_that_becomes_a_password_hides_the_values_it_has(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "safe",
        &[field("text", "name"), field("invented", "secret")],
    )
    .await;
    let mut ids = Vec::new();
    for secret in [json!(PLAIN), json!(""), json!(null), json!(4_711)] {
        ids.push(insert(&admin, type_id, &[("name", json!("a")), ("secret", secret)]).await);
    }
    let now_secret = json!({"fields": [field("text", "name"), field("password", "secret")]});
    let _ = patch_type(&admin, type_id, now_secret).await.expect(202);
    let reader = server.user_with(&["base.framework.object.view"]).await;
    for (id, plain, masked) in [
        (ids[0], json!(PLAIN), json!(MASK)),
        (ids[1], json!(""), json!("")),
        (ids[2], json!(null), json!(null)),
        (ids[3], json!("4711"), json!(MASK)),
    ] {
        assert_eq!(*value(&native(&admin, id).await, "secret"), plain);
        assert_eq!(*value(&native(&reader.client, id).await, "secret"), masked);
    }
    let found = list(
        &admin,
        &[("filter", &json!({"fields.value": PLAIN}).to_string())],
    )
    .await;
    assert_eq!(found.member("total"), 0);
}

#[apply(both)]
async fn a_new_password_field_hides_values_that_objects_have_under_its_name(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("text", "name")]).await;
    for number in 0..70 {
        let _ = insert(&admin, type_id, &[("name", json!(format!("{number}")))]).await;
    }
    let values = [("name", json!("x")), ("pin", json!(PLAIN))];
    let unclean = insert(&admin, type_id, &values).await;
    let more = json!({"fields": [field("text", "name"), field("password", "pin")]});
    let _ = patch_type(&admin, type_id, more).await.expect(202);
    assert_eq!(*value(&native(&admin, unclean).await, "pin"), json!(PLAIN));
    let _ = admin
        .post("/rest/categories", json!({"name": "racks"}))
        .await
        .expect(200);
    assert!(!server.is_stored(PLAIN));
}

#[apply(both)]
async fn a_password_becomes_readable_only_after_its_values_are_cleared(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = safe(&server).await;
    let readable = json!({"fields": [field("text", "name"), field("text", "secret")]});
    let answer = patch_type(&admin, type_id, readable.clone())
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["/fields/1/type"]);
    assert!(answer.detail().contains("1 object"), "{answer}");
    assert_eq!(
        value(&native(&admin, id).await, "secret"),
        PLAIN,
        "nothing was changed"
    );
    let without = json!({"fields": [field("text", "name")]});
    let _ = patch_type(&admin, type_id, without).await.expect(202);
    assert_eq!(
        value(&native(&admin, id).await, "secret"),
        MASK,
        "a field that is gone shows nothing"
    );
    let _ = patch_type(&admin, type_id, readable.clone())
        .await
        .expect(400);
    let _ = patch_field(&admin, id, "secret", json!(null)).await;
    let _ = patch_type(&admin, type_id, readable).await.expect(202);
    assert_eq!(
        value(
            &patch_field(&admin, id, "secret", json!("now readable")).await,
            "secret"
        ),
        "now readable"
    );
}

#[apply(both)]
async fn cleaning_drops_the_passwords_of_fields_that_are_gone(server: TestServer) {
    let admin = server.admin();
    let (type_id, id) = safe(&server).await;
    let without = json!({"fields": [field("text", "name")]});
    let _ = patch_type(&admin, type_id, without).await.expect(202);
    let _ = admin
        .put(&format!("/rest/objects/clean/{type_id}"), json!({}))
        .await
        .expect(200);
    let readable = json!({"fields": [field("text", "name"), field("text", "secret")]});
    let _ = patch_type(&admin, type_id, readable).await.expect(202);
    assert_eq!(
        value(
            &patch_field(&admin, id, "secret", json!("new")).await,
            "secret"
        ),
        "new"
    );
}
