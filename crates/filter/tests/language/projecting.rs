//! Which parts of a document a projection shows.

use serde_json::json;
use stockroom_filter::Projection;

#[test]
fn projections_keep_or_leave_out() {
    let document = json!({
        "public_id": 1,
        "time": {"$date": 0},
        "fields": [{"name": "a", "value": 1}, {"name": "b"}, 7, [{"name": "c", "more": 1}]],
        "acl": {"on": true, "groups": {"1": ["READ"], "2": []}},
        "none": null
    });
    let table = [
        (json!({"public_id": 1}), json!({"public_id": 1})),
        (
            json!(["none", "public_id"]),
            json!({"public_id": 1, "none": null}),
        ),
        (
            json!({"fields.value": true}),
            json!({"fields": [{"value": 1}, {}, [{}]]}),
        ),
        (
            json!({"fields.name": 1, "fields.value": 1.0}),
            json!({"fields": [{"name": "a", "value": 1}, {"name": "b"}, [{"name": "c"}]]}),
        ),
        (
            json!({"acl.groups": 1, "acl.groups.1": 1}),
            json!({"acl": {"groups": {"1": ["READ"], "2": []}}}),
        ),
        (
            json!({"acl.groups.1": 1, "acl.groups": 1}),
            json!({"acl": {"groups": {"1": ["READ"], "2": []}}}),
        ),
        (
            json!({"acl.groups.2": 1, "acl.groups.1": 1}),
            json!({"acl": {"groups": {"1": ["READ"], "2": []}}}),
        ),
        (
            json!({"acl.nosuch": 1, "nosuch.a": 1, "public_id.a": 1, "none.a": 1}),
            json!({"acl": {}}),
        ),
        (json!({"time": 1}), json!({"time": {"$date": 0}})),
        (json!({"time.$date": 1}), json!({})),
        (
            json!({"fields": 0, "acl": 0, "nosuch": 0}),
            json!({"public_id": 1, "time": {"$date": 0}, "none": null}),
        ),
        (
            json!({"fields.name": 0, "acl.groups.1": false, "time.$date": 0, "public_id.x": 0}),
            json!({"public_id": 1, "time": {"$date": 0}, "fields": [{"value": 1}, {}, 7, [{"more": 1}]], "acl": {"on": true, "groups": {"2": []}}, "none": null}),
        ),
        (json!({}), document.clone()),
        (json!([]), document.clone()),
    ];
    for (asked, expected) in table {
        let projection = Projection::parse(&asked.to_string()).unwrap();
        assert_eq!(
            projection.apply(&document).to_string(),
            expected.to_string(),
            "{asked}"
        );
    }
}

#[test]
fn other_projections_are_refused() {
    let deep = format!("[\"a{}\"]", ".a".repeat(64));
    for (text, pointer) in [
        (r#"{"a":1,"b":0}"#, "/b"),
        (r#"{"a":0,"b/c":1}"#, "/b~1c"),
        (r#"{"a":2}"#, "/a"),
        (r#"{"a":"1"}"#, "/a"),
        (r#"{"a":{"$slice":1}}"#, "/a"),
        (r#"{"$a":1}"#, "/$a"),
        (r#"["a",1]"#, "/1"),
        (r#""a""#, ""),
        ("1", ""),
        ("{", ""),
        (&deep, "/0"),
    ] {
        let fault = Projection::parse(text).expect_err(text);
        assert_eq!(fault.pointer, pointer, "{text}: {fault}");
    }
}
