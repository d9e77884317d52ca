//! Reference fields: visible, hidden and dangling targets, with and without lines.

use crate::support::{Inventory, field, flat_type, record};
use std::slice::from_ref;

use serde_json::{Value, json};

/// Object 5 references `value` through a field with these summaries. Object 6 is a rack, object 7 a
/// hidden one.
fn rendered(summaries: Option<Value>, value: &Value) -> Value {
    let mut rack = json!({"type": "ref", "name": "rack", "label": "Rack", "ref_types": [2]});
    if let Some(summaries) = summaries {
        rack["summaries"] = summaries;
    }
    let inventory = Inventory::new(
        &[
            flat_type(1, &[rack]),
            json!({
                "public_id": 2, "name": "rack", "label": "Rack",
                "fields": [field("text", "room"), field("date", "built"), field("password", "code"), field("ref", "row")],
                "render_meta": {"icon": "fa-rack", "summary": {"fields": ["room", "gone", "code"]}},
            }),
        ],
        &[
            record(5, 1, &[("rack", value.clone())]),
            record(
                6,
                2,
                &[
                    ("room", json!("R1")),
                    ("built", json!("2020-01-02")),
                    ("code", json!("secret")),
                    ("row", json!(7)),
                ],
            ),
            record(7, 2, &[("room", json!("vault"))]),
            record(8, 99, &[]),
        ],
    )
    .hide(7);
    inventory.render_type_information(5)["fields"][0].take()
}

fn summary(line: &str, fields: &Value) -> Value {
    json!([
        {"type_id": 3, "line": "other", "label": "", "fields": [], "icon": "", "prefix": true},
        {"type_id": 2, "line": line, "label": "", "fields": fields, "icon": "fa-unused", "prefix": false},
    ])
}

#[test]
fn a_line_is_filled_with_values_of_the_target() {
    for (template, fields, line, shown) in [
        (
            "{} of {}",
            json!(["room", "built"]),
            "R1 of 2020-01-02 00:00:00",
            json!(["R1", "2020-01-02 00:00:00"]),
        ),
        (
            "{1}/{0}",
            json!(["room", "row"]),
            "7/R1",
            json!(["R1", "7"]),
        ),
        ("{room} #{object_id}", json!([]), "R1 #6", json!([])),
        ("{} {}", json!(["gone", "room"]), " R1", json!(["R1"])),
        ("{} {} {}", json!(["room"]), "R1  ", json!(["R1"])),
        ("code {}", json!(["code"]), "code ••••••", json!(["••••••"])),
        ("{code}", json!([]), "••••••", json!([])),
        (
            "no placeholder",
            json!(["room"]),
            "no placeholder",
            json!([]),
        ),
    ] {
        let reference = rendered(Some(summary(template, &fields)), &json!(6))["reference"].take();
        assert_eq!(reference["line"], line, "{template}");
        let values: Vec<&Value> = reference["summaries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| &item["value"])
            .collect();
        assert_eq!(json!(values), shown, "{template}");
    }
}

#[test]
fn a_line_comes_with_type_icon_and_prefix() {
    assert_eq!(
        rendered(Some(summary("{}", &json!(["built"]))), &json!(6))["reference"].to_string(),
        json!({
            "type_id": 2, "object_id": 6, "line": "2020-01-02 00:00:00", "type_label": "Rack",
            "summaries": [{"value": "2020-01-02 00:00:00", "type": "date"}], "icon": "fa-rack", "prefix": false,
        })
        .to_string()
    );
    let defaults = json!([{"type_id": 2, "line": "rack", "label": "", "icon": ""}]);
    assert_eq!(
        rendered(Some(defaults), &json!(6))["reference"]["prefix"],
        true
    );
}

#[test]
fn without_a_line_for_its_type_the_target_shows_its_own_summary() {
    assert_eq!(
        rendered(Some(json!([])), &json!(6))["reference"],
        json!({
            "type_id": 2, "object_id": 6, "line": null, "type_label": "Rack", "icon": "fa-rack", "prefix": false,
            "summaries": [{"value": "R1", "type": "text"}, {"value": "••••••", "type": "password"}],
        })
    );
}

#[test]
fn without_summaries_the_target_shows_all_its_fields() {
    assert_eq!(
        rendered(None, &json!(6))["reference"],
        json!({
            "type_id": 2, "type_name": "rack", "type_label": "Rack", "object_id": 6,
            "summaries": [
                {"type": "text", "name": "room", "label": "room", "value": "R1"},
                {"type": "date", "name": "built", "label": "built", "value": {"$date": 1_577_923_200_000_i64}},
                {"type": "password", "name": "code", "label": "code", "value": "••••••"},
                {"type": "ref", "name": "row", "label": "row", "value": 7},
            ],
        })
    );
}

#[test]
fn the_value_stays_whatever_it_leads_to() {
    let dangling_line = json!({
        "type_id": 0, "object_id": 0, "line": "", "type_label": "", "summaries": [], "icon": null, "prefix": false,
    });
    let dangling =
        json!({"type_id": 0, "type_name": "", "type_label": "", "object_id": 0, "summaries": []});
    for (case, value, in_a_line, in_full) in [
        ("hidden", json!(7), Some(json!(null)), Some(json!(null))),
        (
            "hidden, as text",
            json!("7"),
            Some(json!(null)),
            Some(json!(null)),
        ),
        (
            "missing",
            json!(404),
            Some(dangling_line.clone()),
            Some(dangling.clone()),
        ),
        (
            "missing, as text",
            json!("404"),
            Some(dangling_line.clone()),
            Some(dangling.clone()),
        ),
        (
            "of a type that is gone",
            json!(8),
            Some(dangling_line.clone()),
            Some(dangling.clone()),
        ),
        (
            "no id at all",
            json!("rack six"),
            Some(dangling_line),
            Some(dangling),
        ),
        ("null", json!(null), None, None),
        ("empty", json!(""), None, None),
        ("zero", json!(0), None, None),
    ] {
        for (summaries, expected) in [(Some(json!([])), in_a_line), (None, in_full)] {
            let field = rendered(summaries, &value);
            assert_eq!(field["value"], value, "{case}");
            assert_eq!(field.get("reference"), expected.as_ref(), "{case}");
        }
    }
}

#[test]
fn an_id_in_text_form_works_like_a_number() {
    for summaries in [Some(json!([])), None] {
        let [number, text] =
            [json!(6), json!("6")].map(|value| rendered(summaries.clone(), &value));
        assert_eq!(number["reference"], text["reference"]);
        assert_eq!(text["value"], "6");
    }
}

#[test]
fn every_kind_of_reference_field_shows_its_target() {
    for (definition, is_reference) in [
        (field("ref", "f"), true),
        (field("location", "f"), true),
        (field("ref-section-field", "f"), true),
        (
            json!({"type": "asset", "name": "f", "label": "f", "ref_types": [1]}),
            true,
        ),
        (field("text", "f"), false),
        (
            json!({"type": "password", "name": "f", "label": "f", "ref_types": [1]}),
            false,
        ),
        (
            json!({"type": "text", "name": "f", "label": "f", "reference": "as sent"}),
            false,
        ),
    ] {
        let inventory = Inventory::new(
            &[flat_type(1, from_ref(&definition))],
            &[record(5, 1, &[("f", json!("5"))])],
        );
        let fields = inventory.render_type_information(5)["fields"].take();
        assert_eq!(
            fields[0].get("reference").is_some(),
            is_reference,
            "{definition}"
        );
    }
}
