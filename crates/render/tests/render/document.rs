//! The whole document, and how fields show values.

use std::slice::from_ref;

use crate::support::{Inventory, field, flat_type, record, section};
use serde_json::{Value, json};

#[test]
fn the_document_has_the_members_of_the_specification() {
    let inventory = Inventory::new(
        &[json!({
            "public_id": 1, "author_id": 7,
            "fields": [{"type": "text", "name": "host", "label": "Host", "helperText": "fully qualified"}],
            "render_meta": {
                "icon": "fa-server",
                "sections": [section("section", "main", &json!(["host"]))],
                "externals": [{"name": "wiki", "href": "https://wiki/{}", "label": "Wiki", "icon": "fa-book", "fields": ["host"]}],
                "summary": {"fields": ["host"]},
            },
            "acl": {"activated": true, "groups": {"includes": {"1": ["READ"]}}},
        })],
        &[json!({
            "public_id": 5, "type_id": 1, "version": "1.2.0", "author_id": 1, "editor_id": 2, "active": false,
            "creation_time": {"$date": 1_577_836_800_000_i64}, "last_edit_time": {"$date": 1_577_923_200_000_i64},
            "fields": [{"name": "host", "value": "h1"}],
        })],
    )
    .user(1, "Ada Lovelace")
    .user(2, "admin");
    let host = json!({"type": "text", "name": "host", "label": "Host", "helperText": "fully qualified", "value": "h1"});
    let expected = json!({
        "current_render_time": {"$date": 1_577_923_200_000_i64},
        "object_information": {
            "object_id": 5, "creation_time": {"$date": 1_577_836_800_000_i64},
            "last_edit_time": {"$date": 1_577_923_200_000_i64}, "author_id": 1, "author_name": "Ada Lovelace",
            "editor_id": 2, "editor_name": "admin", "active": false, "version": "1.2.0",
        },
        "type_information": {
            "type_id": 1, "type_name": "server", "type_label": "Server",
            "creation_time": {"$date": 1_577_836_800_000_i64}, "author_id": 7, "author_name": "unknown",
            "icon": "fa-server", "active": true, "version": "1.0.0",
            "acl": {"activated": true, "groups": {"includes": {"1": ["READ"]}}},
            "fields": [host],
            "sections": [{"type": "section", "name": "main", "label": "main", "fields": ["host"]}],
            "summaries": [host],
            "summary_line": "h1",
            "externals": [{"name": "wiki", "href": "https://wiki/h1", "label": "Wiki", "icon": "fa-book", "fields": ["host"]}],
        },
    });
    // Compared as text, because the order of the members counts.
    assert_eq!(inventory.render(5).to_string(), expected.to_string());
}

#[test]
fn what_old_documents_lack_has_a_default() {
    let inventory = Inventory::new(
        &[json!({"public_id": 1, "fields": null, "acl": null, "creation_time": ""})],
        &[json!({"public_id": 5, "type_id": 1, "creation_time": "2020-01-02T00:00:00"})],
    );
    let expected = json!({
        "current_render_time": {"$date": 1_577_923_200_000_i64},
        "object_information": {
            "object_id": 5, "creation_time": {"$date": 1_577_923_200_000_i64}, "last_edit_time": null, "author_id": null,
            "author_name": "unknown", "editor_id": null, "editor_name": null, "active": true, "version": "1.0.0",
        },
        "type_information": {
            "type_id": 1, "type_name": "server", "type_label": "Server", "creation_time": null, "author_id": 1,
            "author_name": "unknown", "icon": null, "active": true, "version": "1.0.0",
            "acl": {"activated": false, "groups": {"includes": {}}},
            "fields": [], "sections": [], "summaries": [], "summary_line": "Server #5", "externals": [],
        },
    });
    assert_eq!(inventory.render(5), expected);
}

#[test]
fn an_object_without_fields_shows_those_of_its_type_without_values() {
    let inventory = Inventory::new(
        &[flat_type(1, &[field("text", "host"), field("ref", "rack")])],
        &[json!({"public_id": 5, "type_id": 1})],
    );
    assert_eq!(
        inventory.render_type_information(5)["fields"],
        json!([
            {"type": "text", "name": "host", "label": "host", "value": null},
            {"type": "ref", "name": "rack", "label": "rack", "value": null},
        ])
    );
}

#[test]
fn fields_follow_the_sections_the_rest_comes_last_and_unknown_names_are_skipped() {
    let inventory = Inventory::new(
        &[json!({
            "public_id": 1,
            "fields": [field("text", "a"), field("text", "b"), field("text", "in no section")],
            "render_meta": {"sections": [
                section("section", "one", &json!(["b", "gone"])),
                section("section", "two", &json!(["a"])),
            ]},
        })],
        &[record(
            5,
            1,
            &[
                ("a", json!(1)),
                ("b", json!(true)),
                ("in no section", json!("x")),
            ],
        )],
    );
    let rendered = inventory.render_type_information(5);
    assert_eq!(
        rendered["fields"],
        json!([
            {"type": "text", "name": "b", "label": "b", "value": true},
            {"type": "text", "name": "a", "label": "a", "value": 1},
            {"type": "text", "name": "in no section", "label": "in no section", "value": "x"},
        ])
    );
    assert_eq!(rendered["sections"][0]["fields"], json!(["b", "gone"]));
}

#[test]
fn a_type_without_sections_shows_all_its_fields_with_what_they_reference() {
    let inventory = Inventory::new(
        &[
            json!({"public_id": 1, "name": "host", "label": "Host", "fields": [field("text", "a"), field("ref", "other")]}),
        ],
        &[
            record(5, 1, &[("a", json!("x")), ("other", json!(6))]),
            record(6, 1, &[("a", json!("y"))]),
        ],
    );
    let rendered = inventory.render_type_information(5);
    assert_eq!(rendered["fields"][0]["value"], "x");
    assert_eq!(rendered["fields"][1]["reference"]["object_id"], 6);
    assert_eq!(rendered["sections"], json!([]));
}

#[test]
fn dates_are_milliseconds_however_they_are_stored_and_whatever_the_kind() {
    let values = [
        json!({"$date": 1_577_923_200_000_i64}),
        json!({"$date": "2020-01-02"}),
        json!({"$date": "2020-01-02T01:00:00+01:00"}),
        json!("2020-01-02"),
    ];
    for kind in ["date", "number"] {
        let types = [flat_type(1, &[field(kind, "day")])];
        for value in values
            .iter()
            .filter(|value| kind == "date" || value.is_object())
        {
            let object = record(5, 1, &[("day", value.clone())]);
            let inventory = Inventory::new(&types, &[object]);
            let shown = inventory.render_type_information(5)["fields"][0]["value"].take();
            assert_eq!(shown, values[0], "{kind} {value}");
        }
    }
}

#[test]
fn values_by_kind() {
    let moment = json!({"$date": 1_577_923_200_000_i64});
    for (kind, stored, shown) in [
        ("date", json!("2020-01-02"), moment.clone()),
        ("date", json!("2020-01-02T01:00:00+01:00"), moment.clone()),
        ("date", json!("next week"), Value::Null),
        ("date", json!(""), json!("")),
        ("date", moment.clone(), moment.clone()),
        ("text", json!("2020-01-02"), json!("2020-01-02")),
        ("number", json!(10.0), json!(10.0)),
        ("checkbox", json!(false), json!(false)),
        ("select", json!("option"), json!("option")),
        (
            "password",
            json!("plain for an editor"),
            json!("plain for an editor"),
        ),
        ("password", json!("••••••"), json!("••••••")),
    ] {
        let inventory = Inventory::new(
            &[flat_type(1, &[field(kind, "f")])],
            &[record(5, 1, &[("f", stored.clone())])],
        );
        let fields = inventory.render_type_information(5)["fields"].take();
        assert_eq!(fields[0]["value"], shown, "{kind} {stored}");
    }
}

#[test]
fn the_value_of_the_definition_becomes_the_default() {
    let with = |value: Value| json!({"type": "text", "name": "f", "label": "f", "value": value});
    let held = record(5, 1, &[("f", json!("mine"))]);
    let lacking = record(5, 1, &[]);
    for (definition, object, default) in [
        (with(json!("given")), &held, Some(json!("given"))),
        (with(json!("")), &held, None),
        (with(json!("given")), &lacking, None),
        (
            json!({"type": "password", "name": "f", "label": "f", "value": "secret"}),
            &held,
            Some(json!("••••••")),
        ),
        (
            json!({"type": "text", "name": "f", "label": "f", "default": 3}),
            &lacking,
            Some(json!(3)),
        ),
    ] {
        let inventory = Inventory::new(&[flat_type(1, from_ref(&definition))], from_ref(object));
        let fields = inventory.render_type_information(5)["fields"].take();
        assert_eq!(fields[0].get("default"), default.as_ref(), "{definition}");
    }
}

#[test]
fn a_document_that_becomes_too_long_is_cut_and_says_so() {
    const MIB: usize = 1024 * 1024;
    let names: Vec<String> = (0..20).map(|index| format!("f{index}")).collect();
    let fields: Vec<Value> = names.iter().map(|name| field("text", name)).collect();
    // A few fields of a megabyte, shown many times.
    let sections: Vec<Value> = (0..20)
        .map(|_| section("section", "main", &json!(names)))
        .collect();
    let link = |name: &str, href: &str| json!({"name": name, "href": href, "label": "", "icon": "", "fields": ["f0"]});
    let externals = [link("long", "https://a/{}"), link("short", "https://a")];
    let inventory = Inventory::new(
        &[json!({
            "public_id": 1, "fields": fields,
            "render_meta": {"sections": sections, "externals": externals, "summary": {"fields": ["f0", "f1"]}},
        })],
        &[
            json!({"public_id": 5, "type_id": 1, "fields": [
                {"name": "f0", "value": "x".repeat(MIB)}, {"name": "f1", "value": "y".repeat(MIB)}]}),
            json!({"public_id": 6, "type_id": 1, "fields": [{"name": "f0", "value": "x"}]}),
        ],
    );
    let cut = inventory.render(5);
    assert!(cut.to_string().len() < 9 * MIB);
    assert_eq!(cut["truncated"], true);
    let information = &cut["type_information"];
    assert_eq!(
        information["fields"][0]["value"].as_str().map(str::len),
        Some(MIB)
    );
    assert_eq!(information["summary_line"], "… | …");
    let whole = inventory.render(6);
    assert_eq!(whole.get("truncated"), None);
    assert_eq!(
        whole["type_information"]["externals"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}

/// A few placeholders that name a large value make a line of nothing out of 100,000 bytes, for each
/// of many references.
#[test]
fn lines_that_cost_more_than_they_show_end_a_document() {
    let line = json!([{"type_id": 2, "line": "{f}{f}{f}"}]);
    let names: Vec<String> = (0..1_000).map(|number| format!("r{number}")).collect();
    let fields: Vec<Value> = names
        .iter()
        .map(|name| json!({"type": "ref", "name": name, "label": "", "ref_types": [2], "summaries": line}))
        .collect();
    let types = [
        json!({"public_id": 1, "fields": fields}),
        json!({"public_id": 2, "fields": [{"type": "text", "name": "f", "label": ""}]}),
    ];
    let long = "x".repeat(60_000);
    let values: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "value": 2}))
        .collect();
    let objects = [
        json!({"public_id": 1, "type_id": 1, "fields": values}),
        json!({"public_id": 2, "type_id": 2, "fields": [{"name": "f", "value": long}]}),
    ];
    let inventory = Inventory::new(&types, &objects);
    let (document, worked) = inventory.render_within(1, usize::MAX);
    assert_eq!(document["truncated"], true);
    assert!((32_000_000..34_000_000).contains(&worked), "{worked}");
    let (_, worked) = inventory.render_within(1, 100_000);
    assert!(
        worked < 300_000,
        "{worked} bytes of work, of which 100,000 may be"
    );
}
