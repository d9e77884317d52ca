//! The rules of a type: what is refused, what gets a warning, and what is kept as sent.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Answer, Client, TestServer, apply, both};

use crate::fixture::{read, with};

const PATH: &str = "/rest/types";

async fn post(client: &Client, more: Value) -> Answer {
    let body = with(&json!({"name": "server", "author_id": 1}), &more);
    client.post(PATH, body).await
}

/// Checks that a type with `more` is stored, and deletes it again.
async fn accept(client: &Client, more: Value) -> Value {
    let answer = post(client, more).await.expect(200);
    let path = format!("{PATH}/{}", answer.member("result_id"));
    client
        .delete(&path)
        .await
        .expect(202)
        .member("deleted_entry")
}

fn field(more: &Value) -> Value {
    with(&json!({"type": "text", "name": "a", "label": "A"}), more)
}

#[apply(both)]
async fn a_name_is_word_characters_and_hyphens_between_them(server: TestServer) {
    let admin = server.admin();
    for name in [
        "ab",
        "server",
        "a-b",
        "a--b",
        "a_b",
        "__",
        "a1",
        "11",
        "ab-",
        "a-b-",
        "Server_Room-2",
        "größe",
        "a-b-c-d",
    ] {
        assert_eq!(accept(&admin, json!({"name": name})).await["name"], name);
    }
    for name in [
        "", "a", "-", "-ab", "--", "a-", "a b", "a.b", "ab ", " ab", "ab\n", "a/b", "a+b", "ab!",
    ] {
        assert_eq!(
            post(&admin, json!({"name": name})).await.pointers(),
            ["/name"],
            "{name:?}"
        );
    }
    for name in [json!(null), json!(1), json!(["ab"])] {
        assert_eq!(
            post(&admin, json!({"name": name})).await.pointers(),
            ["/name"],
            "{name}"
        );
    }
}

#[apply(both)]
async fn a_member_of_the_wrong_kind_is_refused(server: TestServer) {
    let admin = server.admin();
    for (key, values) in [
        ("label", vec![json!(1), json!([])]),
        (
            "author_id",
            vec![json!(null), json!("1"), json!(-1), json!(1.5)],
        ),
        ("editor_id", vec![json!("x")]),
        ("active", vec![json!("true"), json!(1)]),
        ("version", vec![json!(1)]),
        ("description", vec![json!(1)]),
        ("fields", vec![json!({}), json!("x")]),
        ("render_meta", vec![json!([]), json!("x")]),
        ("acl", vec![json!([]), json!("x")]),
    ] {
        for value in values {
            let pointer = format!("/{key}");
            assert_eq!(
                post(&admin, json!({key: value})).await.pointers(),
                [pointer],
                "{key}: {value}"
            );
        }
    }
}

#[apply(both)]
async fn a_field_definition_keeps_its_rules(server: TestServer) {
    let admin = server.admin();
    for (more, wrong) in [
        (json!({"type": null}), "type"),
        (json!({"type": ""}), "type"),
        (json!({"type": 1}), "type"),
        (json!({"name": null}), "name"),
        (json!({"name": ""}), "name"),
        (json!({"label": null}), "label"),
        (json!({"label": 1}), "label"),
        (json!({"required": "yes"}), "required"),
        (json!({"description": 1}), "description"),
        (json!({"placeholder": 1}), "placeholder"),
        (json!({"value": 1}), "value"),
        (json!({"helperText": []}), "helperText"),
        (json!({"regex": 1}), "regex"),
        (json!({"regex": "["}), "regex"),
        (json!({"regex": "(?P<n"}), "regex"),
        (json!({"default": "x"}), "default"),
        (json!({"default": 1.5}), "default"),
        (json!({"options": {}}), "options"),
        (json!({"options": ["a"]}), "options/0"),
        (
            json!({"options": [{"name": "a", "label": "A"}, {"label": "B"}]}),
            "options/1/name",
        ),
        (json!({"options": [{"name": "a"}]}), "options/0/label"),
        (json!({"ref_types": "1"}), "ref_types"),
        (json!({"ref_types": [1, "x"]}), "ref_types/1"),
        (
            json!({"summaries": [{"line": "", "label": "", "icon": ""}]}),
            "summaries/0/type_id",
        ),
        (
            json!({"summaries": [{"type_id": 1, "label": "", "icon": ""}]}),
            "summaries/0/line",
        ),
        (
            json!({"summaries": [{"type_id": 1, "line": "", "icon": ""}]}),
            "summaries/0/label",
        ),
        (
            json!({"summaries": [{"type_id": 1, "line": "", "label": ""}]}),
            "summaries/0/icon",
        ),
        (
            json!({"summaries": [{"type_id": 1, "line": "", "label": "", "icon": "", "fields": [1]}]}),
            "summaries/0/fields/0",
        ),
        (
            json!({"summaries": [{"type_id": 1, "line": "", "label": "", "icon": "", "prefix": 1}]}),
            "summaries/0/prefix",
        ),
    ] {
        let answer = post(
            &admin,
            json!({"fields": [field(&json!({"name": "first"})), field(&more)]}),
        )
        .await;
        assert_eq!(answer.pointers(), [format!("/fields/1/{wrong}")], "{more}");
    }
    assert_eq!(
        post(&admin, json!({"fields": [{}, 1]})).await.pointers(),
        [
            "/fields/0/type",
            "/fields/0/name",
            "/fields/0/label",
            "/fields/1"
        ]
    );
}

#[apply(both)]
async fn a_field_definition_is_kept_as_sent(server: TestServer) {
    let admin = server.admin();
    for more in [
        json!({"type": "telescope"}),
        json!({"label": ""}),
        json!({"required": null, "description": null, "regex": null, "default": null, "options": null, "ref_types": null}),
        json!({"default": ""}),
        json!({"default": -7}),
        json!({"regex": "(?<![0-9])[0-9]{3}(?=-)"}),
        json!({"options": [], "ref_types": [], "summaries": []}),
        json!({"options": [{"name": "a", "label": "A", "colour": "red"}]}),
        json!({"ref_types": [41, 42]}),
        json!({"value": "", "placeholder": "", "helperText": ""}),
        json!({"invented": {"deep": [1, null, {"x": 1.5}]}, "label ": null}),
    ] {
        let stored = accept(&admin, json!({"fields": [field(&more)]})).await;
        assert_eq!(stored["fields"], json!([field(&more)]));
    }
}

#[apply(both)]
async fn a_field_name_stands_once_in_a_type(server: TestServer) {
    let admin = server.admin();
    let twice = json!({"fields": [field(&json!({})), field(&json!({"name": "b"})), field(&json!({"type": "date"}))]});
    assert_eq!(post(&admin, twice).await.pointers(), ["/fields/2/name"]);
    let _ = accept(
        &admin,
        json!({"fields": [field(&json!({})), field(&json!({"name": "A"}))]}),
    )
    .await;
}

#[apply(both)]
async fn render_meta_takes_no_unknown_keys_at_its_top(server: TestServer) {
    let admin = server.admin();
    let section = json!({"type": "section", "name": "s", "label": ""});
    let external = json!({"name": "e", "href": "https://x", "label": "", "icon": ""});
    for (render_meta, wrong) in [
        (json!({"colour": "red"}), "colour"),
        (json!({"Icon": null}), "Icon"),
        (json!({"icon": 1}), "icon"),
        (json!({"sections": {}}), "sections"),
        (
            json!({"sections": [with(&section, &json!({"type": null}))]}),
            "sections/0/type",
        ),
        (
            json!({"sections": [with(&section, &json!({"name": null}))]}),
            "sections/0/name",
        ),
        (
            json!({"sections": [with(&section, &json!({"label": null}))]}),
            "sections/0/label",
        ),
        (
            json!({"sections": [with(&section, &json!({"fields": [1]}))]}),
            "sections/0/fields/0",
        ),
        (
            json!({"sections": [with(&section, &json!({"reference": {"section_name": "x"}}))]}),
            "sections/0/reference/type_id",
        ),
        (
            json!({"sections": [with(&section, &json!({"reference": {"type_id": 1}}))]}),
            "sections/0/reference/section_name",
        ),
        (
            json!({"sections": [with(&section, &json!({"reference": {"type_id": 1, "section_name": "x", "selected_fields": 1}}))]}),
            "sections/0/reference/selected_fields",
        ),
        (
            json!({"externals": [with(&external, &json!({"name": null}))]}),
            "externals/0/name",
        ),
        (
            json!({"externals": [with(&external, &json!({"href": null}))]}),
            "externals/0/href",
        ),
        (
            json!({"externals": [with(&external, &json!({"label": null}))]}),
            "externals/0/label",
        ),
        (
            json!({"externals": [with(&external, &json!({"icon": null}))]}),
            "externals/0/icon",
        ),
        (
            json!({"externals": [with(&external, &json!({"fields": "x"}))]}),
            "externals/0/fields",
        ),
        (json!({"summary": []}), "summary"),
        (json!({"summary": {"fields": [1]}}), "summary/fields/0"),
    ] {
        let answer = post(&admin, json!({"render_meta": render_meta})).await;
        assert_eq!(
            answer.pointers(),
            [format!("/render_meta/{wrong}")],
            "{render_meta}"
        );
    }
    let several = json!({"render_meta": {"one": 1, "two": 2}, "acl": 1, "fields": [{"type": "", "name": "a", "label": ""}]});
    assert_eq!(
        post(&admin, several).await.pointers(),
        [
            "/fields/0/type",
            "/render_meta/one",
            "/render_meta/two",
            "/acl"
        ]
    );
    let tolerated = json!({"sections": [with(&section, &json!({"reference": {}, "hidden": true}))], "summary": {}});
    let stored = accept(&admin, json!({"render_meta": tolerated})).await;
    assert_eq!(stored["render_meta"]["summary"], json!({"fields": []}));
}

#[apply(both)]
async fn links_have_known_schemes(server: TestServer) {
    let admin = server.admin();
    let linked = |href: &str| json!({"render_meta": {"externals": [{"name": "e", "href": href, "label": "", "icon": ""}]}});
    for href in [
        "javascript:alert(1)",
        " JavaScript:x",
        "java\tscript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
        "BLOB:x",
        "ms-msdt:/{}",
        "host:8080",
    ] {
        let answer = post(&admin, linked(href)).await;
        assert_eq!(
            answer.pointers(),
            ["/render_meta/externals/0/href"],
            "{href}"
        );
        let detail = answer.problem()["errors"][0]["detail"].to_string();
        assert!(detail.contains("http, https, ftp"), "{detail}");
    }
    for href in [
        "https://example.org/{}?q={host}",
        "http://x",
        "mailto:{}",
        "ssh://{}",
        "{}",
        "/rest/objects/{object_id}",
        "x?u=data:1",
        "rdp://{}",
        "{}://x",
    ] {
        let _ = accept(&admin, linked(href)).await;
    }
}

#[apply(both)]
async fn an_acl_is_kept_with_its_unknown_keys(server: TestServer) {
    let admin = server.admin();
    for (sent, stored) in [
        (
            json!({}),
            json!({"activated": false, "groups": {"includes": {}}}),
        ),
        (
            json!({"activated": null, "groups": null}),
            json!({"activated": false, "groups": {"includes": {}}}),
        ),
        (
            json!({"activated": false, "owner": {"id": 3}}),
            json!({"activated": false, "owner": {"id": 3}, "groups": {"includes": {}}}),
        ),
        (
            json!({"activated": true, "groups": {"includes": {"2": ["READ", "SHARE"], "77": [], "all": null}, "excludes": [1]}}),
            json!({"activated": true, "groups": {"includes": {"2": ["READ", "SHARE"], "77": [], "all": null}, "excludes": [1]}}),
        ),
    ] {
        assert_eq!(
            accept(&admin, json!({"acl": sent})).await["acl"],
            stored,
            "{sent}"
        );
    }
    for (acl, wrong) in [
        (json!({"activated": "yes"}), "activated"),
        (json!({"groups": []}), "groups"),
        (json!({"groups": {"includes": []}}), "groups/includes"),
        (
            json!({"groups": {"includes": {"1": "READ"}}}),
            "groups/includes/1",
        ),
        (
            json!({"groups": {"includes": {"1": ["READ", 1]}}}),
            "groups/includes/1/1",
        ),
    ] {
        assert_eq!(
            post(&admin, json!({"acl": acl})).await.pointers(),
            [format!("/acl/{wrong}")],
            "{acl}"
        );
    }
    let several = json!({"acl": {"activated": 1, "groups": {"includes": {"1": "READ", "2": [1]}}}});
    let pointers = [
        "/acl/activated",
        "/acl/groups/includes/1",
        "/acl/groups/includes/2/0",
    ];
    assert_eq!(post(&admin, several).await.pointers(), pointers);
}

#[apply(both)]
async fn doubtful_types_are_stored_with_warnings_and_refused_when_strict(server: TestServer) {
    let admin = server.admin();
    let strict = admin.clone().with_header("prefer", "handling=strict");
    let reference = json!({"type_id": 1, "section_name": "gone"});
    insert(
        &admin,
        PATH,
        json!({"name": "known", "author_id": 1, "public_id": 1}),
    )
    .await;
    for (more, doubt) in [
        (
            json!({"fields": [field(&json!({"ref_types": [77]}))]}),
            "/fields/0/ref_types/0",
        ),
        (
            json!({"fields": [field(&json!({"unique": "yes"}))]}),
            "/fields/0/unique",
        ),
        (
            json!({"fields": [field(&json!({"summaries": [{"type_id": 77, "line": "", "label": "", "icon": ""}]}))]}),
            "/fields/0/summaries/0/type_id",
        ),
        (
            json!({"render_meta": {"summary": {"fields": ["gone"]}}}),
            "/render_meta/summary/fields/0",
        ),
        (
            json!({"render_meta": {"sections": [{"type": "section", "name": "s", "label": "", "fields": ["gone"]}]}}),
            "/render_meta/sections/0/fields/0",
        ),
        (
            json!({"render_meta": {"sections": [{"type": "ref-section", "name": "s", "label": "", "reference": reference}]}}),
            "/render_meta/sections/0/reference/section_name",
        ),
        (
            json!({"render_meta": {"externals": [{"name": "e", "href": "x", "label": "", "icon": "", "fields": ["gone"]}]}}),
            "/render_meta/externals/0/fields/0",
        ),
    ] {
        assert_eq!(
            post(&strict, more.clone()).await.pointers(),
            [doubt],
            "{more}"
        );
        let answer = post(&admin, more.clone()).await.expect(200);
        assert_eq!(answer.warnings(), [doubt], "{more}");
        let path = format!("{PATH}/{}", answer.member("result_id"));
        let stored = read(&admin, &path).await;
        let again = strict.put(&path, stored).await.expect(202);
        assert_eq!(
            again.warnings(),
            [doubt],
            "what was doubtful before is told, but refuses nothing: {more}"
        );
        let _ = admin.delete(&path).await.expect(202);
    }
}
