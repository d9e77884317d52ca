//! Legal bodies of records, and values that make them illegal.

use serde_json::{Value, json};

use crate::targets::Illegal;

pub(crate) fn object() -> Value {
    json!({
        "type_id": 2, "author_id": 1, "status": true, "version": "1.0.0", "active": true, "views": 0,
        "fields": [
            {"name": "hostname", "value": "srv-07"},
            {"name": "system", "value": "alpine"},
            {"name": "bought", "value": "2024-02-29"},
            {"name": "cores", "value": 8},
            {"name": "console", "value": "secret"},
            {"name": "site-field", "value": 1},
            {"name": "backup", "value": 4},
        ],
    })
}

pub(crate) fn illegal_in_objects() -> Illegal {
    vec![
        ("/type_id", vec![json!(999), json!(0), json!(-1)]),
        ("/author_id", vec![json!(-1)]),
        ("/views", vec![json!(-1)]),
        ("/fields", vec![json!([]), json!({}), json!("hostname")]),
        ("/fields/0/name", vec![json!(""), json!(null)]),
        ("/fields/1/name", vec![json!("hostname")]),
        (
            "/fields/0/value",
            vec![
                json!(null),
                json!(""),
                json!(5),
                json!("SRV 7"),
                json!(["srv-07"]),
            ],
        ),
        (
            "/fields/1/value",
            vec![json!("windows"), json!("ALPINE"), json!(3), json!({})],
        ),
        (
            "/fields/2/value",
            vec![
                json!("yesterday"),
                json!("2023-02-29"),
                json!(5),
                json!({"$date": "soon"}),
                json!([]),
            ],
        ),
        (
            "/fields/3/value",
            vec![json!([8]), json!({"cores": 8}), json!({"$date": {}})],
        ),
        (
            "/fields/4/value",
            vec![json!(5), json!(["secret"]), json!({"$date": 5})],
        ),
        (
            "/fields/5/value",
            vec![
                json!(999),
                json!(3),
                json!("one"),
                json!(-1),
                json!(1.5),
                json!(true),
                json!([1]),
            ],
        ),
        (
            "/fields/6/value",
            vec![json!(999), json!("x"), json!({"$oid": 1}), json!(false)],
        ),
    ]
}

pub(crate) fn r#type() -> Value {
    json!({
        "name": "switch", "label": "Switch", "author_id": 1, "active": true, "version": "1.0.0", "description": "It switches",
        "fields": [
            {"type": "text", "name": "model", "label": "Model", "required": true, "description": "d", "regex": "[a-z]+", "placeholder": "p",
             "value": "v", "helperText": "h"},
            {"type": "select", "name": "size", "label": "Size", "default": 8, "options": [{"name": "8", "label": "Eight"}],
             "renamed_from": null},
            {"type": "ref", "name": "site", "label": "Site", "ref_types": [1],
             "summaries": [{"type_id": 1, "line": "{}", "label": "l", "fields": ["name"], "icon": "i", "prefix": true}]},
        ],
        "render_meta": {
            "icon": "fas fa-server",
            "sections": [
                {"type": "section", "name": "main", "label": "Main", "fields": ["model", "size"]},
                {"type": "ref-section", "name": "where", "label": "Where", "fields": ["site"],
                 "reference": {"type_id": 1, "section_name": "address", "selected_fields": ["name"]}},
            ],
            "externals": [{"name": "shop", "href": "https://shop.example/{}", "label": "Shop", "icon": "i", "fields": ["model"]}],
            "summary": {"fields": ["model"]},
        },
        "acl": {"activated": false, "groups": {"includes": {"1": ["READ"]}}},
    })
}

pub(crate) fn illegal_in_types() -> Illegal {
    vec![
        (
            "/fields/1/renamed_from",
            vec![json!(""), json!("gone"), json!("size"), json!("model")],
        ),
        (
            "/name",
            vec![
                json!(""),
                json!("a"),
                json!("-switch"),
                json!("a switch"),
                json!("site"),
            ],
        ),
        ("/author_id", vec![json!(-1)]),
        ("/fields/0/type", vec![json!(""), json!(null)]),
        (
            "/fields/1/name",
            vec![json!(""), json!("model"), json!(null)],
        ),
        (
            "/fields/0/regex",
            vec![json!("("), json!("[a"), json!("(?<n>"), json!("*")],
        ),
        (
            "/fields/1/options/0",
            vec![
                json!("8"),
                json!({}),
                json!({"name": "8"}),
                json!({"label": "Eight"}),
            ],
        ),
        (
            "/fields/1/default",
            vec![json!("eight"), json!(1.5), json!([])],
        ),
        (
            "/fields/2/ref_types/0",
            vec![json!("1"), json!(1.5), json!(null)],
        ),
        ("/render_meta/colour", vec![json!("red")]),
        (
            "/render_meta/sections/1/reference",
            vec![
                json!({"type_id": 1}),
                json!({"section_name": "address"}),
                json!({"type_id": "1", "section_name": "a"}),
            ],
        ),
        (
            "/render_meta/externals/0/href",
            vec![
                json!(""),
                json!("javascript:alert(1)"),
                json!(" JaVaScRiPt:x"),
                json!("data:text/html,x"),
                json!("about:blank"),
            ],
        ),
        (
            "/acl",
            vec![
                json!([]),
                json!({"activated": "yes"}),
                json!({"groups": []}),
                json!({"groups": {"includes": {"1": "READ"}}}),
            ],
        ),
    ]
}

pub(crate) fn category() -> Value {
    json!({"name": "tools", "label": "Tools", "meta": {"icon": "fas fa-hammer", "order": 3}, "parent": 1, "types": [1, 2]})
}

pub(crate) fn view() -> Value {
    json!({"name": "Debian", "description": "d", "type_id": 2, "visibility": "group", "group_id": 3, "is_default": true,
           "definition": {"columns": ["fields.hostname"], "filter": {"fields.system": "debian"}}})
}

pub(crate) fn source() -> Value {
    json!({"name": "vcenter", "type_id": 2, "columns": {"hostname": "hostname", "site": {"field": "site-field", "by": "name"}},
           "external_key": ["uuid"], "key": ["hostname"], "policy": "skip", "missing": "flag", "missing_limit": 10})
}

pub(crate) fn user() -> Value {
    json!({"user_name": "ann", "password": "a password", "active": true, "group_id": 3, "email": "ann@a.example", "image": "i",
           "first_name": "Ann", "last_name": "Archer"})
}

pub(crate) fn token() -> Value {
    json!({"user_id": 1, "name": "Import", "rights": ["base.framework.object.view"], "types": [1, 2], "read_only": true,
           "networks": ["192.0.2.0/24"], "expires_at": "2099-01-31"})
}

pub(crate) fn group() -> Value {
    json!({"name": "guests", "label": "Guests", "rights": ["base.framework.object.view", {"name": "base.framework.type.view"}]})
}

pub(crate) fn setting(identifier: &str) -> Value {
    json!({"identifier": identifier, "user_id": 1, "payload": {"columns": [1, {"deep": null}]}, "setting_type": "GLOBAL"})
}
