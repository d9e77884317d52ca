//! `labels=true` on lists and reads of objects.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, native, patch_type, path, query, restrict,
};

/// The labels of a list of all objects.
async fn labels(client: &Client, more: &[(&str, &str)]) -> Value {
    let parameters = [&[("labels", "true"), ("limit", "100")], more].concat();
    list(client, &parameters).await.expect(200).member("labels")
}

/// A type with a summary, and one whose objects reference others in several ways.
async fn inventory(server: &TestServer) -> [i64; 2] {
    let admin = server.admin();
    let site = make_type(
        &admin,
        "site",
        &[field("text", "city"), field("password", "key")],
    )
    .await;
    let meta = json!({"render_meta": {"summary": {"fields": ["city", "key"]}, "sections": [
        {"type": "section", "name": "all", "label": "All", "fields": ["city", "key"]},
    ]}});
    let _ = patch_type(&admin, site, meta).await.expect(202);
    let fields = [
        field("ref", "site"),
        field_with("text", "other", &json!({"ref_types": [site]})),
        field("text", "note"),
    ];
    [site, make_type(&admin, "host", &fields).await]
}

#[apply(both)]
async fn each_referenced_object_has_one_label(server: TestServer) {
    let [site, host] = inventory(&server).await;
    let admin = server.admin();
    let bonn = insert(
        &admin,
        site,
        &[("city", json!("Bonn")), ("key", json!("secret"))],
    )
    .await;
    let graz = insert(
        &admin,
        site,
        &[("city", json!("Graz")), ("key", json!(null))],
    )
    .await;
    let first = insert(
        &admin,
        host,
        &[
            ("site", json!(bonn)),
            ("other", json!(null)),
            ("note", json!("7")),
        ],
    )
    .await;
    let second = insert(
        &admin,
        host,
        &[
            ("site", json!(first)),
            ("other", json!(graz.to_string())),
            ("note", json!(bonn.to_string())),
        ],
    )
    .await;
    insert(
        &admin,
        host,
        &[
            ("site", json!(bonn)),
            ("other", json!(null)),
            ("note", json!(null)),
        ],
    )
    .await;
    let _ = admin
        .put(&format!("{}/state", path(graz)), json!(false))
        .await
        .expect(200);
    let mut expected = json!({
        bonn.to_string(): {"type_id": site, "summary": "", "active": true},
        graz.to_string(): {"type_id": site, "summary": "Graz | ", "active": false},
        first.to_string(): {"type_id": host, "summary": format!("Host #{first}"), "active": true},
    });
    let found = labels(&admin, &[]).await;
    let shown = found[bonn.to_string()]["summary"].as_str().unwrap();
    assert!(
        shown.starts_with("Bonn | ") && !shown.contains("secret"),
        "{shown}"
    );
    expected[bonn.to_string()]["summary"] = json!(shown);
    assert_eq!(found, expected);
    assert_eq!(labels(&admin, &[("view", "render")]).await, expected);
    assert_eq!(
        labels(&admin, &[("projection", r#"["public_id"]"#)]).await,
        expected
    );
    let body = json!({"labels": true, "filter": {"public_id": second}});
    let answer = admin.post("/rest/objects/query", body).await.expect(200);
    let mut of_second = expected.clone();
    of_second.as_object_mut().unwrap().remove(&bonn.to_string());
    assert_eq!(answer.member("labels"), of_second);
    assert_eq!(answer.member("parameters")["optional"]["labels"], true);
    let references = query(
        &format!("{}/references", path(first)),
        &[("labels", "true")],
    );
    let references = admin.get(&references).await.expect(200);
    assert_eq!(references.member("labels"), of_second);
    for read in [path(second), format!("{}/native", path(second))] {
        let answer = admin
            .get(&query(&read, &[("labels", "true")]))
            .await
            .expect(200);
        let mut with_labels = answer.json();
        let found = with_labels.as_object_mut().unwrap().remove("labels");
        assert_eq!(found, Some(of_second.clone()), "{read}");
        assert_eq!(answer.header("x-revision"), "1");
        let without = admin.get(&read).await.expect(200).json();
        let keys = |document: &Value| {
            document
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&with_labels), keys(&without), "{read}");
        assert_eq!(with_labels["fields"], without["fields"]);
        assert_eq!(with_labels["type_information"], without["type_information"]);
    }
    for rendered in [first, graz] {
        let document = admin.get(&path(rendered)).await.expect(200).json();
        let line = &document["type_information"]["summary_line"];
        assert_eq!(&expected[rendered.to_string()]["summary"], line);
    }
    let without = list(&admin, &[("labels", "false")]).await.expect(200);
    assert!(!without.keys().contains(&"labels".to_owned()));
    assert_eq!(
        labels(&admin, &[("filter", r#"{"type_id": 0}"#)]).await,
        json!({})
    );
}

#[apply(both)]
async fn hidden_and_deleted_objects_have_no_label(server: TestServer) {
    let [site, host] = inventory(&server).await;
    let admin = server.admin();
    let bonn = insert(
        &admin,
        site,
        &[("city", json!("Bonn")), ("key", json!(null))],
    )
    .await;
    let values = |site: i64| {
        [
            ("site", json!(site)),
            ("other", json!(null)),
            ("note", json!(null)),
        ]
    };
    let first = insert(&admin, host, &values(bonn)).await;
    let second = insert(&admin, host, &values(first)).await;
    assert_eq!(native(&admin, second).await["public_id"], second);
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, site, person.group_id, &[]).await;
    let ids =
        |labels: &Value| -> Vec<String> { labels.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(ids(&labels(&person.client, &[]).await), [first.to_string()]);
    assert_eq!(labels(&admin, &[]).await.as_object().unwrap().len(), 2);
    let _ = admin.delete(&path(first)).await.expect(200);
    assert_eq!(labels(&person.client, &[]).await, json!({}));
}

#[apply(both)]
async fn the_labels_of_the_past_are_those_of_the_time(server: TestServer) {
    let [site, host] = inventory(&server).await;
    let admin = server.admin();
    let bonn = insert(
        &admin,
        site,
        &[("city", json!("Bonn")), ("key", json!(null))],
    )
    .await;
    insert(
        &admin,
        host,
        &[
            ("site", json!(bonn)),
            ("other", json!(null)),
            ("note", json!(null)),
        ],
    )
    .await;
    let then = server.now().to_iso();
    server.advance(std::time::Duration::from_secs(60));
    let _ = admin
        .patch(
            &path(bonn),
            json!({"fields": [{"name": "city", "value": "Graz"}]}),
        )
        .await
        .expect(200);
    let host_path = format!("{}/native", path(bonn + 1));
    let then_read = query(&host_path, &[("labels", "true"), ("as_of", &then)]);
    let labels_then = admin.get(&then_read).await.expect(200).member("labels");
    assert_eq!(labels_then[bonn.to_string()]["summary"], "Bonn | ");
    for (more, city) in [(&[][..], "Graz | "), (&[("as_of", &*then)][..], "Bonn | ")] {
        assert_eq!(
            labels(&admin, more).await[bonn.to_string()]["summary"],
            city
        );
    }
}

#[apply(both)]
async fn labels_need_a_bounded_page(server: TestServer) {
    for limit in ["0", "501"] {
        let answer = list(&server.admin(), &[("labels", "true"), ("limit", limit)])
            .await
            .expect(400);
        assert_eq!(answer.member("errors")[0]["pointer"], "labels");
    }
    let _ = list(&server.admin(), &[("labels", "maybe")])
        .await
        .expect(400);
    let _ = list(&server.admin(), &[("labels", "true"), ("limit", "500")])
        .await
        .expect(200);
}
