//! Parameters that a route does not accept.

use serde_json::json;
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{TestServer, apply, both};

use super::{PATH, fill};

/// Every list.
const LISTS: [&str; 9] = [
    "/rest/objects",
    "/rest/objects/1/references",
    "/rest/objects/clean/1",
    "/rest/types",
    "/rest/categories",
    "/rest/users",
    "/rest/groups",
    "/rest/rights",
    "/rest/users/1/settings",
];

#[apply(both)]
async fn every_list_warns_of_what_it_does_not_know_and_names_what_it_does(server: TestServer) {
    let admin = server.admin();
    let _ = small(&admin).await;
    for path in LISTS {
        let known = admin.get(path).await.expect(200);
        assert!(!known.keys().contains(&"warnings".to_owned()), "{path}");
        for misspelt in ["filtr=%7B%7D", "Limit=5", "skip"] {
            let answer = admin.get(&format!("{path}?{misspelt}")).await.expect(200);
            let name = misspelt.split('=').next().unwrap();
            assert_eq!(answer.warnings(), [name], "{path}");
            let detail = answer.member("warnings")[0]["detail"].to_string();
            assert!(
                detail.contains("filter, projection, after, total"),
                "{path}: {detail}"
            );
            assert_eq!(answer.member("results"), known.member("results"), "{path}");
        }
        let strict = admin.clone().with_header("prefer", "handling=strict");
        assert_eq!(
            strict.get(&format!("{path}?b=1&a=2")).await.pointers(),
            ["a", "b"],
            "{path}"
        );
        let _ = strict.get(&format!("{path}?limit=5")).await.expect(200);
    }
}

#[apply(both)]
async fn a_parameter_of_other_lists_is_unknown(server: TestServer) {
    fill(&server.admin(), 1).await;
    let answer = server
        .admin()
        .get(&format!("{PATH}?active=true"))
        .await
        .expect(200);
    assert_eq!(answer.warnings(), ["active"]);
}

#[apply(both)]
async fn warnings_stay_few(server: TestServer) {
    let query: Vec<String> = (0..500).map(|number| format!("p{number}=1")).collect();
    let answer = server
        .admin()
        .get(&format!("{PATH}?{}", query.join("&")))
        .await
        .expect(200);
    assert_eq!(answer.warnings().len(), 16);
}

#[apply(both)]
async fn a_misspelt_parameter_deletes_nothing(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let group = json!({"name": "guests", "label": "Guests", "rights": []});
    let group = insert(&admin, "/rest/groups", group).await;
    for path in [
        format!("/rest/objects/{}", small.vienna),
        format!("/rest/groups/{group}"),
    ] {
        let refused = admin
            .delete(&format!("{path}?reference=protect"))
            .await
            .expect(400);
        assert_eq!(refused.pointers(), ["reference"]);
        assert_eq!(
            refused.detail(),
            "a write takes no unknown parameters; nothing was changed"
        );
        let _ = admin.get(&path).await.expect(200);
    }
}

#[apply(both)]
async fn only_active_objects_have_an_older_name(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let path = format!("/rest/objects/{}/state", small.vienna);
    let _ = admin.put(&path, json!(false)).await.expect(200);
    let answer = admin
        .get("/rest/objects?onlyActiveObjCookie=true")
        .await
        .expect(200);
    assert_eq!(answer.ids(), [small.berlin, small.srv_01, small.srv_02]);
    assert_eq!(
        answer.member("parameters")["optional"],
        json!({"view": "native", "active": true})
    );
    assert!(!answer.keys().contains(&"warnings".to_owned()));
}

#[apply(both)]
async fn several_objects_are_not_changed_at_once(server: TestServer) {
    let admin = server.admin();
    let small = small(&admin).await;
    let path = format!("/rest/objects/{}", small.vienna);
    let before = admin
        .get(&format!("{path}/native"))
        .await
        .expect(200)
        .json();
    for query in ["objectIDs=1", "objectIDs=1&objectIDs=2"] {
        let refused = admin
            .put(&format!("{path}?{query}"), before.clone())
            .await
            .expect(400);
        assert_eq!(refused.pointers(), ["objectIDs"]);
    }
    assert_eq!(
        admin
            .get(&format!("{path}/native"))
            .await
            .expect(200)
            .json(),
        before
    );
}

#[apply(both)]
async fn doubtful_orders_are_warned_of(server: TestServer) {
    let admin = server.admin();
    for (query, pointers) in [
        ("order=1", vec![]),
        ("order=-1&sort=public_id", vec![]),
        ("order=asc", vec!["order"]),
        ("order=0", vec!["order"]),
        ("sort=-creation_time", vec!["sort"]),
        ("sort=%2Bpublic_id&order=desc", vec!["sort", "order"]),
    ] {
        let path = format!("/rest/objects?{query}");
        let answer = admin.get(&path).await.expect(200);
        let warned = if answer.keys().contains(&"warnings".to_owned()) {
            answer.warnings()
        } else {
            vec![]
        };
        assert_eq!(warned, pointers, "{query}");
        let strict = admin
            .clone()
            .with_header("prefer", "handling=strict")
            .get(&path)
            .await;
        assert_eq!(
            strict.status,
            if pointers.is_empty() { 200 } else { 400 },
            "{query}"
        );
    }
}
