//! Targets for Prometheus (`docs/guide/src/integrations.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, apply, both, run};

use crate::fixture::{
    OBJECTS, document, field, insert, make_type, patch_type, path, query, restrict,
};

const TARGETS: &str = "/rest/integrations/http_sd";

async fn ask(client: &Client, parameters: &[(&str, &str)]) -> Answer {
    client.get(&query(TARGETS, parameters)).await
}

/// The targets, each with its labels but without those that every target has.
async fn targets(client: &Client, parameters: &[(&str, &str)]) -> Vec<(String, Value)> {
    let answer = ask(client, parameters).await.expect(200).json();
    let groups = answer.as_array().unwrap().iter();
    let target = |group: &Value| {
        assert_eq!(group["targets"].as_array().unwrap().len(), 1, "{group}");
        let mut labels = group["labels"].clone();
        let members = labels.as_object_mut().unwrap();
        for name in ["public_id", "type"] {
            assert!(
                members
                    .remove(&format!("__meta_stockroom_{name}"))
                    .is_some()
            );
        }
        (group["targets"][0].as_str().unwrap().to_owned(), labels)
    };
    groups.map(target).collect()
}

async fn addresses(client: &Client, parameters: &[(&str, &str)]) -> Vec<String> {
    let found = targets(client, parameters).await;
    found.into_iter().map(|(target, _)| target).collect()
}

/// Sites, and hosts that reference them.
async fn types(admin: &Client) -> [i64; 2] {
    let site = make_type(admin, "site", &[field("text", "city")]).await;
    let summary = json!({"render_meta": {"summary": {"fields": ["city"]}, "sections": []}});
    let _ = patch_type(admin, site, summary).await.expect(202);
    let fields = [
        field("text", "host"),
        field("text", "os-version"),
        field("text", "os_version"),
        field("number", "port"),
        field("password", "console"),
        field("ref", "site"),
    ];
    [site, make_type(admin, "host", &fields).await]
}

async fn host(admin: &Client, hosts: i64, name: &str, site: Option<i64>) -> i64 {
    let values = [
        ("host", json!(name)),
        ("os-version", json!("12.5")),
        ("os_version", json!(null)),
        ("port", json!(9100)),
        ("console", json!("open sesame")),
        ("site", json!(site)),
    ];
    insert(admin, hosts, &values).await
}

#[apply(both)]
async fn objects_are_targets_with_labels(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    assert_eq!(
        ask(&admin, &[("address", "host")]).await.expect(200).json(),
        json!([])
    );
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    let web = host(&admin, hosts, "web-01", Some(bonn)).await;
    host(&admin, hosts, "192.0.2.7/24", None).await;
    let parameters = [
        ("address", "host"),
        ("port", "port"),
        ("labels", "os-version,os-version,site,active,fields.host"),
    ];
    let answer = ask(&admin, &parameters).await.expect(200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(
        answer.json(),
        json!([
            {"targets": ["web-01:9100"], "labels": {
                "__meta_stockroom_type": "host",
                "__meta_stockroom_public_id": web.to_string(),
                "__meta_stockroom_field_os_version": "12.5",
                "__meta_stockroom_field_site": "Bonn",
                "__meta_stockroom_active": "true",
                "__meta_stockroom_field_host": "web-01",
            }},
            {"targets": ["192.0.2.7:9100"], "labels": {
                "__meta_stockroom_type": "host",
                "__meta_stockroom_public_id": (web + 1).to_string(),
                "__meta_stockroom_field_os_version": "12.5",
                "__meta_stockroom_active": "true",
                "__meta_stockroom_field_host": "192.0.2.7/24",
            }},
        ])
    );
    let filter = r#"{"fields.host": {"$regex": "^web"}}"#;
    assert_eq!(
        addresses(&admin, &[("address", "host"), ("filter", filter)]).await,
        ["web-01"]
    );
    assert_eq!(
        addresses(&admin, &[("address", "site"), ("port", "80")]).await,
        ["Bonn:80"]
    );
    let state = format!("{}/state", path(web));
    let _ = admin.put(&state, json!(false)).await.expect(200);
    assert_eq!(
        addresses(&admin, &[("address", "host")]).await,
        ["192.0.2.7"]
    );
    assert_eq!(
        addresses(&admin, &[("address", "host"), ("active", "false")])
            .await
            .len(),
        2
    );
    let head = admin.head(&query(TARGETS, &parameters)).await.expect(200);
    assert_eq!(head.header("content-type"), "application/json");
}

#[apply(both)]
async fn access_lists_hide_targets_and_summaries(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    host(&admin, hosts, "web-01", Some(bonn)).await;
    let person = server.user_with(OBJECTS).await;
    let parameters = [("address", "host"), ("labels", "site")];
    let label = |text: &str| json!({"__meta_stockroom_field_site": text});
    assert_eq!(
        targets(&person.client, &parameters).await,
        [("web-01".to_owned(), label("Bonn"))]
    );
    restrict(&admin, site, person.group_id, &[]).await;
    let hidden = [("web-01".to_owned(), label(&bonn.to_string()))];
    assert_eq!(targets(&person.client, &parameters).await, hidden);
    assert!(
        addresses(&person.client, &[("address", "site")])
            .await
            .is_empty()
    );
    restrict(&admin, hosts, person.group_id, &[]).await;
    let refused = ask(&person.client, &[("address", "host")]).await;
    assert_eq!(refused.pointers(), ["address"]);
    let other = server.user_with(&["base.framework.type.view"]).await;
    let _ = ask(&other.client, &[("address", "host")]).await.expect(403);
}

#[apply(both)]
async fn a_name_that_leads_nowhere_is_refused(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    host(&admin, hosts, "web-01", None).await;
    let only_sites = json!({"type_id": site}).to_string();
    for (parameters, pointers, says) in [
        (&[][..], &["address"][..], "must be the name of the field"),
        (
            &[("address", "hsot")],
            &["address"],
            "the fields are city, host, os-version, os_version, port, site",
        ),
        (
            &[("address", "host"), ("filter", &*only_sites)],
            &["address"],
            "the fields are city",
        ),
        (
            &[("address", "host"), ("filter", r#"{"type_id": 99}"#)],
            &["address"],
            "no type that you may see",
        ),
        (&[("address", "console")], &["address"], "is a password"),
        (
            &[("address", "host"), ("port", "prot")],
            &["port"],
            "the fields are",
        ),
        (
            &[("address", "host"), ("port", "0")],
            &["port"],
            "from 1 to 65535",
        ),
        (
            &[("address", "host"), ("labels", "console")],
            &["labels"],
            "is a password",
        ),
        (
            &[("address", "hsot"), ("labels", "stie,creation_tiem")],
            &["address", "labels", "labels"],
            "the fields are",
        ),
        (
            &[("address", "host"), ("labels", "creation_tiem")],
            &["labels"],
            "creation_time",
        ),
        (
            &[("address", "host"), ("labels", "os-version,os_version")],
            &["labels"],
            "two of them become",
        ),
        (
            &[("address", "host"), ("filter", r#"{"fields.hsot": 1}"#)],
            &["filter"],
            "no place for warnings",
        ),
        (
            &[("address", "host"), ("lables", "site")],
            &["lables"],
            "no place for warnings",
        ),
    ] {
        let answer = ask(&admin, parameters).await.expect(400);
        assert_eq!(answer.pointers(), pointers, "{parameters:?}");
        let text = String::from_utf8(answer.body).unwrap();
        assert!(text.contains(says), "{parameters:?} {text}");
    }
    let whole = ask(&admin, &[("address", "host"), ("active", "false")])
        .await
        .expect(200);
    assert!(!String::from_utf8(whole.body).unwrap().contains("sesame"));
}

#[apply(both)]
async fn values_of_any_kind_are_labels_but_no_addresses(engine: Engine) {
    let values = [
        json!("web-01"),
        json!(null),
        json!(""),
        json!(5),
        json!(true),
        json!(["a", 1]),
        json!({"$date": 0}),
        json!({"a": "b"}),
        json!("a b"),
        json!("http://web-01/"),
    ];
    let document = |(id, value): (i64, &Value)| {
        document(
            id,
            1,
            &[
                ("host", json!(format!("h{id}"))),
                ("port", value.clone()),
                ("any", value.clone()),
            ],
        )
    };
    let setup = Setup {
        documents: (1..).zip(&values).map(document).collect(),
        ..Setup::default()
    };
    let server = setup.start(engine).await;
    let admin = server.admin();
    let fields = ["host", "port", "any"].map(|name| field("text", name));
    let _ = patch_type(&admin, 1, json!({"fields": fields}))
        .await
        .expect(202);
    assert_eq!(addresses(&admin, &[("address", "any")]).await, ["web-01"]);
    let found = targets(
        &admin,
        &[("address", "host"), ("port", "port"), ("labels", "any")],
    )
    .await;
    let labels: Vec<&Value> = found
        .iter()
        .map(|(_, labels)| &labels["__meta_stockroom_field_any"])
        .collect();
    let expected = json!([
        "web-01",
        null,
        null,
        "5",
        "true",
        ",a,1,",
        "1970-01-01T00:00:00.000000",
        r#"{"a":"b"}"#,
        "a b",
        "http://web-01/",
    ]);
    assert_eq!(json!(labels), expected);
    let addresses: Vec<&String> = found.iter().map(|(target, _)| target).collect();
    assert_eq!(
        addresses,
        [
            "h1", "h2", "h3", "h4:5", "h5", "h6", "h7", "h8", "h9", "h10"
        ]
    );
}

async fn refuses_too_many_objects(engine: Engine) {
    let document = |id| document(id, 1, &[("host", json!(format!("h{id}")))]);
    let setup = Setup {
        documents: (1..=10_001).map(document).collect(),
        ..Setup::default()
    };
    let server = setup.start(engine).await;
    let admin = server.admin();
    let fields = json!({"fields": [field("text", "host")]});
    let _ = patch_type(&admin, 1, fields).await.expect(202);
    let all = ask(&admin, &[("address", "host")]).await;
    assert_eq!(all.pointers(), ["filter"]);
    let fewer = r#"{"public_id": {"$lt": 10001}}"#;
    let fewer = addresses(&admin, &[("address", "host"), ("filter", fewer)]).await;
    assert_eq!(fewer.len(), 10_000);
}

// PostgreSQL needs half a minute to store as many documents, and the engines do not differ here.
#[test]
fn too_many_objects_are_refused() {
    run(Engine::Sqlite, refuses_too_many_objects);
}
