use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use super::PATH;

/// Names of nodes, each followed by its children in brackets.
fn outline(nodes: &Value) -> String {
    let nodes = nodes.as_array().unwrap();
    let names: Vec<String> = nodes
        .iter()
        .map(|node| {
            let name = node["category"]["name"].as_str().unwrap();
            match outline(&node["children"]) {
                below if below.is_empty() => name.to_owned(),
                below => format!("{name}[{below}]"),
            }
        })
        .collect();
    names.join(" ")
}

async fn grow(admin: &Client) {
    for (name, parent, order) in [
        ("last", None, None),
        ("third", None, Some(3)),
        ("first", None, Some(-1)),
        ("tie-b", Some(2), Some(5)),
        ("tie-c", Some(2), Some(5)),
        ("leaf", Some(5), None),
        ("tie-a", Some(2), Some(4)),
        ("later", None, None),
    ] {
        let body = json!({"name": name, "parent": parent, "meta": {"order": order}});
        insert(admin, PATH, body).await;
    }
}

#[apply(both)]
async fn a_tree_has_fifty_levels_at_most(server: TestServer) {
    let admin = server.admin();
    let mut parent = json!(null);
    for level in 1..=50 {
        let body = json!({"name": format!("level {level}"), "parent": parent});
        parent = admin
            .post("/rest/categories", body)
            .await
            .expect(200)
            .json()["result_id"]
            .clone();
    }
    let body = json!({"name": "too deep", "parent": parent});
    let refused = admin.post("/rest/categories", body).await.expect(400);
    assert_eq!(refused.pointers(), ["/parent"]);
    let root = admin
        .post("/rest/categories", json!({"name": "new root"}))
        .await
        .expect(200);
    let moved = json!({"parent": root.json()["result_id"]});
    let refused = admin.patch("/rest/categories/1", moved).await.expect(400);
    assert_eq!(refused.pointers(), ["/parent"]);
    let tree = admin.get("/rest/categories?view=tree").await.expect(200);
    assert_eq!(tree.member("total"), 2);
}

#[apply(both)]
async fn the_tree_is_a_list_of_root_nodes(server: TestServer) {
    let admin = server.admin();
    insert(&admin, PATH, json!({"name": "hall", "meta": {"order": 2}})).await;
    let category = admin
        .get("/rest/categories/1")
        .await
        .expect(200)
        .member("result");
    let answer = admin.get("/rest/categories/?view=tree").await.expect(200);
    let keys = [
        "results",
        "count",
        "total",
        "parameters",
        "pager",
        "pagination",
        "response_type",
        "model",
        "time",
    ];
    assert_eq!(answer.keys(), keys);
    let body = answer.json();
    assert_eq!(
        body["results"],
        json!([{"category": category, "node_order": 2, "children": [], "types": []}])
    );
    assert_eq!(
        body["results"][0]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["category", "node_order", "children", "types"]
    );
    assert_eq!(body["model"], "Category");
    assert_eq!(body["parameters"]["optional"], json!({"view": "tree"}));
}

#[apply(both)]
async fn siblings_stand_by_their_order_then_their_id_and_those_without_one_last(
    server: TestServer,
) {
    grow(&server.admin()).await;
    let tree = server
        .admin()
        .get("/rest/categories?view=tree")
        .await
        .expect(200);
    assert_eq!(
        outline(&tree.member("results")),
        "first third[tie-a tie-b tie-c[leaf]] last later"
    );
    assert_eq!(
        (tree.member("total"), tree.member("count")),
        (json!(4), json!(4))
    );
    assert_eq!(tree.header("x-total-count"), "4");
}

#[apply(both)]
async fn the_tree_is_whole_unless_a_limit_is_sent(server: TestServer) {
    let admin = server.admin();
    for number in 1..=12 {
        insert(&admin, PATH, json!({"name": format!("c{number}")})).await;
    }
    let whole = admin
        .get("/rest/categories?view=tree")
        .await
        .expect(200)
        .json();
    assert_eq!(whole["count"], 12);
    assert_eq!(whole["parameters"]["limit"], 0);
    assert_eq!(
        whole["pager"],
        json!({"page": 1, "page_size": 0, "total_pages": 1})
    );
    let page = admin
        .get("/rest/categories?view=tree&limit=5&page=3")
        .await
        .expect(200);
    assert_eq!(outline(&page.member("results")), "c11 c12");
    assert_eq!(
        page.member("pager"),
        json!({"page": 3, "page_size": 5, "total_pages": 3})
    );
}

#[apply(both)]
async fn filter_sort_and_projection_are_over_the_categories_at_every_depth(server: TestServer) {
    grow(&server.admin()).await;
    let tree = async |parameters: &[(&str, &str)]| {
        let parameters = [&[("view", "tree")], parameters].concat();
        server.admin().query(PATH, &parameters).await.expect(200)
    };
    for (parameters, expected) in [
        (&[("filter", r#"{"name": "third"}"#)][..], "third"),
        (&[("filter", r#"{"name": "leaf"}"#)], "third[tie-c[leaf]]"),
        (
            &[("filter", r#"{"parent": 2}"#)],
            "third[tie-a tie-b tie-c]",
        ),
        (
            &[("filter", r#"{"parent": null}"#)],
            "first third last later",
        ),
        (&[("filter", r#"{"category.name": "third"}"#)], ""),
        (
            &[("sort", "name")],
            "first last later third[tie-a tie-b tie-c[leaf]]",
        ),
        (
            &[("sort", "name"), ("order", "-1")],
            "third[tie-c[leaf] tie-b tie-a] later last first",
        ),
        (
            &[("sort", "public_id")],
            "last third[tie-b tie-c[leaf] tie-a] first later",
        ),
        (
            &[("sort", "meta.order"), ("limit", "1"), ("page", "4")],
            "third[tie-a tie-b tie-c[leaf]]",
        ),
    ] {
        assert_eq!(
            outline(&tree(parameters).await.member("results")),
            expected,
            "{parameters:?}"
        );
    }
    let cut = tree(&[("filter", r#"{"name": {"$regex": "^t"}}"#), ("limit", "1")]).await;
    assert_eq!(
        (cut.member("total"), cut.member("count")),
        (json!(1), json!(1))
    );
    let projected = tree(&[
        ("projection", r#"["label"]"#),
        ("filter", r#"{"name": "tie-a"}"#),
    ])
    .await;
    let root = &projected.member("results")[0];
    assert_eq!(root["category"], json!({"label": "Third"}));
    assert_eq!(
        (&root["node_order"], &root["children"][0]["category"]),
        (&json!(3), &json!({"label": "Tie-A"}))
    );
}

#[apply(both)]
async fn types_are_left_out_for_callers_who_may_not_see_them(server: TestServer) {
    let admin = server.admin();
    insert(
        &admin,
        "/rest/types",
        json!({"name": "site", "author_id": 1}),
    )
    .await;
    insert(&admin, PATH, json!({"name": "places", "types": [1]})).await;
    for (rights, types) in [
        (&["base.framework.category.view"][..], 0),
        (
            &["base.framework.category.view", "base.framework.type.view"],
            1,
        ),
    ] {
        let person = server.user_with(rights).await;
        let tree = person
            .client
            .get(&format!("{PATH}?view=tree"))
            .await
            .expect(200);
        let shown = tree.member("results")[0]["types"].as_array().unwrap().len();
        assert_eq!(shown, types, "{rights:?}");
    }
}

#[apply(both)]
async fn nodes_show_their_types_in_the_order_of_the_category(server: TestServer) {
    let admin = server.admin();
    for name in ["site", "room", "rack"] {
        insert(&admin, "/rest/types", json!({"name": name, "author_id": 1})).await;
    }
    insert(
        &admin,
        PATH,
        json!({"name": "places", "types": [3, 404, 1]}),
    )
    .await;
    let tree = admin
        .get("/rest/categories?view=tree")
        .await
        .expect(200)
        .json();
    let expected = json!([read_type(&admin, 3).await, read_type(&admin, 1).await]);
    assert_eq!(tree["results"][0]["types"], expected);
    assert_eq!(tree["results"][0]["category"]["types"], json!([3, 404, 1]));
}

async fn read_type(admin: &Client, id: i64) -> Value {
    let answer = admin.get(&format!("/rest/types/{id}")).await.expect(200);
    answer.member("result")
}

#[apply(both)]
async fn the_view_is_list_or_tree_and_list_by_default(server: TestServer) {
    grow(&server.admin()).await;
    for query in ["", "?view=", "?view=list"] {
        let answer = server
            .admin()
            .get(&format!("{PATH}{query}"))
            .await
            .expect(200);
        assert_eq!(answer.ids(), [1, 2, 3, 4, 5, 6, 7, 8], "{query}");
        assert_eq!(
            answer.member("parameters")["optional"],
            json!({"view": "list"})
        );
    }
    for query in ["?view=render", "?view=Tree", "?view=list&view=tree"] {
        let answer = server.admin().get(&format!("{PATH}{query}")).await;
        assert_eq!(answer.pointers(), ["view"], "{query}");
    }
}
