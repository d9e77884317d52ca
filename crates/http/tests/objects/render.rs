//! `GET /objects/{public_id}` and rendered lists. The tests of the crate `render` cover each part;
//! this tests what depends on store and caller.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both, inventory, statements_run};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, patch_type, path, restrict,
};

async fn rendered(client: &Client, id: i64) -> Value {
    client.get(&path(id)).await.expect(200).json()
}

/// A rendered field.
fn shown<'d>(document: &'d Value, name: &str) -> &'d Value {
    let fields = document["type_information"]["fields"].as_array().unwrap();
    let field = fields.iter().find(|field| field["name"] == name);
    field.unwrap_or_else(|| panic!("there is no field {name} in {document}"))
}

#[apply(both)]
async fn the_document_says_all_about_object_and_type(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let document = rendered(&admin, small.srv_01).await;
    let now = server.now().to_date();
    assert_eq!(document["current_render_time"], now);
    assert_eq!(
        document["object_information"],
        json!({
            "object_id": small.srv_01, "creation_time": now, "last_edit_time": null,
            "author_id": 1, "author_name": "admin",
            "editor_id": null, "editor_name": null, "active": true, "version": "1.0.0",
        })
    );
    let information = &document["type_information"];
    for (key, expected) in [
        ("type_id", json!(small.server_type)),
        ("type_name", json!("server")),
        ("type_label", json!("Server")),
        ("creation_time", now),
        ("author_id", json!(1)),
        ("author_name", json!("admin")),
        ("icon", json!("fas fa-server")),
        ("active", json!(true)),
        ("version", json!("1.0.0")),
        (
            "acl",
            json!({"activated": false, "groups": {"includes": {}}}),
        ),
        ("summary_line", json!("srv-01 | debian")),
        (
            "externals",
            json!([{
                "name": "console", "label": "Console", "icon": "fas fa-terminal",
                "href": "https://srv-01.console.example/", "fields": ["hostname"],
            }]),
        ),
    ] {
        assert_eq!(information[key], expected, "{key}");
    }
    let names: Vec<&Value> = information["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| &field["name"])
        .collect();
    assert_eq!(
        names,
        [
            "hostname",
            "system",
            "bought",
            "cores",
            "console",
            "backup",
            "site-field"
        ]
    );
    let sections: Vec<&Value> = information["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| &section["name"])
        .collect();
    assert_eq!(sections, ["machine", "site"]);
    assert_eq!(information["summaries"][1]["value"], "debian");
    assert_eq!(shown(&document, "cores")["value"], 16);
    let site = &shown(&document, "site-field")["references"];
    assert_eq!(
        (&site["type_name"], &site["fields"][0]["value"]),
        (&json!("site"), &json!("Berlin"))
    );
}

#[apply(both)]
async fn the_editor_is_named_as_soon_as_there_is_one(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    let names = json!({"first_name": "Ada", "last_name": "Lovelace"});
    let _ = admin
        .patch(&format!("/rest/users/{}", person.id), names)
        .await
        .expect(202);
    let _ = person
        .client
        .patch(&path(small.vienna), json!({"author_id": 999}))
        .await
        .expect(200);
    let information = &rendered(&admin, small.vienna).await["object_information"];
    assert_eq!(information["last_edit_time"], server.now().to_date());
    assert_eq!(
        [&information["editor_name"], &information["author_name"]],
        ["Ada Lovelace", "unknown"]
    );
}

#[apply(both)]
async fn hidden_missing_and_visible_targets_differ(server: TestServer) {
    let admin = server.admin();
    let (open, closed) = (
        make_type(&admin, "open", &[field("text", "name")]).await,
        make_type(&admin, "closed", &[field("text", "name")]).await,
    );
    let name = [("name", json!("top secret"))];
    let (visible, hidden, missing) = (
        insert(&admin, open, &name).await,
        insert(&admin, closed, &name).await,
        insert(&admin, open, &name).await,
    );
    let host = make_type(
        &admin,
        "host",
        &[
            field("ref", "visible"),
            field("ref", "hidden"),
            field("ref", "missing"),
            field("ref", "none"),
        ],
    )
    .await;
    let id = insert(
        &admin,
        host,
        &[
            ("visible", json!(visible)),
            ("hidden", json!(hidden)),
            ("missing", json!(missing)),
            ("none", json!(null)),
        ],
    )
    .await;
    let _ = admin.delete(&path(missing)).await.expect(200);
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, closed, person.group_id, &["UPDATE"]).await;
    let document = rendered(&person.client, id).await;
    let reference = |name: &str| shown(&document, name).get("reference");
    assert_eq!(reference("visible").unwrap()["object_id"], visible);
    assert_eq!(
        reference("visible").unwrap()["summaries"][0]["value"],
        "top secret"
    );
    assert_eq!(reference("hidden"), Some(&json!(null)));
    assert_eq!(reference("missing").unwrap()["object_id"], 0);
    assert_eq!(reference("none"), None);
    assert_eq!(
        shown(&document, "missing")["value"],
        missing,
        "the value stays to be seen"
    );
    assert_eq!(
        shown(&rendered(&admin, id).await, "hidden")["reference"]["object_id"],
        hidden
    );
}

#[apply(both)]
async fn an_empty_section_tells_nothing_of_a_hidden_type(server: TestServer) {
    let admin = server.admin();
    let closed = make_type(&admin, "closed", &[field("text", "plan")]).await;
    let shown_section = json!({"type_id": closed, "section_name": "all"});
    let sections = json!([
        {"type": "ref-section", "name": "home", "label": "Home", "fields": ["home-field"], "reference": shown_section},
    ]);
    let fields = [field_with(
        "ref-section-field",
        "home-field",
        &json!({"ref_types": [closed]}),
    )];
    let body = json!({"name": "host", "author_id": 1, "fields": fields, "render_meta": {"sections": sections}});
    let host = inventory::insert(&admin, "/rest/types", body).await;
    let id = insert(&admin, host, &[("home-field", json!(null))]).await;
    let person = server.user_with(OBJECTS).await;
    let seen = rendered(&person.client, id).await;
    assert_eq!(shown(&seen, "home-field")["references"]["type_id"], closed);
    restrict(&admin, closed, person.group_id, &["UPDATE"]).await;
    let hidden = rendered(&person.client, id).await;
    assert_eq!(shown(&hidden, "home-field")["references"], json!(null));
}

#[apply(both)]
async fn what_is_hidden_stays_hidden_hops_away(server: TestServer) {
    let admin = server.admin();
    let closed = make_type(&admin, "closed", &[field("text", "name")]).await;
    let hidden = insert(&admin, closed, &[("name", json!("top secret"))]).await;
    let mut section = json!({"type_id": closed, "section_name": "all", "selected_fields": []});
    let mut target = hidden;
    for hop in ["near", "far"] {
        let link = format!("{hop}-field");
        let sections = json!([
            {"type": "ref-section", "name": hop, "label": hop, "fields": [link], "reference": section},
        ]);
        let body = json!({
            "name": hop, "author_id": 1, "fields": [field("ref-section-field", &link)],
            "render_meta": {"sections": sections},
        });
        let type_id = inventory::insert(&admin, "/rest/types", body).await;
        target = insert(&admin, type_id, &[(&link, json!(target))]).await;
        section = json!({"type_id": type_id, "section_name": hop, "selected_fields": []});
    }
    let person = server.user_with(OBJECTS).await;
    let open = person.client.get(&path(target)).await.expect(200);
    assert!(open.to_string().contains("top secret"), "{open}");
    restrict(&admin, closed, person.group_id, &[]).await;
    let answer = person.client.get(&path(target)).await.expect(200);
    assert!(!answer.to_string().contains("top secret"), "{answer}");
    let answer = list(&person.client, &[("view", "render")])
        .await
        .expect(200);
    assert!(!answer.to_string().contains("top secret"), "{answer}");
}

#[apply(both)]
async fn a_summary_line_falls_back_to_type_and_id(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "rack",
        &[
            field("text", "name"),
            field("checkbox", "on"),
            field("date", "day"),
        ],
    )
    .await;
    let id = insert(
        &admin,
        type_id,
        &[
            ("name", json!("a")),
            ("on", json!(true)),
            ("day", json!("2020-01-02")),
        ],
    )
    .await;
    let other = insert(&admin, type_id, &[("name", json!(null))]).await;
    let line =
        async |id: i64| rendered(&admin, id).await["type_information"]["summary_line"].clone();
    assert_eq!(line(id).await, format!("Rack #{id}"));
    let summary = json!({"render_meta": {"summary": {"fields": ["name", "on", "day", "unknown"]}}});
    let _ = patch_type(&admin, type_id, summary).await.expect(202);
    assert_eq!(line(id).await, "a | true | 2020-01-02 00:00:00");
    assert_eq!(line(other).await, " |  | ", "no value is empty");
}

#[apply(both)]
async fn links_are_filled_safely_or_left_out(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(
        &admin,
        "host",
        &[field("text", "name"), field("text", "url")],
    )
    .await;
    let external = |name: &str, href: &str, fields: Value| json!({"name": name, "href": href, "label": name, "icon": "i", "fields": fields});
    let externals = json!({"render_meta": {"externals": [
        external("plain", "https://example.org/", json!([])),
        external("by-id", "https://example.org/{}", json!(["object_id"])),
        external("by-name", "https://example.org/?q={name}", json!(["name"])),
        external("whole", "{}", json!(["url"])),
    ]}});
    let _ = patch_type(&admin, type_id, externals).await.expect(202);
    let links = async |name: Value, url: Value| {
        let id = insert(&admin, type_id, &[("name", name), ("url", url)]).await;
        let document = rendered(&admin, id).await;
        let links: Vec<String> = document["type_information"]["externals"]
            .as_array()
            .unwrap()
            .iter()
            .map(|link| link["href"].as_str().unwrap().replace(&id.to_string(), "#"))
            .collect();
        links
    };
    let (plain, by_id) = ("https://example.org/", "https://example.org/#");
    assert_eq!(
        links(json!("a b/&"), json!("https://other.example/a?b")).await,
        [
            plain,
            by_id,
            "https://example.org/?q=a%20b%2F%26",
            "https://other.example/a?b"
        ]
    );
    for dangerous in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:x",
        "ms-msdt:/id",
        "intent://x",
        "host:8080",
    ] {
        assert_eq!(
            links(json!(null), json!(dangerous)).await,
            [plain, by_id],
            "{dangerous}"
        );
    }
}

#[apply(both)]
async fn a_rendered_page_costs_as_many_statements_as_a_rendered_object(server: TestServer) {
    let admin = server.admin();
    let leaf = make_type(&admin, "leaf", &[field("text", "name")]).await;
    let sections = json!([
        {"type": "ref-section", "name": "leaf", "label": "Leaf", "fields": ["leaf-field"],
         "reference": {"type_id": leaf, "section_name": "all", "selected_fields": []}},
        {"type": "section", "name": "rest", "label": "Rest", "fields": ["other", "inline"]},
    ]);
    let summaries = json!({"summaries": [
        {"type_id": leaf, "line": "{}", "label": "l", "icon": "i", "fields": ["name"]},
    ]});
    let fields = [
        field("ref-section-field", "leaf-field"),
        field("ref", "other"),
        field_with("ref", "inline", &summaries),
    ];
    let body = json!({"name": "host", "author_id": 1, "fields": fields, "render_meta": {"sections": sections}});
    let host = inventory::insert(&admin, "/rest/types", body).await;
    let mut hosts = Vec::new();
    for number in 0..10 {
        let name = [("name", json!(number.to_string()))];
        let (one, two) = (
            insert(&admin, leaf, &name).await,
            insert(&admin, leaf, &name).await,
        );
        let other = hosts.last().copied().unwrap_or(one);
        hosts.push(
            insert(
                &admin,
                host,
                &[
                    ("leaf-field", json!(one)),
                    ("other", json!(other)),
                    ("inline", json!(two)),
                ],
            )
            .await,
        );
    }
    let of_hosts = json!({"type_id": host}).to_string();
    let cost = async |limit: &str| {
        let before = statements_run();
        let answer = list(
            &admin,
            &[("view", "render"), ("filter", &of_hosts), ("limit", limit)],
        )
        .await
        .expect(200);
        assert_eq!(answer.member("count").to_string(), limit);
        statements_run() - before
    };
    // The indexer of the search runs statements of its own, once a second, and the first read
    // after a write may check for a newer catalog.
    let least = async |limit: &str| {
        let costs = [cost(limit).await, cost(limit).await, cost(limit).await];
        costs.into_iter().min()
    };
    let two = least("2").await;
    assert!(two > Some(0), "statements are counted");
    assert_eq!(least("10").await, two);
}
