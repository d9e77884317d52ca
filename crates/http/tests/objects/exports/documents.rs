//! Files of documents.

use super::*;
use stockroom_testkit::apply;

#[apply(both)]
async fn documents_are_native_and_whole(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    for (type_id, values) in [
        (site, vec![("city", json!("Bonn\n\"x\""))]),
        (hosts, host("web", &[])),
    ] {
        insert(&admin, type_id, &values).await;
    }
    let expected = list(&admin, &[]).await.expect(200).member("results");
    let file = export(&admin, "json", &[]).await.expect(200);
    assert_eq!(file.header("content-type"), "application/json");
    assert_eq!(
        file.header("content-disposition"),
        r#"attachment; filename="objects-2026-03-04.json""#
    );
    assert_eq!(file.json(), expected);
    let file = export(&admin, "ndjson", &[]).await.expect(200);
    assert_eq!(file.header("content-type"), "application/x-ndjson");
    let text = String::from_utf8(file.body).unwrap();
    assert!(text.ends_with("}\n"));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(lines), expected);
}

#[apply(both)]
async fn columns_cut_documents_down(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    let web = insert(&admin, hosts, &host("web", &[])).await;
    let file = export(&admin, "json", &[("columns", "public_id,city,fields.name")]).await;
    assert_eq!(
        file.expect(200).json(),
        json!([
            {"public_id": bonn, "fields": [{"name": "city", "value": "Bonn"}]},
            {"public_id": web, "fields": [{"name": "name", "value": "web"}]},
        ])
    );
}

#[apply(both)]
async fn an_empty_type_has_a_file(server: TestServer) {
    let admin = server.admin();
    let [site, _] = types(&admin).await;
    let filter = of_type(site);
    for (format, expected) in [
        ("csv", "public_id,active,city\r\n"),
        ("json", "[]\n"),
        ("ndjson", ""),
    ] {
        assert_eq!(
            text(&admin, format, &[("filter", &*filter)]).await,
            expected
        );
    }
    let empty = inventory::insert(
        &admin,
        "/rest/types",
        json!({"name": "empty", "author_id": 1}),
    )
    .await;
    let table = text(&admin, "csv", &[("filter", &*of_type(empty))]).await;
    assert_eq!(table, "public_id,active\r\n");
}

#[apply(both)]
async fn the_past_has_the_fields_of_its_time(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "thing", &[field("text", "old")]).await;
    let first = insert(&admin, type_id, &[("old", json!("then"))]).await;
    let then = server.now().to_iso();
    server.advance(std::time::Duration::from_secs(60));
    let fields = json!({"fields": [field("text", "new")]});
    let _ = patch_type(&admin, type_id, fields).await.expect(202);
    insert(&admin, type_id, &[("new", json!("now"))]).await;
    let filter = of_type(type_id);
    let parameters = [("filter", &*filter), ("as_of", &*then)];
    let table = text(&admin, "csv", &parameters).await;
    assert_eq!(
        table,
        format!("public_id,active,old\r\n{first},true,then\r\n")
    );
    let now = text(&admin, "csv", &parameters[..1]).await;
    assert!(now.starts_with("public_id,active,new\r\n"), "{now}");
}
