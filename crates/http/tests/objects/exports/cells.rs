//! Every value is read back from its cell.

use super::*;
use crate::fixture::{document, native, stored};
use stockroom_testkit::Engine;
use stockroom_testkit::apply;

/// Texts that CSV, spreadsheets or our own marks could change.
const TEXTS: [&str; 30] = [
    "",
    " ",
    "plain",
    "a,b",
    "a;b",
    "a\tb",
    "say \"hi\"",
    "\"",
    "\"\"",
    "two\nlines",
    "two\r\nlines",
    "\r",
    "=1+1",
    "+49 30",
    "-5",
    "@home",
    "\tx",
    "'",
    "'=1",
    "''",
    "'tis",
    "\\",
    "\\\\",
    "\\n",
    "null",
    "true",
    "12",
    "{\"a\": 1}",
    "日本 😀 ü",
    "\u{feff}x",
];

fn values() -> Vec<Value> {
    let mut values: Vec<Value> = TEXTS.iter().map(|text| json!(text)).collect();
    values.extend([
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-5),
        json!(1.5),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!({"$date": 1_577_836_800_000_i64}),
        json!("2024-03-01"),
    ]);
    values
}

#[apply(both)]
async fn every_value_is_read_back(server: TestServer) {
    let admin = server.admin();
    let fields = [
        field("text", "text"),
        field("invented", "any"),
        field("select", "chosen"),
    ];
    let type_id = make_type(&admin, "thing", &fields).await;
    let mut written = Vec::new();
    for value in values() {
        let text = if value.is_string() {
            value.clone()
        } else {
            json!(null)
        };
        let values = [("text", text.clone()), ("any", value), ("chosen", text)];
        written.push(insert(&admin, type_id, &values).await);
    }
    // From now on, the objects lack a field of their type.
    let more = [&fields[..], &[field("text", "more")]].concat();
    let _ = patch_type(&admin, type_id, json!({"fields": more}))
        .await
        .expect(202);
    for (name, separator) in [(",", ','), (";", ';'), ("tab", '\t')] {
        let parameters = [("filter", &*of_type(type_id)), ("separator", name)];
        let text = text(&admin, "csv", &parameters).await;
        let rows = cells(&text, separator);
        let header: Vec<&str> = rows[0]
            .iter()
            .map(|cell| cell.as_deref().unwrap())
            .collect();
        assert_eq!(
            header,
            ["public_id", "active", "text", "any", "chosen", "more"]
        );
        assert_eq!(rows.len(), written.len() + 1);
        for (row, id) in rows[1..].iter().zip(&written) {
            assert_eq!(row[0], Some(id.to_string()));
            let document = native(&admin, *id).await;
            let read = header.iter().zip(row).skip(2).filter_map(|(name, cell)| {
                let holds_texts = *name != "any";
                let value = cell::read_cell(cell.as_deref().map(undo), holds_texts).unwrap();
                value.map(|value| json!({"name": name, "value": value}))
            });
            let read: Vec<Value> = read.collect();
            assert_eq!(
                Value::from(read),
                document["fields"],
                "{separator:?} {row:?}"
            );
        }
    }
}

#[apply(both)]
async fn old_documents_are_exported_as_they_are(engine: Engine) {
    let mut odd = document(
        3,
        1,
        &[("a", json!([1, {"b": "x,y"}])), ("b", json!({"c": null}))],
    );
    odd.as_object_mut().unwrap().remove("active");
    let documents = vec![
        document(1, 1, &[("a", json!("x")), ("a", json!("again"))]),
        document(2, 1, &[("a", json!(7))]),
        odd,
        json!({"public_id": 4, "type_id": 1, "fields": "none"}),
    ];
    let server = stored(documents.clone(), engine).await;
    // The OpenAPI document describes what can be stored today.
    let admin = server.admin().unchecked();
    let file = export(&admin, "json", &[]).await.expect(200);
    let expected = list(&admin, &[("limit", "0")])
        .await
        .expect(200)
        .member("results");
    assert_eq!(file.json(), expected);
    let lines = text(&admin, "ndjson", &[]).await;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(lines), expected);
    let body = json!({"fields": [field("text", "a"), field("other", "b")]});
    let _ = patch_type(&admin, 1, body).await.expect(202);
    let table = text(&admin, "csv", &[("filter", &*of_type(1))]).await;
    assert_eq!(
        table,
        "public_id,active,a,b\r\n\
            1,true,x,\\\r\n\
            2,true,\\7,\\\r\n\
            3,,\"\\[1,{\"\"b\"\":\"\"x,y\"\"}]\",\"{\"\"c\"\":null}\"\r\n\
            4,,\\,\\\r\n"
    );
}
