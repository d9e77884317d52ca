//! Reference sections: one level, nested, selected, hidden, cyclic.

use crate::support::{Inventory, field, record, section};
use std::slice::from_ref;

use serde_json::{Value, json};

/// A type with the text field `t<id>` and the section `s`, which shows the section `s` of type
/// `to`.
fn chain_type(id: i64, to: i64, selected: &Value) -> Value {
    let text = format!("t{id}");
    json!({
        "public_id": id, "name": format!("type-{id}"), "label": format!("Type {id}"),
        "fields": [field("text", &text), field("ref-section-field", "s-field")],
        "render_meta": {"icon": "fa", "sections": [{
            "type": "ref-section", "name": "s", "label": "S", "fields": ["s-field", text],
            "reference": {"type_id": to, "section_name": "s", "selected_fields": selected},
        }]},
    })
}

/// Object `id` of type `id`, which links to the object `to`.
fn chain_object(id: i64, to: &Value) -> Value {
    let text = format!("t{id}");
    record(
        id,
        id,
        &[(&text, json!(format!("v{id}"))), ("s-field", to.clone())],
    )
}

fn chain(length: i64) -> Inventory {
    let types: Vec<Value> = (1..=length)
        .map(|id| chain_type(id, id + 1, &json!([])))
        .collect();
    let objects: Vec<Value> = (1..=length)
        .map(|id| chain_object(id, &json!(id + 1)))
        .collect();
    Inventory::new(&types, &objects)
}

/// Names and values of the fields shown with the first field of object 1.
fn shown(inventory: &Inventory) -> Vec<(String, Value)> {
    let link = inventory.render_type_information(1)["fields"][0].take();
    let fields = link["references"]["fields"].as_array().unwrap();
    fields
        .iter()
        .map(|field| {
            (
                field["name"].as_str().unwrap().to_owned(),
                field["value"].clone(),
            )
        })
        .collect()
}

fn pairs(expected: &[(&str, Value)]) -> Vec<(String, Value)> {
    expected
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}

#[test]
fn a_reference_section_shows_a_section_of_the_target() {
    let inventory = Inventory::new(
        &[
            json!({
                "public_id": 1, "fields": [field("ref-section-field", "os-field")],
                "render_meta": {"sections": [{
                    "type": "ref-section", "name": "os", "label": "OS", "fields": ["os-field"],
                    "reference": {"type_id": 2, "section_name": "main", "selected_fields": []},
                }]},
            }),
            json!({
                "public_id": 2, "name": "os", "label": "System",
                "fields": [field("text", "name"), field("password", "key"), field("ref", "host"), field("text", "unseen")],
                "render_meta": {"icon": "fa-os", "sections": [section("section", "main", &json!(["name", "key", "gone", "host"]))]},
            }),
        ],
        &[
            record(5, 1, &[("os-field", json!("6"))]),
            record(6, 2, &[("name", json!("Linux")), ("key", json!("secret")), ("host", json!(7))]),
            record(7, 2, &[("name", json!("hidden"))]),
        ],
    )
    .hide(7);
    let rendered = inventory.render_type_information(5);
    assert_eq!(
        rendered["fields"],
        json!([{
            "type": "ref-section-field", "name": "os-field", "label": "os-field", "value": "6",
            "references": {
                "type_id": 2, "type_name": "os", "type_label": "System", "type_icon": "fa-os",
                "fields": [
                    {"type": "text", "name": "name", "label": "name", "value": "Linux"},
                    {"type": "password", "name": "key", "label": "key", "value": "••••••"},
                    {"type": "ref", "name": "host", "label": "host", "value": 7, "reference": null},
                ],
            },
        }])
    );
    assert_eq!(
        rendered["sections"],
        json!([{
            "type": "ref-section", "name": "os", "label": "OS", "fields": ["os-field"],
            "reference": {"type_id": 2, "section_name": "main", "selected_fields": []},
        }])
    );
}

#[test]
fn nested_reference_sections_are_one_flat_list_of_three_levels() {
    let expected = pairs(&[
        ("s-field", json!(3)),
        ("t3", json!("v3")),
        ("t2", json!("v2")),
    ]);
    // The chain ends at object 3, whose own section refers to a type that does not exist.
    assert_eq!(shown(&chain(3)), expected);
    let expected = pairs(&[
        ("s-field", json!(3)),
        ("s-field", json!(4)),
        ("s-field", json!(5)),
        ("t4", json!("v4")),
        ("t3", json!("v3")),
        ("t2", json!("v2")),
    ]);
    assert_eq!(shown(&chain(9)), expected);
}

#[test]
fn a_cycle_ends_after_three_levels() {
    let inventory = Inventory::new(
        &[chain_type(1, 1, &json!([]))],
        &[chain_object(1, &json!(1))],
    );
    let texts = shown(&inventory)
        .iter()
        .filter(|(name, _)| name == "t1")
        .count();
    assert_eq!(texts, 3);
}

#[test]
fn a_selection_picks_fields_of_any_level_and_a_link_picks_all_behind_it() {
    let all_behind = &[("s-field", json!(3)), ("t3", json!("v3"))][..];
    for (selected, expected) in [
        (json!(["t2"]), &[("t2", json!("v2"))][..]),
        (json!(["t3"]), &[("t3", json!("v3"))]),
        (json!(["s-field"]), all_behind),
        (json!(["gone"]), &[]),
    ] {
        let types = [
            chain_type(1, 2, &selected),
            chain_type(2, 3, &json!([])),
            chain_type(3, 99, &json!([])),
        ];
        let objects = [1, 2, 3].map(|id| chain_object(id, &json!(id + 1)));
        let inventory = Inventory::new(&types, &objects);
        assert_eq!(shown(&inventory), pairs(expected), "{selected}");
        let sections = inventory.render_type_information(1)["sections"].take();
        assert_eq!(sections[0]["reference"]["selected_fields"], selected);
    }
}

#[test]
fn a_hidden_target_shows_nothing_at_any_hop() {
    for hop in 2..=4_i64 {
        let inventory = chain(5).hide(hop);
        let document = inventory.render(1).to_string();
        for id in 2..=4_i64 {
            let text = format!("\"v{id}\"");
            assert_eq!(
                document.contains(&text),
                id < hop,
                "object {id}, hidden {hop}"
            );
        }
        assert!(document.contains(r#""references":null"#));
    }
}

#[test]
fn without_a_target_the_fields_come_without_values() {
    let empty = pairs(&[
        ("s-field", json!(null)),
        ("t3", json!(null)),
        ("t2", json!(null)),
    ]);
    for value in [json!(null), json!(404), json!("nothing"), json!(1)] {
        let inventory = Inventory::new(
            &[
                chain_type(1, 2, &json!([])),
                chain_type(2, 3, &json!([])),
                chain_type(3, 99, &json!([])),
            ],
            &[chain_object(1, &value)],
        );
        assert_eq!(shown(&inventory), empty, "{value}");
        assert_eq!(
            inventory.render_type_information(1)["fields"][0]["value"],
            value
        );
    }
}

#[test]
fn a_section_of_a_type_or_section_that_is_gone_is_left_out() {
    let mut no_section = chain_type(1, 1, &json!([]));
    no_section["render_meta"]["sections"][0]["reference"]["section_name"] = json!("gone");
    let mut no_reference = chain_type(1, 1, &json!([]));
    no_reference["render_meta"]["sections"][0]["reference"].take();
    for definition in [chain_type(1, 99, &json!([])), no_section, no_reference] {
        let inventory = Inventory::new(from_ref(&definition), &[chain_object(1, &json!(1))]);
        let rendered = inventory.render_type_information(1);
        let names: Vec<&Value> = rendered["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| &field["name"])
            .collect();
        assert_eq!(names, ["t1"], "{definition}");
        assert_eq!(rendered["sections"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn a_reference_section_without_its_link_shows_its_fields() {
    let mut definition = chain_type(1, 1, &json!([]));
    definition["fields"][1]["name"] = json!("renamed");
    let inventory = Inventory::new(&[definition], &[chain_object(1, &json!(1))]);
    let rendered = inventory.render_type_information(1);
    let names = [0, 1].map(|place| rendered["fields"][place]["name"].clone());
    assert_eq!(
        names,
        ["t1", "renamed"],
        "the field that is no link any more comes last"
    );
    assert_eq!(rendered["fields"][0]["value"], "v1");
}
