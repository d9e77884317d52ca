//! `POST /imports/records`: types, categories and groups by their names.

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Answer, Client, TestServer, apply, both};

use crate::fixture::read;

const PATH: &str = "/rest/imports/records";
const DRY_RUN: &str = "/rest/imports/records?dry_run=true";
const IMPORT: &str = "base.import.type.*";

fn named(name: &str) -> Value {
    json!({"name": name, "label": name})
}

fn reference(name: &str, types: &Value) -> Value {
    json!({"type": "ref", "name": name, "label": name, "ref_types": types})
}

/// Two types that refer to each other, in two categories, with access for a group.
fn file() -> Value {
    let mut rack = json!({
        "public_id": 7, "name": "rack", "label": "Rack", "author_id": 1,
        "fields": [{"type": "text", "name": "code", "label": "Code"}, reference("spare", &json!([9]))],
        "acl": {"activated": true, "groups": {"includes": {"5": ["READ"], "1": ["READ", "UPDATE"]}}},
    });
    rack["fields"][1]["summaries"] =
        json!([{"type_id": 9, "line": "{}", "label": "", "fields": ["serial"], "icon": ""}]);
    let part = json!({
        "public_id": 9, "name": "part", "fields": [{"type": "text", "name": "serial", "label": "Serial"}, reference("rack", &json!([7, 9]))],
        "render_meta": {"sections": [{
            "type": "ref-section", "name": "place", "label": "Place", "fields": [],
            "reference": {"type_id": 7, "section_name": "main", "selected_fields": []},
        }]},
    });
    json!({
        "types": [rack, part],
        "categories": [
            {"public_id": 4, "name": "below", "label": "Below", "parent": 2, "types": [9]},
            {"public_id": 2, "name": "top", "label": "Top", "parent": null, "types": [7, 9]},
        ],
        "groups": [{"public_id": 5, "name": "racks", "label": "Racks", "rights": ["base.framework.object.view"]}],
    })
}

fn actions(answer: &Answer) -> Vec<(String, String, String)> {
    let results = answer.member("results");
    let text = |result: &Value, member: &str| result[member].as_str().unwrap().to_owned();
    let results = results.as_array().unwrap().iter();
    results
        .map(|result| {
            let member = |member| text(result, member);
            (member("resource"), member("name"), member("action"))
        })
        .collect()
}

fn ids(answer: &Answer) -> Vec<i64> {
    let results = answer.member("results");
    let results = results.as_array().unwrap().iter();
    results
        .map(|result| result["public_id"].as_i64().unwrap())
        .collect()
}

async fn count(client: &Client, list: &str) -> Value {
    client.get(list).await.expect(200).member("total")
}

/// Takes the ids that the file uses.
async fn take_ids(admin: &Client) {
    for name in ["other", "another"] {
        let body =
            json!({"name": name, "author_id": 1, "public_id": if name == "other" { 7 } else { 9 }});
        insert(admin, "/rest/types", body).await;
        insert(admin, "/rest/categories", named(name)).await;
    }
}

#[apply(both)]
async fn ids_of_the_file_become_ids_of_this_inventory(server: TestServer) {
    let admin = server.admin();
    take_ids(&admin).await;
    let answer = admin.post(PATH, file()).await.expect(200);
    let expected = [
        ("group", "racks", "new"),
        ("type", "rack", "new"),
        ("type", "part", "new"),
        ("category", "below", "new"),
        ("category", "top", "new"),
    ];
    assert_eq!(
        actions(&answer),
        expected.map(|(resource, name, action)| (
            resource.to_owned(),
            name.to_owned(),
            action.to_owned()
        ))
    );
    let [group, rack, part, below, top] = ids(&answer)[..] else {
        panic!("{answer}")
    };
    assert!(
        ![7, 9].contains(&rack) && ![7, 9].contains(&part),
        "{answer}"
    );
    let warned = answer.member("warnings");
    assert_eq!(
        answer.warnings(),
        ["/types/1/render_meta/sections/0/reference/section_name"],
        "{warned}"
    );
    let stored = read(&admin, &format!("/rest/types/{rack}")).await;
    assert_eq!(stored["fields"][1]["ref_types"], json!([part]));
    assert_eq!(stored["fields"][1]["summaries"][0]["type_id"], json!(part));
    assert_eq!(
        stored["acl"]["groups"]["includes"],
        json!({group.to_string(): ["READ"], "1": ["READ", "UPDATE"]})
    );
    let stored = read(&admin, &format!("/rest/types/{part}")).await;
    assert_eq!(stored["fields"][1]["ref_types"], json!([rack, part]));
    assert_eq!(
        stored["render_meta"]["sections"][0]["reference"]["type_id"],
        json!(rack)
    );
    assert_eq!(stored["author_id"], json!(1));
    let stored = read(&admin, &format!("/rest/categories/{below}")).await;
    assert_eq!(
        (&stored["parent"], &stored["types"]),
        (&json!(top), &json!([part]))
    );
    let stored = read(&admin, &format!("/rest/categories/{top}")).await;
    assert_eq!(
        (&stored["parent"], &stored["types"]),
        (&json!(null), &json!([rack, part]))
    );
}

#[apply(both)]
async fn the_same_content_writes_nothing_and_a_change_writes_one_record(server: TestServer) {
    let admin = server.admin();
    let first = ids(&admin.post(PATH, file()).await.expect(200));
    let changes = count(&admin, "/rest/changes").await;
    let again = admin.post(PATH, file()).await.expect(200);
    assert_eq!(ids(&again), first);
    assert!(
        actions(&again)
            .iter()
            .all(|(_, _, action)| action == "unchanged"),
        "{again}"
    );
    assert_eq!(count(&admin, "/rest/changes").await, changes);

    let part = json!({"name": "part", "label": "Spare part"});
    let answer = admin.post(PATH, json!({"types": [part]})).await.expect(200);
    assert_eq!(actions(&answer)[0].2, "update");
    // What the file leaves out stays.
    let stored = read(&admin, &format!("/rest/types/{}", first[2])).await;
    assert_eq!(
        (&stored["label"], stored["fields"].as_array().unwrap().len()),
        (&json!("Spare part"), 2)
    );
    let rack = json!({"name": "rack", "description": "Four posts"});
    let _ = admin.post(PATH, json!({"types": [rack]})).await.expect(200);
    let stored = read(&admin, &format!("/rest/types/{}", first[1])).await;
    assert_eq!(stored["acl"]["activated"], json!(true));
}

#[apply(both)]
async fn a_dry_run_says_the_same_and_writes_nothing(server: TestServer) {
    let admin = server.admin();
    let changes = count(&admin, "/rest/changes").await;
    let dry = admin.post(DRY_RUN, file()).await.expect(200);
    assert_eq!(dry.member("effects")["total"], json!(5));
    assert_eq!(count(&admin, "/rest/changes").await, changes);
    let done = admin.post(PATH, file()).await.expect(200);
    assert_eq!(actions(&dry), actions(&done));
    assert_eq!(ids(&dry), ids(&done));
}

#[apply(both)]
async fn answers_of_lists_are_used_as_they_are(server: TestServer) {
    let admin = server.admin();
    let _ = admin.post(PATH, file()).await.expect(200);
    let mut whole = json!({});
    for list in ["types", "categories", "groups"] {
        whole[list] = admin
            .get(&format!("/rest/{list}/?limit=0"))
            .await
            .expect(200)
            .member("results");
    }
    let answer = admin.post(PATH, whole).await.expect(200);
    assert_eq!(actions(&answer).len(), 7);
    assert!(
        actions(&answer)
            .iter()
            .all(|(_, _, action)| action == "unchanged"),
        "{answer}"
    );
}

#[apply(both)]
async fn all_problems_come_at_once_and_nothing_is_written(server: TestServer) {
    let admin = server.admin();
    let _ = admin.post(PATH, file()).await.expect(200);
    let changes = count(&admin, "/rest/changes").await;
    for (body, pointers) in [
        (json!([]), vec![""]),
        (json!({"results": []}), vec![""]),
        (json!({"types": {}, "groups": 1}), vec!["/groups", "/types"]),
        (
            json!({"types": [1, {"public_id": 0, "name": ""}]}),
            vec!["/types/0", "/types/1/public_id", "/types/1/name"],
        ),
        (
            json!({"types": [named("aa"), named("aa")], "groups": [named("x"), named("\u{200b}X")]}),
            vec!["/groups/1/name", "/types/1/name"],
        ),
        (
            json!({"categories": [{"public_id": 1, "name": "a"}, {"public_id": 1, "name": "b"}]}),
            vec!["/categories/1/public_id"],
        ),
        (
            json!({"categories": [{"public_id": 1, "name": "a", "parent": 2}, {"public_id": 2, "name": "b", "parent": 1}]}),
            vec!["/categories/0/parent", "/categories/1/parent"],
        ),
        (
            json!({"categories": [named("a"), named("a")]}),
            vec!["/categories/1/name"],
        ),
        (
            json!({
                "types": [
                    {"name": "-", "fields": [{"type": "text", "name": "a", "label": "", "regex": "("}]},
                    {"name": "rack", "fields": [reference("spare", &json!([77, "x"]))]},
                    {"name": "good"},
                ],
                "groups": [{"name": "other", "rights": ["base.invented"]}],
                "categories": [{"name": "c", "types": ["x"]}],
            }),
            vec![
                "/groups/0/rights/0",
                "/types/0/name",
                "/types/0/fields/0/regex",
                "/types/1/fields/0/ref_types/1",
                "/categories/0/types/0",
            ],
        ),
    ] {
        let answer = admin.post(PATH, body).await.expect(400);
        let mut found = answer.pointers();
        found.sort();
        let mut expected = pointers;
        expected.sort_unstable();
        assert_eq!(found, expected, "{answer}");
    }
    assert_eq!(count(&admin, "/rest/changes").await, changes);
}

#[apply(both)]
async fn ids_without_a_record_are_left_out(server: TestServer) {
    let admin = server.admin();
    let site = insert(
        &admin,
        "/rest/types",
        json!({"name": "site", "author_id": 1}),
    )
    .await;
    let body = json!({
        "types": [{
            "public_id": 60, "name": "room", "fields": [reference("site", &json!([site, 61])), reference("any", &json!([61]))],
            "acl": {"activated": true, "groups": {"includes": {"62": ["READ"], "2": ["READ"]}}},
        }],
        "categories": [{"name": "rooms", "parent": 63, "types": [61, 60]}],
    });
    let answer = admin.post(PATH, body.clone()).await.expect(200);
    let warned = [
        "/categories/0/parent",
        "/types/0/fields/0/ref_types",
        "/types/0/fields/1/ref_types",
        "/types/0/fields/1/ref_types",
        "/types/0/acl/groups/includes",
        "/categories/0/types",
    ];
    assert_eq!(answer.warnings(), warned, "{answer}");
    let [room, rooms] = ids(&answer)[..] else {
        panic!("{answer}")
    };
    let stored = read(&admin, &format!("/rest/types/{room}")).await;
    assert_eq!(stored["fields"][0]["ref_types"], json!([site]));
    assert_eq!(stored["acl"]["groups"]["includes"], json!({"2": ["READ"]}));
    let stored = read(&admin, &format!("/rest/categories/{rooms}")).await;
    assert_eq!(
        (&stored["parent"], &stored["types"]),
        (&json!(null), &json!([room]))
    );
    let strict = admin.clone().with_header("prefer", "handling=strict");
    assert_eq!(strict.post(PATH, body).await.expect(400).pointers(), warned);
}

#[apply(both)]
async fn categories_are_found_by_their_path(server: TestServer) {
    let admin = server.admin();
    let top = insert(&admin, "/rest/categories", named("top")).await;
    let below = insert(
        &admin,
        "/rest/categories",
        json!({"name": "same", "parent": top}),
    )
    .await;
    let body = json!({"categories": [
        {"public_id": 90, "name": "same", "parent": 91, "label": "Below"},
        {"public_id": 91, "name": "top"},
        {"public_id": 92, "name": "same", "label": "Top"},
    ]});
    let answer = admin.post(PATH, body).await.expect(200);
    let acted: Vec<String> = actions(&answer)
        .into_iter()
        .map(|(_, _, action)| action)
        .collect();
    assert_eq!(acted, ["update", "unchanged", "new"], "{answer}");
    assert_eq!(ids(&answer)[..2], [below, top]);
    // Without a file that says which, nobody knows which of two is meant.
    insert(&admin, "/rest/categories", named("top")).await;
    let answer = admin
        .post(PATH, json!({"categories": [named("top")]}))
        .await
        .expect(400);
    assert_eq!(answer.pointers(), ["/categories/0/name"]);
}

#[apply(both)]
async fn a_tree_that_would_be_too_deep_is_refused(server: TestServer) {
    let chain = |length: i64| {
        let category = |id: i64| json!({"public_id": id, "name": format!("c{id}"), "parent": if id == 1 { json!(null) } else { json!(id - 1) }});
        json!({"categories": (1..=length).rev().map(category).collect::<Vec<_>>()})
    };
    let admin = server.admin();
    let answer = admin.post(PATH, chain(51)).await.expect(400);
    assert_eq!(answer.pointers(), ["/categories/0/parent"]);
    let _ = admin.post(PATH, chain(50)).await.expect(200);
}

#[apply(both)]
async fn every_record_needs_the_right_that_it_needs_alone(server: TestServer) {
    const ALL: [&str; 4] = [
        IMPORT,
        "base.framework.type.*",
        "base.framework.category.*",
        "base.user-management.group.*",
    ];
    let admin = server.admin();
    let _ = server
        .user_with(&ALL[1..])
        .await
        .client
        .post(PATH, json!({"types": []}))
        .await
        .expect(403);
    for (list, right) in [
        ("types", "base.framework.type"),
        ("categories", "base.framework.category"),
        ("groups", "base.user-management.group"),
    ] {
        let new = json!({list: [{"name": format!("new-{list}")}]});
        let known = json!({list: [{"name": format!("known-{list}"), "label": "Other"}]});
        let _ = admin
            .post(PATH, json!({list: [{"name": format!("known-{list}")}]}))
            .await
            .expect(200);
        let adds = server
            .user_with(&[IMPORT, &format!("{right}.add")])
            .await
            .client;
        let edits = server
            .user_with(&[IMPORT, &format!("{right}.edit")])
            .await
            .client;
        for (client, body, missing) in [(&adds, &known, "edit"), (&edits, &new, "add")] {
            let answer = client.post(PATH, body.clone()).await.expect(403);
            assert!(
                answer.detail().contains(&format!("/{list}/0: "))
                    && answer.detail().contains(&format!("{right}.{missing}")),
                "{answer}"
            );
        }
        let _ = adds.post(PATH, new).await.expect(200);
        let _ = edits.post(PATH, known).await.expect(200);
    }
}

#[apply(both)]
async fn nobody_gains_by_an_import_what_they_lack(server: TestServer) {
    let admin = server.admin();
    let person = server
        .user_with(&[
            IMPORT,
            "base.user-management.group.*",
            "base.framework.type.add",
        ])
        .await;
    let own = read(&admin, &format!("/rest/groups/{}", person.group_id)).await["name"].clone();
    for rights in [
        json!(["base.*"]),
        json!(["base.user-management.*"]),
        json!(["base.framework.type.edit"]),
    ] {
        for name in [own.clone(), json!("accomplices"), json!("user")] {
            let answer = person
                .client
                .post(PATH, json!({"groups": [{"name": name, "rights": rights}]}))
                .await
                .expect(403);
            assert!(
                answer
                    .detail()
                    .contains("nobody may grant a right that they lack"),
                "{answer}"
            );
        }
    }
    // Not by giving up the right first, nor in two steps of one file.
    let steps = json!({"groups": [{"name": own, "rights": []}, {"name": "accomplices", "rights": ["base.*"]}]});
    let _ = person.client.post(PATH, steps).await.expect(403);
    // Nor by the access list of a type that they may not change.
    let _ = admin.post(PATH, file()).await.expect(200);
    let open = json!({"types": [{"name": "rack", "acl": {"activated": false}}]});
    let _ = person.client.post(PATH, open).await.expect(403);
    // A token is no way around its limits.
    let limited = stockroom_testkit::api_token(
        &admin,
        json!({"name": "limited", "types": [1], "expires_at": "2027-01-01"}),
    )
    .await;
    let part = json!({"types": [{"name": "part", "label": "Other"}]});
    let _ = server
        .with_token(&limited)
        .post(PATH, part.clone())
        .await
        .expect(403);
    let read_only = stockroom_testkit::api_token(
        &admin,
        json!({"name": "reader", "read_only": true, "expires_at": "2027-01-01"}),
    )
    .await;
    let _ = server
        .with_token(&read_only)
        .post(PATH, part)
        .await
        .expect(403);
}

#[apply(both)]
async fn the_last_administrator_stays(server: TestServer) {
    let admin = server.admin();
    let body = json!({"groups": [{"name": "admin", "rights": ["base.import.*"]}]});
    let answer = admin.post(PATH, body).await.expect(400);
    assert_eq!(answer.pointers(), ["/groups"]);
    let _ = admin.get("/rest/groups/1").await.expect(200);
}

#[apply(both)]
async fn a_file_has_bounds(server: TestServer) {
    let admin = server.admin();
    let many: Vec<Value> = (0..1_001)
        .map(|number| json!({"name": format!("t{number}")}))
        .collect();
    let answer = admin.post(PATH, json!({"types": many})).await.expect(400);
    assert!(
        answer
            .detail()
            .contains("1001 items; the limit is 1000 types"),
        "{answer}"
    );
    // Ids by the ten thousand make one warning.
    let ids: Vec<i64> = (1_000..50_000).collect();
    let body = json!({"types": [{"name": "aa", "fields": [reference("f", &json!(ids))]}]});
    let answer = admin.post(PATH, body).await.expect(200);
    assert_eq!(answer.warnings().len(), 2, "{}", answer.warnings().len());
    // Expressions that are cheap one by one are not so by the hundred.
    let costly = |number: usize| {
        json!({
            "name": format!("costly-{number}"),
            "fields": [{"type": "text", "name": "a", "label": "", "regex": format!("[a-z]{{{}}}", 2_000 + number)}],
        })
    };
    let types: Vec<Value> = (0..500).map(costly).collect();
    let answer = admin.post(PATH, json!({"types": types})).await.expect(400);
    assert_eq!(answer.pointers(), ["/types"], "{answer}");
}
