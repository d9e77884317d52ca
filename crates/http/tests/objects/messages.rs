//! Refusals name records as people know them, and show what would be right.

use serde_json::{Value, json};
use stockroom_testkit::{Answer, TestServer, apply, both, inventory};

use crate::fixture::{OBJECTS, path, restrict};

/// The only fault in a refusal.
#[track_caller]
fn fault(answer: &Answer) -> String {
    let errors = answer.problem()["errors"].take();
    let [error] = errors.as_array().map(Vec::as_slice).unwrap_or_default() else {
        panic!("not one fault\n{answer}");
    };
    error["detail"].as_str().unwrap().to_owned()
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} in {text:?}");
    }
}

#[apply(both)]
async fn a_refused_value_names_its_field_and_what_it_takes(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    for (field, value, words) in [
        (
            "hostname",
            json!("SRV"),
            &["Host name", "hostname", "[a-z]+-[0-9]{2}"][..],
        ),
        ("system", json!("windows"), &["System", "debian", "alpine"]),
        (
            "bought",
            json!("yesterday"),
            &["Bought on", "date", "not \"yesterday\""],
        ),
        (
            "bought",
            json!("2024-02-30"),
            &["Bought on", "\"2024-02-30\": there is no such day"],
        ),
        (
            "bought",
            json!("31.12.2024"),
            &["YYYY-MM-DD", "not \"31.12.2024\""],
        ),
        ("bought", json!("ä".repeat(10_000)), &["ä\"…"]),
        ("bought", json!(7), &["not a number"]),
        ("cores", json!([1]), &["Cores", "number"]),
        (
            "site-field",
            json!(small.srv_01),
            &["Site", &format!("\"Site\" ({})", small.site_type), "Server"],
        ),
        ("backup", json!(999), &["Backup", "999"]),
    ] {
        let change = json!({"fields": [{"name": field, "value": value}]});
        says(
            &fault(&admin.patch(&path(small.srv_01), change).await.expect(400)),
            words,
        );
    }
    let missing = inventory::object(small.server_type, &[]);
    says(
        &fault(&admin.post("/rest/objects", missing).await.expect(400)),
        &["Host name", "hostname", "required"],
    );
}

#[apply(both)]
async fn another_type_says_that_it_never_changes(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let site = admin
        .get(&format!("{}/native", path(small.vienna)))
        .await
        .expect(200)
        .json();
    let mut moved = site.clone();
    moved["type_id"] = json!(small.server_type);
    for refused in [
        admin
            .patch(&path(small.vienna), json!({"type_id": small.server_type}))
            .await
            .expect(400),
        admin.put(&path(small.vienna), moved).await.expect(400),
    ] {
        assert_eq!(refused.pointers(), ["/type_id"]);
        says(
            &fault(&refused),
            &["never changes", &format!("of type {}", small.site_type)],
        );
    }
    let _ = admin
        .patch(&path(small.vienna), json!({"type_id": small.site_type}))
        .await
        .expect(200);
}

#[apply(both)]
async fn a_warning_of_an_unknown_field_lists_the_known_ones(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let change = json!({"fields": [{"name": "strete", "value": "x"}]});
    let answer = admin.patch(&path(small.vienna), change).await.expect(200);
    let warnings = answer.member("warnings");
    says(
        warnings[0]["detail"].as_str().unwrap(),
        &["strete", "Site", "name, street"],
    );
}

#[apply(both)]
async fn a_refused_access_names_the_type_to_those_who_may_read_its_objects(server: TestServer) {
    let admin = server.admin();
    let small = inventory::small(&admin).await;
    let person = server.user_with(OBJECTS).await;
    let change = json!({"version": "2"});
    restrict(&admin, small.site_type, person.group_id, &["READ"]).await;
    let refused = person
        .client
        .patch(&path(small.vienna), change)
        .await
        .expect(403);
    says(&refused.detail(), &["\"Site\"", "UPDATE"]);
    restrict(&admin, small.site_type, person.group_id, &[]).await;
    let body = inventory::object(small.site_type, &[]);
    let refused = person.client.post("/rest/objects", body).await.expect(403);
    assert!(!refused.detail().contains("Site"), "{refused}");
}

#[apply(both)]
async fn a_pattern_that_cannot_be_read_says_where(server: TestServer) {
    let admin = server.admin();
    for (pattern, words) in [
        ("[a-z]{2}(", &["at its end"][..]),
        ("ä[a-z]+*+)x", &["character"]),
        ("abc\\", &["Backslash"]),
    ] {
        let field = json!({"type": "text", "name": "a", "label": "A", "regex": pattern});
        let body = json!({"name": "broken", "author_id": 1, "fields": [field]});
        let answer = admin.post("/rest/types", body).await.expect(400);
        assert_eq!(answer.pointers(), ["/fields/0/regex"]);
        says(&fault(&answer), words);
    }
}

#[apply(both)]
async fn a_pattern_of_a_filter_that_cannot_be_read_says_where(server: TestServer) {
    let admin = server.admin();
    for (pattern, words) in [
        ("ab(c", &["( without its ), found at its end"][..]),
        (
            "ä[a-z]+*+)x",
            &[
                "nothing to repeat before *",
                "found at character 8: \"*+)x\"",
            ],
        ),
        (
            "abc[[:colour:]]",
            &["[:colour:] is unknown, found at character 4"],
        ),
        ("a)", &["found at character 2: \")\""]),
    ] {
        let filter = json!({"version": {"$regex": pattern}}).to_string();
        let answer = admin
            .query("/rest/objects", &[("filter", &filter)])
            .await
            .expect(400);
        assert_eq!(answer.pointers(), ["filter/version/$regex"]);
        says(&fault(&answer), words);
    }
}

#[apply(both)]
async fn a_category_below_itself_is_refused_by_name(server: TestServer) {
    let admin = server.admin();
    let racks = inventory::insert(&admin, "/rest/categories", json!({"name": "racks"})).await;
    let below = json!({"name": "shelves", "parent": racks});
    let shelves = inventory::insert(&admin, "/rest/categories", below).await;
    let change: Value = json!({"parent": shelves});
    let refused = admin
        .patch(&format!("/rest/categories/{racks}"), change)
        .await
        .expect(400);
    says(&fault(&refused), &["Shelves", "null"]);
}
