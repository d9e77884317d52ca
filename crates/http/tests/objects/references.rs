//! `GET /objects/{public_id}/references`

use serde_json::json;
use stockroom_testkit::{TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, make_type, patch_type, path, query, restrict,
};

fn references(id: i64) -> String {
    format!("{}/references", path(id))
}

#[apply(both)]
async fn exactly_the_objects_with_a_reference_field_of_that_value_are_found(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[
            field("ref", "ref"),
            field("location", "place"),
            field("ref-section-field", "site-field"),
            field_with("text", "by-types", &json!({"ref_types": [1]})),
            field("number", "number"),
            field("text", "text"),
        ],
    )
    .await;
    let other_type = make_type(&admin, "other", &[field("ref", "ref")]).await;
    let mut ids = Vec::new();
    let target = insert(&admin, type_id, &[]).await;
    let text = json!(target.to_string());
    for (values, counts) in [
        (vec![("ref", json!(target))], true),
        (vec![("ref", text.clone())], true),
        (vec![("place", json!(target))], true),
        (vec![("site-field", json!(target))], true),
        (vec![("by-types", json!(target))], true),
        (vec![("ref", json!(target)), ("place", json!(target))], true),
        (vec![("number", json!(target)), ("text", text)], false),
        (vec![("unknown", json!(target))], false),
        (vec![("ref", json!(null))], false),
    ] {
        let id = insert(&admin, type_id, &values).await;
        if counts {
            ids.push(id);
        }
    }
    ids.push(insert(&admin, other_type, &[("ref", json!(target))]).await);
    let _ = insert(&admin, other_type, &[("ref", json!(ids[0]))]).await;
    let answer = admin.get(&references(target)).await.expect(200);
    assert_eq!(
        (answer.ids(), answer.member("total"), answer.member("model")),
        (ids, json!(7), json!("Object"))
    );
}

#[apply(both)]
async fn references_follow_every_change(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("ref", "other")]).await;
    let (one, two) = (
        insert(&admin, type_id, &[]).await,
        insert(&admin, type_id, &[]).await,
    );
    let referrer = insert(&admin, type_id, &[("other", json!(one))]).await;
    let check = async |of_one: &[i64], of_two: &[i64]| {
        assert_eq!(admin.get(&references(one)).await.expect(200).ids(), of_one);
        assert_eq!(admin.get(&references(two)).await.expect(200).ids(), of_two);
    };
    check(&[referrer], &[]).await;
    let _ = admin
        .patch(
            &path(referrer),
            json!({"fields": [{"name": "other", "value": two}]}),
        )
        .await
        .expect(200);
    check(&[], &[referrer]).await;
    let _ = patch_type(
        &admin,
        type_id,
        json!({"fields": [field("number", "other")]}),
    )
    .await
    .expect(202);
    check(&[], &[]).await;
    let _ = patch_type(&admin, type_id, json!({"fields": [field("ref", "other")]}))
        .await
        .expect(202);
    check(&[], &[referrer]).await;
    let _ = admin.delete(&path(referrer)).await.expect(200);
    check(&[], &[]).await;
}

#[apply(both)]
async fn the_list_takes_all_parameters_of_lists(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("ref", "other"), field("text", "name")],
    )
    .await;
    let target = insert(&admin, type_id, &[]).await;
    let mut ids = Vec::new();
    for name in ["c", "a", "b"] {
        ids.push(
            insert(
                &admin,
                type_id,
                &[("other", json!(target)), ("name", json!(name))],
            )
            .await,
        );
    }
    let _ = admin
        .put(&format!("{}/state", path(ids[1])), json!(false))
        .await
        .expect(200);
    for (parameters, expected, total) in [
        (
            vec![("sort", "fields.name")],
            vec![ids[1], ids[2], ids[0]],
            3,
        ),
        (
            vec![("order", "-1"), ("limit", "2")],
            vec![ids[2], ids[1]],
            3,
        ),
        (vec![("limit", "2"), ("page", "2")], vec![ids[2]], 3),
        (vec![("active", "true")], vec![ids[0], ids[2]], 2),
        (
            vec![(
                "filter",
                r#"{"fields": {"$elemMatch": {"name": "name", "value": "b"}}}"#,
            )],
            vec![ids[2]],
            1,
        ),
    ] {
        let answer = admin
            .get(&query(&references(target), &parameters))
            .await
            .expect(200);
        assert_eq!(
            (answer.ids(), answer.member("total")),
            (expected, json!(total)),
            "{parameters:?}"
        );
    }
    let rendered = admin
        .get(&query(&references(target), &[("view", "render")]))
        .await
        .expect(200);
    assert_eq!(
        rendered.member("results")[0]["object_information"]["object_id"],
        ids[0]
    );
    let head = admin.head(&references(target)).await.expect(200);
    assert_eq!(head.header("x-total-count"), "3");
}

#[apply(both)]
async fn hidden_referrers_are_neither_shown_nor_counted(server: TestServer) {
    let admin = server.admin();
    let (open, closed) = (
        make_type(&admin, "open", &[field("ref", "other")]).await,
        make_type(&admin, "closed", &[field("ref", "other")]).await,
    );
    let target = insert(&admin, open, &[]).await;
    let seen = insert(&admin, open, &[("other", json!(target))]).await;
    let _ = insert(&admin, closed, &[("other", json!(target))]).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, closed, person.group_id, &["UPDATE"]).await;
    let answer = person.client.get(&references(target)).await.expect(200);
    assert_eq!(
        (
            answer.ids(),
            answer.member("total"),
            answer.header("x-total-count")
        ),
        (vec![seen], json!(1), "1")
    );
    assert_eq!(admin.get(&references(target)).await.member("total"), 2);
}

#[apply(both)]
async fn the_object_itself_must_be_there_and_readable(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, small.site_type, person.group_id, &[]).await;
    let answer = person
        .client
        .get(&references(small.berlin))
        .await
        .expect(403);
    assert!(answer.detail().contains("READ"), "{answer}");
    for missing in ["999", "0", "x", "1,2"] {
        let _ = admin
            .get(&format!("/rest/objects/{missing}/references"))
            .await
            .expect(404);
    }
    let _ = admin
        .get(&format!("{}?limit=-1", references(small.berlin)))
        .await
        .expect(400);
}

#[apply(both)]
async fn a_reused_id_does_not_inherit_references(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "host", &[field("ref", "other")]).await;
    let target = insert(&admin, type_id, &[]).await;
    let referrer = insert(&admin, type_id, &[("other", json!(target))]).await;
    let _ = admin.delete(&path(referrer)).await.expect(200);
    let mut body = inventory::object(type_id, &[("other", json!(null))]);
    body["public_id"] = json!(referrer);
    let _ = admin.post("/rest/objects/", body).await.expect(200);
    assert_eq!(
        admin.get(&references(target)).await.expect(200).ids(),
        [0_i64; 0]
    );
}
