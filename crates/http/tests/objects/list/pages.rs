//! Pages, totals, and lists that are still being read while they are sent.

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, TestServer, apply, both};

use crate::fixture::{document, list, query, stored};

const COUNT: i64 = 1_203;

/// More objects than one read returns; every seventh is of another type, every third inactive.
async fn many(engine: Engine) -> TestServer {
    let one = |id: i64| {
        let mut document = document(
            id,
            if id % 7 == 0 { 8 } else { 7 },
            &[("n", json!(id % 10)), ("text", json!(format!("é {id}")))],
        );
        document["active"] = json!(id % 3 != 0);
        document
    };
    stored((1..=COUNT).map(one).collect(), engine).await
}

async fn page(client: &Client, parameters: &[(&str, &str)], limit: &str, page: i64) -> Vec<Value> {
    let page = page.to_string();
    let mut all = parameters.to_vec();
    all.extend([("limit", limit), ("page", page.as_str())]);
    let answer = list(client, &all).await.expect(200);
    answer.member("results").as_array().unwrap().clone()
}

#[apply(both)]
async fn a_list_without_limit_is_the_union_of_its_pages(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    for parameters in [
        vec![],
        vec![("sort", "public_id"), ("order", "-1")],
        vec![("sort", "fields.n")],
        vec![("sort", "fields.n"), ("order", "-1"), ("active", "true")],
        vec![("filter", r#"{"type_id": 7}"#)],
        vec![
            ("filter", r#"{"fields.value": {"$regex": "[1-6]"}}"#),
            ("projection", r#"{"public_id": 1, "fields": 1}"#),
        ],
        vec![("view", "render"), ("sort", "type_id")],
    ] {
        // Projected objects lack members that the OpenAPI document requires.
        let client = if parameters.iter().any(|(name, _)| *name == "projection") {
            admin.clone().unchecked()
        } else {
            admin.clone()
        };
        let mut unlimited = parameters.clone();
        unlimited.push(("limit", "0"));
        let all = list(&client, &unlimited).await.expect(200);
        let results = all.member("results").as_array().unwrap().clone();
        let total = all.member("total").as_u64().unwrap();
        assert!(
            total > 500 && total == results.len() as u64,
            "{parameters:?}: {total}"
        );
        assert_eq!(
            (all.member("count"), all.header("x-total-count")),
            (json!(total), total.to_string().as_str())
        );
        assert_eq!(
            all.member("pager"),
            json!({"page": 1, "page_size": 0, "total_pages": 1})
        );
        // More and fewer than one read returns.
        for limit in ["700", "450"] {
            let mut union = Vec::new();
            for number in 1..=3 {
                union.extend(page(&client, &parameters, limit, number).await);
            }
            assert!(union == results, "{parameters:?} by {limit}");
        }
    }
}

#[apply(both)]
async fn a_page_holds_ten_objects_unless_asked_otherwise(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    let first = list(&admin, &[]).await.expect(200);
    assert_eq!(first.ids(), (1..=10).collect::<Vec<_>>());
    assert_eq!(
        first.member("pager"),
        json!({"page": 1, "page_size": 10, "total_pages": 121})
    );
    let last = list(&admin, &[("page", "121")]).await.expect(200);
    assert_eq!(
        (last.ids(), last.member("count")),
        (vec![1_201, 1_202, 1_203], json!(3))
    );
    for parameters in [
        [("page", "122"), ("limit", "10")],
        [("page", "9007199254740991"), ("limit", "9007199254740991")],
        [("page", "2"), ("limit", "1203")],
    ] {
        let past = list(&admin, &parameters).await.expect(200);
        assert_eq!(
            (past.ids(), past.member("total")),
            (vec![], json!(COUNT)),
            "{parameters:?}"
        );
    }
    let descending = list(&admin, &[("order", "-1"), ("limit", "2"), ("page", "3")])
        .await
        .expect(200);
    assert_eq!(descending.ids(), [COUNT - 4, COUNT - 5]);
}

#[apply(both)]
async fn pages_of_equal_keys_never_overlap(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    for (sort, order) in [
        ("fields.n", "1"),
        ("fields.n", "-1"),
        ("type_id", "-1"),
        ("nowhere", "-1"),
        ("active", "1"),
    ] {
        let mut seen = Vec::new();
        for number in 1..=13 {
            let found = page(&admin, &[("sort", sort), ("order", order)], "100", number).await;
            seen.extend(
                found
                    .iter()
                    .map(|object| object["public_id"].as_i64().unwrap()),
            );
        }
        let all = list(&admin, &[("sort", sort), ("order", order), ("limit", "0")])
            .await
            .ids();
        assert_eq!(seen, all, "{sort} {order}");
        seen.sort_unstable();
        assert_eq!(seen, (1..=COUNT).collect::<Vec<_>>(), "{sort} {order}");
    }
    let ties = list(&admin, &[("sort", "nowhere"), ("order", "-1")])
        .await
        .ids();
    assert_eq!(
        ties,
        (1..=10).collect::<Vec<_>>(),
        "ties stand by id, whatever the order"
    );
}

#[apply(both)]
async fn head_tells_the_total_of_any_list(engine: Engine) {
    let server = many(engine).await;
    let admin = server.admin();
    for (parameters, total) in [
        (vec![], COUNT),
        (vec![("limit", "0")], COUNT),
        (vec![("page", "7"), ("limit", "3")], COUNT),
        (vec![("active", "true")], COUNT - 401),
        (vec![("filter", r#"{"type_id": 8}"#)], 171),
        (
            vec![("filter", r#"{"fields.value": 3}"#), ("sort", "fields.n")],
            121,
        ),
        (vec![("filter", r#"{"type_id": 99}"#)], 0),
    ] {
        let head = admin
            .head(&query("/rest/objects/", &parameters))
            .await
            .expect(200);
        assert_eq!(
            head.header("x-total-count"),
            total.to_string(),
            "{parameters:?}"
        );
    }
    let _ = admin
        .head(&query("/rest/objects/", &[("filter", "{")]))
        .await
        .expect(400);
}

#[apply(both)]
async fn an_empty_inventory_has_no_pages(server: TestServer) {
    let answer = list(&server.admin(), &[]).await.expect(200);
    assert_eq!(
        (answer.member("results"), answer.member("total")),
        (json!([]), json!(0))
    );
    assert_eq!(answer.member("pager")["total_pages"], 0);
    let answer = list(&server.admin(), &[("limit", "0")]).await.expect(200);
    assert_eq!(
        (answer.member("results"), answer.member("count")),
        (json!([]), json!(0))
    );
}
