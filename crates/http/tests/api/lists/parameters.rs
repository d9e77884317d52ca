use serde_json::json;
use stockroom_testkit::{TestServer, apply, both};

use super::{PATH, fill};

#[apply(both)]
async fn an_empty_parameter_means_its_default(server: TestServer) {
    fill(&server.admin(), 2).await;
    let plain = server.admin().get(PATH).await.expect(200).json();
    for query in [
        "?",
        "?sort=&order=&page=&limit=&filter=&projection=&view=",
        "?limit",
        "?&&",
    ] {
        let mut answer = server
            .admin()
            .get(&format!("{PATH}{query}"))
            .await
            .expect(200)
            .json();
        answer["pagination"] = plain["pagination"].clone();
        assert_eq!(answer, plain, "{query}");
    }
}

#[apply(both)]
async fn parameters_echo_what_was_asked(server: TestServer) {
    let filter = r#"{"name": {"$in": ["a", "b"]}, "types": 3}"#;
    let asked = [
        ("limit", "5"),
        ("sort", "meta.order"),
        ("order", "-7"),
        ("page", "2"),
        ("filter", filter),
        ("projection", r#"["name"]"#),
    ];
    let answer = server.admin().query(PATH, &asked).await.expect(200);
    let expected = json!({
        "limit": 5, "sort": "meta.order", "order": -7, "page": 2, "filter": {"name": {"$in": ["a", "b"]}, "types": 3},
        "optional": {"view": "list", "projection": ["name"]}, "projection": ["name"],
    });
    assert_eq!(answer.member("parameters"), expected);
}

#[apply(both)]
async fn an_unacceptable_parameter_is_named(server: TestServer) {
    fill(&server.admin(), 1).await;
    for (name, value, pointer) in [
        ("page", "0", "page"),
        ("page", "-1", "page"),
        ("page", "1.5", "page"),
        ("page", "x", "page"),
        ("page", "9007199254740992", "page"),
        ("page", "99999999999999999999999", "page"),
        ("limit", "-1", "limit"),
        ("limit", "1.0", "limit"),
        ("limit", "all", "limit"),
        ("limit", "99999999999999999999999", "limit"),
        ("view", "table", "view"),
        ("total", "maybe", "total"),
        ("filter", "{", "filter"),
        ("filter", "[]", "filter"),
        ("filter", "5", "filter"),
        ("filter", "null", "filter"),
        ("filter", r#"{"a": 1, "a": 2}"#, "filter"),
        ("filter", r#"{"a": 1e999}"#, "filter"),
        ("filter", r#"{"$where": "1"}"#, "filter/$where"),
        ("filter", r#"{"$expr": {}}"#, "filter/$expr"),
        ("filter", r#"{"a": {"$near": 1}}"#, "filter/a/$near"),
        (
            "filter",
            r#"{"$and": [{"b": 1}, {"c/d": {"$foo": 1}}]}"#,
            "filter/$and/1/c~1d/$foo",
        ),
        ("filter", r#"{"a": {"$in": 5}}"#, "filter/a/$in"),
        ("filter", r#"{"a": {"$regex": "("}}"#, "filter/a/$regex"),
        ("projection", "5", "projection"),
        ("projection", "{", "projection"),
        ("projection", r#"{"a": 1, "b": 0}"#, "projection/b"),
        ("projection", r#"{"a": "x"}"#, "projection/a"),
        ("projection", "[1]", "projection/0"),
    ] {
        let answer = server.admin().query(PATH, &[(name, value)]).await;
        assert_eq!(answer.pointers(), [pointer], "{name}={value}");
    }
}

#[apply(both)]
async fn a_refused_operator_is_named_in_the_detail(server: TestServer) {
    for operator in ["$where", "$expr", "$text", "$jsonSchema", "$foo"] {
        for filter in [json!({operator: 1}), json!({"$or": [{operator: 1}]})] {
            let answer = server
                .admin()
                .query(PATH, &[("filter", &filter.to_string())])
                .await
                .expect(400);
            assert!(answer.detail().contains(operator), "{}", answer.detail());
        }
    }
}

#[apply(both)]
async fn a_parameter_that_stands_twice_is_refused(server: TestServer) {
    for name in [
        "page",
        "limit",
        "sort",
        "order",
        "filter",
        "projection",
        "view",
    ] {
        let answer = server
            .admin()
            .get(&format!("{PATH}?{name}=1&{name}=1"))
            .await;
        assert_eq!(answer.pointers(), [name]);
    }
}

#[apply(both)]
async fn text_that_is_not_utf_8_is_refused_and_escapes_are_read(server: TestServer) {
    fill(&server.admin(), 1).await;
    for query in [
        "?sort=%FF",
        "?%FF=1",
        "?filter=%7B%22name%22:%22%ED%A0%80%22%7D",
    ] {
        let _ = server
            .admin()
            .get(&format!("{PATH}{query}"))
            .await
            .expect(400)
            .problem();
    }
    for query in [
        "?filter=%7b%22name%22%3a+%22c1%22%7d",
        "?filter={%22name%22:%22c1%22}",
        "?%66ilter=%7B%22name%22:%22c1%22%7D",
    ] {
        let answer = server
            .admin()
            .get(&format!("{PATH}{query}"))
            .await
            .expect(200);
        assert_eq!(
            (answer.ids(), answer.member("parameters")["filter"].clone()),
            (vec![1], json!({"name": "c1"})),
            "{query}"
        );
    }
}

#[apply(both)]
async fn unknown_parameters_are_ignored(server: TestServer) {
    fill(&server.admin(), 1).await;
    let answer = server
        .admin()
        .get(&format!("{PATH}?colour=red&start=5"))
        .await
        .expect(200);
    assert_eq!(answer.ids(), [1]);
}
