//! Exports (`docs/guide/src/exports.md`).

mod archive;
mod cells;
mod documents;
mod running;
mod sheet;

use serde_json::{Value, json};
use stockroom_service::csv::{cell, undo};
use stockroom_testkit::{Answer, Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, patch_type, query, restrict,
};

const EXPORT: &str = "/rest/exports/objects";

/// An export with parameters.
async fn export(client: &Client, format: &str, parameters: &[(&str, &str)]) -> Answer {
    let parameters = [&[("format", format)], parameters].concat();
    client.get(&query(EXPORT, &parameters)).await
}

/// The text of an export.
async fn text(client: &Client, format: &str, parameters: &[(&str, &str)]) -> String {
    let answer = export(client, format, parameters).await.expect(200);
    String::from_utf8(answer.body).unwrap()
}

fn of_type(id: i64) -> String {
    json!({"type_id": id}).to_string()
}

/// The cells of a CSV file; `None` for nothing between two separators.
fn cells(text: &str, separator: char) -> Vec<Vec<Option<String>>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.get_or_insert_default().push('"');
            }
            '"' => {
                is_quoted = !is_quoted;
                cell.get_or_insert_default();
            }
            _ if is_quoted => cell.get_or_insert_default().push(next),
            _ if next == separator => row.push(cell.take()),
            '\r' => {
                assert_eq!(rest.next(), Some('\n'));
                row.push(cell.take());
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.get_or_insert_default().push(next),
        }
    }
    assert!(
        !is_quoted && row.is_empty() && cell.is_none(),
        "a whole file"
    );
    rows
}

/// The ids in a file of any format.
fn ids(format: &str, answer: &Answer) -> Vec<i64> {
    let text = String::from_utf8(answer.body.clone()).unwrap();
    let id = |document: Value| document["public_id"].as_i64().unwrap();
    match format {
        "csv" => {
            let rows = cells(&text, ',');
            let id = |row: &Vec<Option<String>>| row[0].as_ref().unwrap().parse().unwrap();
            rows[1..].iter().map(id).collect()
        }
        "json" => answer
            .json()
            .as_array()
            .unwrap()
            .iter()
            .cloned()
            .map(id)
            .collect(),
        _ => text
            .lines()
            .map(|line| id(serde_json::from_str(line).unwrap()))
            .collect(),
    }
}

/// Sites, and hosts with fields of many kinds.
async fn types(admin: &Client) -> [i64; 2] {
    let site = make_type(admin, "site", &[field("text", "city")]).await;
    let summary = json!({"render_meta": {"summary": {"fields": ["city"]}, "sections": []}});
    let _ = patch_type(admin, site, summary).await.expect(202);
    let options =
        json!({"options": [{"name": "deb", "label": "Debian"}, {"name": "=x", "label": "=X"}]});
    let fields = [
        field("text", "name"),
        field_with("select", "system", &options),
        field("number", "cores"),
        field("date", "bought"),
        field("password", "console"),
        field("ref", "site"),
        field("text", "active"),
    ];
    let body = json!({"name": "host", "label": "Host", "author_id": 1, "fields": fields, "render_meta": {"sections": [
        {"type": "section", "name": "one", "label": "One", "fields": ["site", "name", "gone"]},
        {"type": "section", "name": "two", "label": "Two", "fields": ["cores", "site", "console"]},
    ]}});
    [site, inventory::insert(admin, "/rest/types", body).await]
}

fn host(name: &str, more: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
    let names = ["system", "cores", "bought", "console", "site", "active"];
    let mut values = vec![("name", json!(name))];
    for name in names {
        let given = more.iter().find(|(given, _)| *given == name);
        values.push((name, given.map_or(Value::Null, |(_, value)| value.clone())));
    }
    values
}

#[apply(both)]
async fn a_table_has_the_fields_in_the_order_of_the_sections(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    let values = host(
        "web",
        &[
            ("system", json!("deb")),
            ("cores", json!(8)),
            ("bought", json!("2024-03-01")),
            ("console", json!("secret")),
            ("site", json!(bonn)),
            ("active", json!("")),
        ],
    );
    let first = insert(&admin, hosts, &values).await;
    let second = insert(&admin, hosts, &host("=db", &[("cores", json!(-1))])).await;
    let filter = [("filter", &*of_type(hosts))];
    let file = export(&admin, "csv", &filter).await.expect(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(
        file.header("content-disposition"),
        r#"attachment; filename="host-2026-03-04.csv""#
    );
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    assert_eq!(
        String::from_utf8(file.body).unwrap(),
        format!(
            "\
            public_id,active,site,name,cores,system,bought,fields.active\r\n\
            {first},true,{bonn},web,8,deb,2024-03-01,\"\"\r\n\
            {second},true,,'=db,-1,,,\r\n"
        )
    );
    let labels = [
        filter[0],
        ("labels", "true"),
        ("separator", ";"),
        ("bom", "true"),
    ];
    assert_eq!(
        text(&admin, "csv", &labels).await,
        format!(
            "\u{feff}\
            public_id;active;site;name;cores;system;bought;active\r\n\
            {first};true;Bonn;web;8;Debian;2024-03-01;\r\n\
            {second};true;;'=db;-1;;;\r\n"
        )
    );
    for (columns, expected) in [
            ("name", "name\r\nweb\r\n'=db\r\n".to_owned()),
            ("values.name", "name\r\nweb\r\n'=db\r\n".to_owned()),
            ("fields.active,active,version", "fields.active,active,version\r\n\"\",true,1.0.0\r\n,true,1.0.0\r\n".to_owned()),
            (r#"["cores", "public_id", "cores"]"#, format!("cores,public_id\r\n8,{first}\r\n-1,{second}\r\n")),
            ("creation_time,views,editor_id", "creation_time,views,editor_id\r\n2026-03-04T05:06:07.089000,0,\r\n2026-03-04T05:06:07.089000,0,\r\n".to_owned()),
        ] {
            let parameters = [filter[0], ("columns", columns)];
            assert_eq!(text(&admin, "csv", &parameters).await, expected, "{columns}");
        }
}

#[apply(both)]
async fn an_export_has_what_the_list_has(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    for number in 0..25 {
        let values = host(
            &format!("web-{number}"),
            &[("cores", json!(number % 4)), ("site", json!(bonn))],
        );
        insert(&admin, hosts, &values).await;
    }
    let _ = admin
        .put("/rest/objects/5/state", json!(false))
        .await
        .expect(200);
    let then = server.now().to_iso();
    server.advance(std::time::Duration::from_secs(60));
    let _ = admin.delete("/rest/objects/7").await.expect(200);
    let only_hosts = of_type(hosts);
    for parameters in [
        &[][..],
        &[("filter", r#"{"fields.cores": {"$gte": 2}, "type_id": 2}"#)],
        &[
            ("filter", &*only_hosts),
            ("sort", "fields.cores"),
            ("order", "-1"),
        ],
        &[
            ("filter", &*only_hosts),
            ("sort", "public_id"),
            ("order", "-1"),
        ],
        &[("filter", &*only_hosts), ("active", "true")],
        &[
            ("filter", r#"{"values.name": {"$regex": "1$"}}"#),
            ("sort", "fields.name"),
        ],
        &[("q", "web-1")],
        &[("filter", r#"{"public_id": 0}"#)],
        &[
            ("as_of", &*then),
            ("filter", &*only_hosts),
            ("sort", "fields.cores"),
        ],
    ] {
        let expected = list(&admin, &[parameters, &[("limit", "0")]].concat())
            .await
            .expect(200);
        for format in ["json", "ndjson", "csv"] {
            if format == "csv" && !parameters.contains(&("filter", &*only_hosts)) {
                continue;
            }
            let file = export(&admin, format, parameters).await.expect(200);
            assert_eq!(
                ids(format, &file),
                expected.ids(),
                "{format} {parameters:?}"
            );
        }
        let file = export(&admin, "json", parameters).await.expect(200);
        assert_eq!(file.json(), expected.member("results"));
    }
}

#[apply(both)]
async fn a_saved_view_says_what_to_export(server: TestServer) {
    let admin = server.admin();
    let [_, hosts] = types(&admin).await;
    for number in 0..6 {
        insert(
            &admin,
            hosts,
            &host(&format!("web-{number}"), &[("cores", json!(number))]),
        )
        .await;
    }
    let definition = json!({
        "columns": ["fields.name", "public_id", "fields.gone", "fields.console"],
        "filter": {"fields.cores": {"$gte": 2}}, "sort": "fields.cores", "order": -1,
    });
    let body = json!({"name": "v", "type_id": hosts, "definition": definition});
    let view = inventory::insert(&admin, "/rest/views", body)
        .await
        .to_string();
    let view = [("view", view.as_str())];
    assert_eq!(
        text(&admin, "csv", &view).await,
        "name,public_id\r\nweb-5,6\r\nweb-4,5\r\nweb-3,4\r\nweb-2,3\r\n"
    );
    let more = [
        view[0],
        ("filter", r#"{"fields.cores": {"$lt": 4}}"#),
        ("sort", "public_id"),
        ("columns", "cores"),
    ];
    assert_eq!(text(&admin, "csv", &more).await, "cores\r\n2\r\n3\r\n");
    let person = server.user_with(OBJECTS).await;
    let _ = export(&person.client, "csv", &view).await.expect(404);
    let _ = export(&admin, "csv", &[("view", "999")]).await.expect(404);
}

#[apply(both)]
async fn hidden_objects_stay_hidden(server: TestServer) {
    let admin = server.admin();
    let [site, hosts] = types(&admin).await;
    let bonn = insert(&admin, site, &[("city", json!("Bonn"))]).await;
    let web = insert(&admin, hosts, &host("web", &[("site", json!(bonn))])).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, site, person.group_id, &[]).await;
    let file = export(&person.client, "ndjson", &[]).await.expect(200);
    assert_eq!(ids("ndjson", &file), [web]);
    let labels = [
        ("filter", &*of_type(hosts)),
        ("labels", "true"),
        ("columns", "site"),
    ];
    assert_eq!(text(&admin, "csv", &labels).await, "site\r\nBonn\r\n");
    assert_eq!(
        text(&person.client, "csv", &labels).await,
        format!("site\r\n{bonn}\r\n")
    );
    let hidden = export(&person.client, "csv", &[("filter", &*of_type(site))]).await;
    assert_eq!(hidden.pointers(), ["format"]);
    let missing = export(&person.client, "csv", &[("filter", &*of_type(99))]).await;
    assert_eq!(hidden.detail(), missing.detail());
    // Only one type is visible, so a table needs no filter.
    let file = export(&person.client, "csv", &[]).await.expect(200);
    assert_eq!(ids("csv", &file), [web]);
}

#[apply(both)]
async fn passwords_never_leave(server: TestServer) {
    let admin = server.admin();
    let [_, hosts] = types(&admin).await;
    insert(
        &admin,
        hosts,
        &host("web", &[("console", json!("open sesame"))]),
    )
    .await;
    let filter = ("filter", of_type(hosts));
    let filter = (filter.0, &*filter.1);
    for format in ["csv", "json", "ndjson"] {
        for more in [&[][..], &[("columns", "name,fields.console")]] {
            let file = export(&admin, format, &[&[filter], more].concat()).await;
            if file.status == 400 {
                assert_eq!(
                    (format, file.pointers()),
                    ("csv", vec!["columns".to_owned()])
                );
                continue;
            }
            let text = String::from_utf8(file.expect(200).body).unwrap();
            assert!(
                text.contains("web") && !text.contains("sesame") && !text.contains('•'),
                "{text}"
            );
        }
    }
    let found = export(
        &admin,
        "json",
        &[("filter", r#"{"fields.console": "open sesame"}"#)],
    )
    .await;
    assert_eq!(found.expect(200).json(), json!([]));
}

#[apply(both)]
async fn a_wrong_export_is_refused(server: TestServer) {
    let admin = server.admin();
    let [_, hosts] = types(&admin).await;
    let filter = ("filter", of_type(hosts));
    let filter = (filter.0, &*filter.1);
    for (parameters, pointers) in [
        (&[][..], &["format"][..]),
        (&[("format", "")], &["format"]),
        (&[("format", "pdf")], &["format"]),
        (&[("format", "csv")], &["format"]),
        (
            &[
                ("format", "xlsx"),
                ("filter", r#"{"type_id": {"$in": [1, 2]}}"#),
            ],
            &["format"],
        ),
        (
            &[("format", "csv"), filter, ("separator", "x")],
            &["separator"],
        ),
        (&[("format", "json"), ("separator", ";")], &["separator"]),
        (&[("format", "json"), ("bom", "true")], &["bom"]),
        (&[("format", "json"), ("labels", "true")], &["labels"]),
        (
            &[("format", "csv"), filter, ("labels", "maybe")],
            &["labels"],
        ),
        (
            &[("format", "csv"), filter, ("columns", "name,nmae,cors")],
            &["columns", "columns"],
        ),
        (
            &[("format", "csv"), filter, ("columns", "[1]")],
            &["columns"],
        ),
        (&[("format", "csv"), filter, ("columns", "[")], &["columns"]),
        (
            &[("format", "csv"), filter, ("columns", "console")],
            &["columns"],
        ),
        (&[("format", "json"), ("columns", "nmae")], &["columns"]),
        (&[("format", "json"), ("filter", "{")], &["filter"]),
        (
            &[("format", "json"), ("filter", r#"{"fields.nmae": 1}"#)],
            &["filter"],
        ),
        (&[("format", "json"), ("sort", "fields.nmae")], &["sort"]),
        (&[("format", "json"), ("limit", "5")], &["limit"]),
        (&[("format", "json"), ("view", "x")], &["view"]),
        (&[("format", "json"), ("as_of", "9999-01-01")], &["as_of"]),
        (
            &[("format", "json"), ("as_of", "2026-03-04"), ("q", "a")],
            &["q"],
        ),
    ] {
        let answer = admin.get(&query(EXPORT, parameters)).await;
        assert_eq!(answer.pointers(), pointers, "{parameters:?}");
    }
    let _ = admin.get("/rest/exports/all?limit=1").await.expect(400);
}

#[apply(both)]
async fn head_says_what_get_would_send(server: TestServer) {
    let admin = server.admin();
    let [_, hosts] = types(&admin).await;
    let filter = ("filter", of_type(hosts));
    for format in ["csv", "xlsx", "json", "ndjson"] {
        let path = query(EXPORT, &[("format", format), (filter.0, &*filter.1)]);
        let head = admin.head(&path).await.expect(200);
        assert!(
            head.header("content-disposition")
                .contains(&format!("host-2026-03-04.{format}"))
        );
    }
    let _ = admin
        .head(&query(EXPORT, &[("format", "csv")]))
        .await
        .expect(400);
    let _ = admin.head("/rest/exports/all").await.expect(200);
}
