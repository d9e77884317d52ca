//! The summary line of an object.

use crate::support::{Inventory, field, object, record, section, template};
use serde_json::{Value, json};
use stockroom_render::summary_line;

fn line(kinds: &[(&str, &str)], summary: &[&str], values: &[(&str, Value)]) -> String {
    let fields: Vec<Value> = kinds.iter().map(|(kind, name)| field(kind, name)).collect();
    let template =
        template(&json!({"fields": fields, "render_meta": {"summary": {"fields": summary}}}));
    summary_line(&object(&record(5, 1, values)), &template)
}

#[test]
fn values_read_as_plain_text() {
    for (kind, value, expected) in [
        ("text", json!("h1"), "h1"),
        ("text", json!(null), ""),
        ("text", json!(""), ""),
        ("checkbox", json!(true), "true"),
        ("checkbox", json!(false), "false"),
        ("number", json!(0), "0"),
        (
            "number",
            json!(9_007_199_254_740_993_i64),
            "9007199254740993",
        ),
        ("number", json!(1.5), "1.5"),
        ("date", json!("2020-01-02"), "2020-01-02 00:00:00"),
        (
            "date",
            json!({"$date": 1_577_923_200_000_i64}),
            "2020-01-02 00:00:00",
        ),
        ("date", json!("next week"), ""),
        (
            "other",
            json!({"$date": 1_577_923_200_000_i64}),
            "2020-01-02 00:00:00",
        ),
        ("ref", json!(12), "12"),
        ("ref", json!("12"), "12"),
        ("password", json!("secret"), "••••••"),
        ("password", json!(null), ""),
    ] {
        let line = line(
            &[(kind, "f"), ("text", "end")],
            &["f", "end"],
            &[("f", value.clone()), ("end", json!("."))],
        );
        assert_eq!(line, format!("{expected} | ."), "{kind} {value}");
    }
}

#[test]
fn unknown_names_are_skipped_and_none_left_gives_type_and_id() {
    let values = [("a", json!("x")), ("b", json!("y"))];
    let kinds = [("text", "a"), ("text", "b")];
    for (summary, expected) in [
        (&["b", "a"][..], "y | x"),
        (&["gone", "a"], "x"),
        (&["gone"], "Server #5"),
        (&[], "Server #5"),
        (&["object_id", "a"], "5 | x"),
    ] {
        assert_eq!(line(&kinds, summary, &values), expected, "{summary:?}");
    }
}

#[test]
fn a_type_without_a_label_goes_by_its_name() {
    let template = template(&json!({"name": "rack-server", "label": ""}));
    assert_eq!(
        summary_line(&object(&record(5, 1, &[])), &template),
        "Rack-Server #5"
    );
}

#[test]
fn summaries_are_rendered_fields_without_secrets() {
    let inventory = Inventory::new(
        &[json!({
            "public_id": 1,
            "fields": [field("text", "host"), field("password", "key")],
            "render_meta": {
                "sections": [section("section", "all", &json!(["host", "key"]))],
                "summary": {"fields": ["key", "gone", "host"]},
            },
        })],
        &[record(
            5,
            1,
            &[("host", json!("h1")), ("key", json!("secret"))],
        )],
    );
    let rendered = inventory.render_type_information(5);
    assert_eq!(
        rendered["summaries"],
        json!([
            {"type": "password", "name": "key", "label": "key", "value": "••••••"},
            {"type": "text", "name": "host", "label": "host", "value": "h1"},
        ])
    );
    assert_eq!(rendered["summary_line"], "•••••• | h1");
    assert_eq!(rendered["fields"][1]["value"], "secret");
}

#[test]
fn a_summary_field_in_no_section_shows_the_value_and_its_reference() {
    let inventory = Inventory::new(
        &[
            json!({
                "public_id": 1, "fields": [field("ref", "rack")], "render_meta": {"summary": {"fields": ["rack"]}},
            }),
            json!({"public_id": 2, "name": "rack", "label": "Rack"}),
        ],
        &[record(5, 1, &[("rack", json!(6))]), record(6, 2, &[])],
    );
    let rendered = inventory.render_type_information(5);
    assert_eq!(rendered["fields"][0]["reference"]["type_label"], "Rack");
    assert_eq!(rendered["summaries"][0]["value"], 6);
    assert_eq!(rendered["summaries"][0]["reference"]["type_label"], "Rack");
}
