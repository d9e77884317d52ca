//! Rights and security levels: a table that everybody may read and nobody can change.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both};

use crate::fixture::check_envelope;

const PATH: &str = "/rest/rights";
const TIME: &str = "2026-03-04 05:06:07.089012";

fn names(results: &Value) -> Vec<String> {
    let results = results.as_array().unwrap();
    results
        .iter()
        .map(|right| right["name"].as_str().unwrap().to_owned())
        .collect()
}

fn flatten(node: &Value, into: &mut Vec<String>) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| flatten(node, into)),
        right => into.push(right["name"].as_str().unwrap().to_owned()),
    }
}

#[apply(both)]
async fn the_list_is_sorted_by_name_and_paged_by_ten(server: TestServer) {
    let list = server.admin().get("/rest/rights/").await.expect(200);
    let expected = [
        "base.*",
        "base.docapi.*",
        "base.docapi.template.*",
        "base.docapi.template.add",
        "base.docapi.template.delete",
        "base.docapi.template.edit",
        "base.docapi.template.view",
        "base.export.*",
        "base.export.object.*",
        "base.export.type.*",
    ];
    assert_eq!(names(&list.member("results")), expected);
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
    assert_eq!(list.keys(), keys);
    assert_eq!(
        (list.member("total"), list.header("x-total-count")),
        (json!(62), "62")
    );
    let parameters = json!({"limit": 10, "sort": "name", "order": 1, "page": 1, "filter": {}, "optional": {"view": "list"}});
    assert_eq!(list.member("parameters"), parameters);
    assert_eq!(
        list.member("pager"),
        json!({"page": 1, "page_size": 10, "total_pages": 7})
    );
    assert_eq!(
        (list.member("model"), list.member("time")),
        (json!("Right"), json!(TIME))
    );
    let last = server
        .admin()
        .query(PATH, &[("page", "7")])
        .await
        .expect(200);
    assert_eq!(
        names(&last.member("results")),
        [
            "base.user-management.user.edit",
            "base.user-management.user.view"
        ]
    );
}

#[apply(both)]
async fn a_right_has_its_five_members(server: TestServer) {
    let all = server
        .admin()
        .query(PATH, &[("limit", "0")])
        .await
        .expect(200)
        .member("results");
    let mut levels = BTreeSet::new();
    for right in all.as_array().unwrap() {
        let keys: Vec<&String> = right.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["level", "name", "label", "description", "is_master"]);
        let name = right["name"].as_str().unwrap();
        assert_eq!(right["is_master"], name.ends_with(".*"), "{name}");
        let label = name.rsplitn(3, '.').take(2).collect::<Vec<_>>();
        assert_eq!(
            right["label"],
            format!("{}.{}", label[1], label[0]),
            "{name}"
        );
        assert!(!right["description"].as_str().unwrap().is_empty(), "{name}");
        levels.insert(right["level"].as_i64().unwrap());
    }
    assert_eq!(levels, BTreeSet::from([0, 10, 30, 50, 80]));
    let edit = json!({"level": 30, "name": "base.framework.object.edit", "label": "object.edit", "description": "Edit objects", "is_master": false});
    assert!(all.as_array().unwrap().contains(&edit));
}

#[apply(both)]
async fn the_list_filters_sorts_and_projects(server: TestServer) {
    let admin = server.admin();
    for (parameters, expected) in [
        (
            vec![("filter", r#"{"level": 80}"#), ("order", "-1")],
            vec![
                "base.user-management.group.edit",
                "base.user-management.group.add",
                "base.framework.log.delete",
                "base.exportd.log.delete",
            ],
        ),
        (
            vec![("filter", r#"{"name": {"$regex": "^base\\.system\\."}}"#)],
            vec![
                "base.system.*",
                "base.system.edit",
                "base.system.reload",
                "base.system.view",
            ],
        ),
        (
            vec![("filter", r#"{"is_master": true, "level": {"$lte": 10}}"#)],
            vec!["base.*", "base.framework.*", "base.framework.object.*"],
        ),
        (
            vec![("sort", "level"), ("order", "-1"), ("limit", "2")],
            vec![
                "base.framework.log.delete",
                "base.user-management.group.add",
            ],
        ),
        (
            vec![("sort", "description"), ("limit", "1")],
            vec!["base.framework.object.activation"],
        ),
    ] {
        let list = admin.query(PATH, &parameters).await.expect(200);
        assert_eq!(names(&list.member("results")), expected, "{parameters:?}");
    }
    let projected = admin
        .query(PATH, &[("projection", r#"["name"]"#), ("limit", "1")])
        .await
        .expect(200);
    assert_eq!(projected.member("results"), json!([{"name": "base.*"}]));
    assert_eq!(
        admin.query(PATH, &[("view", "forest")]).await.pointers(),
        ["view"]
    );
    assert_eq!(
        admin
            .query(PATH, &[("optional", "forest")])
            .await
            .pointers(),
        ["optional"]
    );
    let _ = admin.head("/rest/rights?limit=3").await.expect(200);
}

#[apply(both)]
async fn the_tree_nests_what_stands_below_a_master(server: TestServer) {
    let admin = server.admin();
    let list = admin.query(PATH, &[("limit", "0")]).await.expect(200);
    for parameter in ["view", "optional"] {
        let tree = admin.query(PATH, &[(parameter, "tree")]).await.expect(200);
        assert_eq!(
            (
                tree.member("count"),
                tree.member("total"),
                tree.header("x-total-count")
            ),
            (json!(8), json!(8), "8")
        );
        assert_eq!(
            (tree.member("model"), &tree.member("parameters")["optional"]),
            (json!("Right"), &json!({"view": "tree"}))
        );
        let roots = tree.member("results");
        assert_eq!(roots[0]["name"], "base.*");
        assert_eq!(roots[1][0]["name"], "base.system.*");
        assert_eq!(
            names(&roots[1][1]),
            ["base.system.view", "base.system.edit", "base.system.reload"]
        );
        assert_eq!(
            names(&roots[3]),
            [
                "base.export.*",
                "base.export.object.*",
                "base.export.type.*"
            ]
        );
        assert_eq!(roots[5][1][2]["name"], "base.user-management.group.*");
        let mut all = Vec::new();
        flatten(&roots, &mut all);
        all.sort();
        assert_eq!(
            all,
            names(&list.member("results")),
            "every right stands in it once"
        );
    }
    let both = admin
        .query(PATH, &[("optional", "tree"), ("view", "list")])
        .await
        .expect(200);
    assert_eq!(both.member("total"), 62);
}

#[apply(both)]
async fn the_tree_is_paged_when_asked_and_keeps_only_what_matches(server: TestServer) {
    let admin = server.admin();
    let page = admin
        .query(PATH, &[("view", "tree"), ("limit", "3"), ("page", "3")])
        .await
        .expect(200);
    assert_eq!(
        (page.member("count"), page.member("total")),
        (json!(2), json!(8))
    );
    assert_eq!(page.member("pager")["total_pages"], 3);
    let wanted = [
        ("view", "tree"),
        ("filter", r#"{"name": "base.docapi.template.add"}"#),
        ("projection", r#"["name"]"#),
    ];
    let pruned = admin.query(PATH, &wanted).await.expect(200);
    assert_eq!(
        pruned.member("results"),
        json!([[[[{"name": "base.docapi.template.add"}]]]])
    );
}

#[apply(both)]
async fn siblings_in_the_tree_are_sorted_below_their_master(server: TestServer) {
    let admin = server.admin();
    let sorted = [("view", "tree"), ("sort", "name"), ("order", "-1")];
    let roots = admin
        .query(PATH, &sorted)
        .await
        .expect(200)
        .member("results");
    let first = |node: &Value| {
        node.get(0).unwrap_or(node)["name"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let masters: Vec<String> = roots.as_array().unwrap().iter().map(first).collect();
    assert!(
        masters[1..].is_sorted_by(|one, other| one > other),
        "{masters:?}"
    );
    assert_eq!((masters.len(), masters[0].as_str()), (8, "base.*"));
    assert_eq!(first(&roots[1]), "base.user-management.*");
    assert_eq!(
        names(&roots[2][1]),
        ["base.system.view", "base.system.reload", "base.system.edit"]
    );
    let kept = [
        sorted.as_slice(),
        &[(
            "filter",
            r#"{"name": {"$regex": "export\\..*\\.|system.view"}}"#,
        )],
    ]
    .concat();
    let kept = admin.query(PATH, &kept).await.expect(200).member("results");
    assert_eq!(kept.as_array().map(Vec::len), Some(2), "{kept}");
    assert_eq!(names(&kept[0][0]), ["base.system.view"]);
    assert_eq!(
        names(&kept[1]),
        ["base.export.type.*", "base.export.object.*"]
    );
    let users = &roots[1][1];
    assert_eq!(
        (first(&users[0]).as_str(), first(&users[1]).as_str()),
        (
            "base.user-management.user.*",
            "base.user-management.user.view"
        )
    );
    assert_eq!(first(&users[2]), "base.user-management.group.*");
}

#[apply(both)]
async fn a_right_is_read_by_its_name(server: TestServer) {
    let admin = server.admin();
    for path in [
        "base.framework.*",
        "base.framework.%2A",
        "base.framework.*/",
    ] {
        let answer = admin.get(&format!("{PATH}/{path}")).await.expect(200);
        check_envelope(&answer, &["result"], "GET", "Right", TIME);
        let expected = json!({"level": 10, "name": "base.framework.*", "label": "framework.*", "description": "Manage the core framework", "is_master": true});
        assert_eq!(answer.member("result"), expected);
    }
    let answer = admin
        .head("/rest/rights/base.system.view")
        .await
        .expect(200);
    let known = admin
        .clone()
        .with_header("if-none-match", answer.header("etag"));
    let _ = known.get("/rest/rights/base.system.view").await.expect(304);
    for name in ["base", "base.nothing", "BASE.*", "1", "base.framework"] {
        let _ = admin
            .get(&format!("{PATH}/{name}"))
            .await
            .expect(404)
            .detail();
    }
}

#[apply(both)]
async fn the_levels_are_the_fixed_map(server: TestServer) {
    let levels = server.admin().get("/rest/rights/levels").await.expect(200);
    check_envelope(&levels, &["result"], "GET", "Security-Level", TIME);
    let expected =
        r#"{"CRITICAL":100,"DANGER":80,"SECURE":50,"PROTECTED":30,"PERMISSION":10,"NOTSET":0}"#;
    assert_eq!(levels.member("result").to_string(), expected);
    let _ = server
        .admin()
        .head("/rest/rights/levels/")
        .await
        .expect(200);
}

#[apply(both)]
async fn rights_need_a_token_but_no_right(server: TestServer) {
    let nobody = server.user_with(&[]).await.client;
    for path in [PATH, "/rest/rights/base.*", "/rest/rights/levels"] {
        let _ = nobody.get(path).await.expect(200);
        let _ = server.anonymous().get(path).await.expect(401);
    }
}

#[apply(both)]
async fn rights_cannot_be_changed(server: TestServer) {
    let admin = server.admin();
    for path in [PATH, "/rest/rights/base.*", "/rest/rights/levels"] {
        for answer in [
            admin.post(path, json!({})).await,
            admin.put(path, json!({})).await,
            admin.patch(path, json!({})).await,
            admin.delete(path).await,
        ] {
            let allowed = answer.expect(405).header("allow").replace(' ', "");
            assert_eq!(allowed, "GET,HEAD", "{path}");
        }
    }
}
