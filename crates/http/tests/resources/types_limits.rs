//! Limits on the size of a type and the cost of its regular expressions.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, Setup, TestServer, apply, both, inventory};

const PATH: &str = "/rest/types";

fn of(fields: &[Value]) -> Value {
    json!({"name": "server", "author_id": 1, "fields": fields})
}

fn with_pattern(name: &str, pattern: &str) -> Value {
    json!({"type": "text", "name": name, "label": "", "regex": pattern})
}

#[apply(both)]
async fn a_type_has_a_thousand_fields_at_most(server: TestServer) {
    let admin = server.admin();
    let mut fields: Vec<Value> = (0..1_000)
        .map(|index| json!({"type": "text", "name": format!("f{index}"), "label": ""}))
        .collect();
    let id = inventory::insert(&admin, PATH, of(&fields)).await;
    fields.push(json!({"type": "text", "name": "one-more", "label": ""}));
    let refused = admin
        .patch(&format!("{PATH}/{id}"), json!({"fields": fields}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields"]);
    assert!(
        refused
            .detail()
            .contains("the limit is 1000 fields of a type"),
        "{refused}"
    );
}

#[apply(both)]
async fn fields_of_a_type_have_so_many_names_over_time(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.type_field_names = 4;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let fields = |names: &[&str]| -> Vec<Value> {
        names
            .iter()
            .map(|name| json!({"type": "text", "name": name, "label": ""}))
            .collect()
    };
    let id = inventory::insert(&admin, PATH, of(&fields(&["a", "b"]))).await;
    let path = format!("{PATH}/{id}");
    let _ = admin
        .patch(&path, json!({"fields": fields(&["c", "d"])}))
        .await
        .expect(202);
    let refused = admin
        .patch(&path, json!({"fields": fields(&["d", "e"])}))
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields"]);
    assert!(
        refused
            .detail()
            .contains("have had 4 names, and these are 1 more; the limit is 4"),
        "{refused}"
    );
    let _ = admin
        .patch(&path, json!({"fields": fields(&["a", "d"])}))
        .await
        .expect(202);
}

#[apply(both)]
async fn patterns_of_a_type_are_bounded_each_and_together(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.type_pattern_bytes = 400 * 1024;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let refused = admin
        .post(
            PATH,
            of(&[with_pattern("a", "b"), with_pattern("c", ".{9999}")]),
        )
        .await
        .expect(400);
    assert_eq!(refused.pointers(), ["/fields/1/regex"]);
    assert!(
        refused.detail().contains("the limit is 256 KiB"),
        "{refused}"
    );
    let large = ["a", "b", "c"].map(|name| with_pattern(name, &format!("{name}.{{500}}")));
    let id = inventory::insert(&admin, PATH, of(&large[..2])).await;
    let refused = admin.post(PATH, of(&large)).await.expect(400);
    assert!(
        refused
            .to_string()
            .contains("together, and the limit is 400 KiB"),
        "{refused}"
    );
    let matching = format!("a{}", "x".repeat(500));
    for (value, status) in [(matching.as_str(), 200), ("ax", 400)] {
        let body = inventory::object(id, &[("a", json!(value)), ("b", json!(null))]);
        let answer = admin.post("/rest/objects", body).await;
        assert_eq!(answer.status, status, "{answer}");
    }
}

#[apply(both)]
async fn lists_and_templates_of_a_type_are_bounded(engine: Engine) {
    let mut setup = Setup::default();
    setup.config.records.type_parts = 2;
    setup.config.records.template_bytes = 10;
    let server = setup.start(engine).await;
    let admin = server.admin();
    let section =
        |fields: &[&str]| json!({"type": "section", "name": "s", "label": "S", "fields": fields});
    let link =
        |href: &str| json!({"name": "l", "href": href, "label": "L", "icon": "i", "fields": []});
    let summary =
        |line: &str| json!({"type_id": 1, "line": line, "label": "", "icon": "", "fields": []});
    let named = |name: &str, summaries: Value| json!({"type": "ref", "name": name, "label": "", "summaries": summaries});
    let reference = |summaries: Value| named("r", summaries);
    let two = json!([summary(""), summary("")]);
    for (fields, meta, pointer) in [
        (
            json!([]),
            json!({"sections": [section(&[]), section(&[]), section(&[])]}),
            "/render_meta/sections",
        ),
        (
            json!([]),
            json!({"sections": [section(&["a", "b", "c"])]}),
            "/render_meta/sections/0/fields",
        ),
        (
            json!([]),
            json!({"externals": [link("http://a.example")]}),
            "/render_meta/externals/0/href",
        ),
        (
            json!([]),
            json!({"summary": {"fields": ["a", "b", "c"]}}),
            "/render_meta/summary/fields",
        ),
        (
            json!([reference(json!([summary("longer than ten")]))]),
            json!({}),
            "/fields/0/summaries/0/line",
        ),
        (
            json!([
                named("a", two.clone()),
                named("b", two.clone()),
                named("c", two)
            ]),
            json!({}),
            "/fields",
        ),
    ] {
        let body =
            json!({"name": "of-parts", "author_id": 1, "fields": fields, "render_meta": meta});
        let refused = admin.post(PATH, body).await.expect(400);
        assert_eq!(refused.pointers(), [pointer], "{refused}");
    }
    let mut long = json!({"name": "of-parts", "author_id": 1, "fields": [], "description": ""});
    long["description"] = "x".repeat(5_000_000).into();
    let refused = admin.post(PATH, long).await.expect(400);
    assert!(
        refused
            .detail()
            .contains("the limit is 4194304 bytes of a record")
    );
}
