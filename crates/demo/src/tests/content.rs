//! The inventory is large enough and looks like a real company.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use stockroom_model::{Object, Timestamp};

use super::{demo, id, ids, now, of_type, types, value};

#[test]
fn there_is_enough_to_look_at() {
    let demo = demo();
    assert!(demo.types.len() >= 12);
    assert!(demo.objects.len() >= 2_400, "{}", demo.objects.len());
    assert!(
        demo.types
            .iter()
            .any(|body| body["acl"]["activated"] == true)
    );
    assert!(demo.types.iter().any(|body| body["active"] == false));
    assert!(demo.users.iter().any(|body| body["active"] == false));
    let inactive = demo
        .objects
        .iter()
        .filter(|body| body["active"] == false)
        .count();
    assert!(
        (50..demo.objects.len() / 5).contains(&inactive),
        "{inactive}"
    );
    let kinds: HashSet<&str> = demo
        .types
        .iter()
        .flat_map(|body| body["fields"].as_array().unwrap())
        .filter_map(|field| field["type"].as_str())
        .collect();
    for kind in [
        "text",
        "textarea",
        "select",
        "radio",
        "date",
        "ref",
        "ref-section-field",
        "password",
        "number",
        "checkbox",
    ] {
        assert!(kinds.contains(kind), "no field of the kind {kind}");
    }
}

#[test]
fn categories_are_three_deep_and_hold_every_type_once() {
    let demo = demo();
    let mut depths: HashMap<Option<i64>, usize> = HashMap::from([(None, 0)]);
    let mut held = Vec::new();
    for body in &demo.categories {
        let depth = depths[&body["parent"].as_i64()] + 1;
        depths.insert(Some(id(body)), depth);
        held.extend(
            body["types"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_i64),
        );
    }
    assert_eq!(depths.values().max(), Some(&3));
    held.sort_unstable();
    assert_eq!(held, ids(&demo.types));
}

#[test]
fn only_licensing_and_administrators_see_licences() {
    let demo = demo();
    let licensing = demo
        .groups
        .iter()
        .find(|body| body["name"] == "licensing")
        .unwrap();
    let guarded = demo
        .types
        .iter()
        .find(|body| body["acl"]["activated"] == true)
        .unwrap();
    assert_eq!(guarded["name"], "software-licence");
    let includes = guarded["acl"]["groups"]["includes"].as_object().unwrap();
    let groups: HashSet<&str> = includes.keys().map(String::as_str).collect();
    assert_eq!(
        groups,
        HashSet::from(["1", id(licensing).to_string().as_str()])
    );
    assert!(
        of_type(&demo, "software-licence")
            .iter()
            .all(|body| value(body, "licence-key").is_string())
    );
}

#[test]
fn some_old_objects_lack_a_field_and_none_has_one_too_many() {
    let demo = demo();
    let types = types(&demo);
    let mut unclean: BTreeMap<&str, usize> = BTreeMap::new();
    for body in &demo.objects {
        let of = &types[&body["type_id"].as_i64().unwrap()];
        let object = Object::from_document(body.clone());
        let names: Vec<&str> = object.field_names().collect();
        let defined: Vec<&str> = of
            .fields()
            .iter()
            .map(|field| field.name.as_str())
            .collect();
        let missing = defined.iter().filter(|name| !names.contains(name)).count();
        assert_eq!(names.len() + missing, defined.len(), "{body:#}");
        assert!(missing <= 1, "{body:#}");
        *unclean.entry(&of.name).or_default() += missing;
    }
    let unclean: BTreeMap<&str, usize> = unclean
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .collect();
    assert!(
        unclean.contains_key("server") && unclean.contains_key("laptop"),
        "{unclean:?}"
    );
    assert!(unclean.values().sum::<usize>() < 200, "{unclean:?}");
}

#[test]
fn times_lie_within_three_years_and_some_contracts_end_soon() {
    let demo = demo();
    let day = |days: i64| Timestamp(now().0 + days * 86_400_000_000);
    for body in &demo.objects {
        let created = Timestamp::from_date(&body["creation_time"]).unwrap();
        assert!(day(-3 * 365 - 1) < created && created <= now(), "{body:#}");
        if let Some(edited) = Timestamp::from_date(&body["last_edit_time"]) {
            assert!(created < edited && edited <= now(), "{body:#}");
        }
    }
    for (of, field) in [
        ("contract", "end"),
        ("server", "warranty-until"),
        ("software-licence", "valid-until"),
    ] {
        let soon = of_type(&demo, of)
            .into_iter()
            .filter_map(|body| Timestamp::from_text(value(body, field).as_str()?))
            .filter(|end| now() <= *end && *end <= day(60))
            .count();
        assert!(soon >= 5, "{soon} of the type {of} end soon");
    }
}

#[test]
fn names_addresses_and_rack_units_are_given_once() {
    let demo = demo();
    for field in [
        "hostname",
        "asset-tag",
        "ip-address",
        "serial",
        "mac-address",
        "e-mail",
        "cidr",
        "number",
    ] {
        let mut seen = HashSet::new();
        for body in &demo.objects {
            let of = body["type_id"].as_i64().unwrap();
            // Room numbers are unique only within their site.
            if let Some(text) = value(body, field)
                .as_str()
                .filter(|_| (field, of) != ("number", 2))
            {
                assert!(seen.insert(text), "{field} {text} twice");
            }
        }
        assert!(!seen.is_empty());
    }
    let mut units = HashSet::new();
    for server in of_type(&demo, "server") {
        if let (Some(rack), Some(lowest)) = (
            value(server, "rack").as_i64(),
            value(server, "rack-unit").as_i64(),
        ) {
            let height = value(server, "height-units").as_i64().unwrap();
            assert!(
                (lowest..lowest + height).all(|unit| units.insert((rack, unit))),
                "{server:#}"
            );
        }
    }
}

#[test]
fn the_last_weeks_have_a_history() {
    let demo = demo();
    let (edits, begin) = (&demo.edits, demo.inserted_at);
    assert!((30..300).contains(&edits.len()), "{}", edits.len());
    assert!(edits.is_sorted_by_key(|edit| edit.at.0));
    let editors: HashSet<i64> = edits.iter().map(|edit| edit.user).collect();
    assert!(editors.len() > 2, "{editors:?}");
    for edit in edits {
        assert!(begin.0 < edit.at.0 && edit.at.0 < now().0, "{edit:?}");
        let before = demo.objects.iter().find(|body| id(body) == edit.object);
        let field = &edit.patch["fields"][0];
        let before = value(before.unwrap(), field["name"].as_str().unwrap());
        assert_ne!(before, &field["value"], "{edit:?}");
    }
}
