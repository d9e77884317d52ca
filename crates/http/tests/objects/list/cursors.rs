//! Paging by cursor stays consistent despite writes between pages.

use serde_json::{Value, json};
use stockroom_testkit::{Client, Setup, TestServer, apply, both};

use crate::fixture::{document, list};

const ORDERS: [(&str, &str); 7] = [
    ("public_id", "1"),
    ("public_id", "-1"),
    ("type_id", "-1"),
    ("fields.n", "1"),
    ("fields.n", "-1"),
    ("creation_time", "1"),
    ("version", "1"),
];

/// Objects of two types, of which one lacks the field `n`.
fn inventory() -> Setup {
    let one = |id: i64| match id % 4 {
        0 => document(id, 8, &[("text", json!("é"))]),
        _ => document(id, 7, &[("n", json!(id % 5))]),
    };
    Setup {
        documents: (1..=40).map(one).collect(),
        ..Setup::default()
    }
}

fn ids(results: &Value) -> Vec<i64> {
    let results = results.as_array().unwrap().iter();
    results
        .map(|object| object["public_id"].as_i64().unwrap())
        .collect()
}

/// Reads all pages in order. Calls `between` after each.
async fn walk(client: &Client, order: (&str, &str), between: impl AsyncFn(&[i64])) -> Vec<i64> {
    let mut walked = Vec::new();
    let mut cursor = String::new();
    loop {
        let parameters = [
            ("sort", order.0),
            ("order", order.1),
            ("limit", "6"),
            ("total", "false"),
            ("after", &cursor),
        ];
        let answer = list(client, &parameters).await.expect(200);
        let page = ids(&answer.member("results"));
        between(&page).await;
        walked.extend(page);
        match answer.member("pager")["after"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => return walked,
        }
    }
}

#[apply(both)]
async fn cursors_walk_through_the_list_in_its_order(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let admin = server.admin();
    for order in ORDERS {
        let all = [("sort", order.0), ("order", order.1), ("limit", "0")];
        let all = ids(&list(&admin, &all).await.expect(200).member("results"));
        assert_eq!(walk(&admin, order, async |_| {}).await, all, "{order:?}");
    }
}

#[apply(both)]
async fn a_page_by_cursor_neither_repeats_nor_leaves_out_what_stays(
    engine: stockroom_testkit::Engine,
) {
    for order in ORDERS {
        let server: TestServer = inventory().start(engine).await;
        let admin = server.admin();
        let all = [("sort", order.0), ("order", order.1), ("limit", "0")];
        let all = ids(&list(&admin, &all).await.expect(200).member("results"));
        // The next page begins after the last object, even if that was deleted.
        let walked = walk(&admin, order, async |page| {
            for id in page {
                let _ = admin
                    .delete(&format!("/rest/objects/{id}"))
                    .await
                    .expect(200);
            }
        });
        assert_eq!(walked.await, all, "{order:?}");
    }
}

#[apply(both)]
async fn a_list_without_total_says_so(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let admin = server.admin();
    let answer = list(&admin, &[("total", "false"), ("page", "2")])
        .await
        .expect(200);
    assert_eq!(answer.member("total"), Value::Null);
    assert_eq!(answer.header("x-total-count"), "");
    assert_eq!(answer.member("pager")["total_pages"], Value::Null);
    assert_eq!(answer.member("pagination")["last"], Value::Null);
    assert_eq!(answer.member("count"), json!(10));
}

#[apply(both)]
async fn a_cursor_of_another_order_or_of_nobody_is_refused(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let admin = server.admin();
    let first = list(&admin, &[("sort", "fields.n"), ("after", "")])
        .await
        .expect(200);
    let cursor = first.member("pager")["after"].as_str().unwrap().to_owned();
    for parameters in [
        [("sort", "public_id"), ("after", cursor.as_str())],
        [("sort", "fields.n"), ("after", "AAAA")],
        [("sort", "fields.n"), ("after", "~")],
    ] {
        let refused = list(&admin, &parameters).await.expect(400);
        assert_eq!(
            refused.problem()["errors"][0]["pointer"],
            "after",
            "{parameters:?}"
        );
    }
}

#[apply(both)]
async fn the_next_page_of_a_cursor_is_a_link(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let admin = server.admin();
    let asked = "/rest/objects?limit=30&after=&sort=public_id";
    let first = admin.get(asked).await.expect(200);
    let cursor = first.member("pager")["after"].as_str().unwrap().to_owned();
    let links = first.member("pagination");
    let root = "http://inventory.example/rest/objects";
    let next = format!("{root}?limit=30&after={cursor}&sort=public_id");
    assert_eq!(
        (&links["next"], &links["prev"]),
        (&json!(next), &Value::Null)
    );
    assert_eq!(
        links["first"],
        format!("{root}?limit=30&after=&sort=public_id")
    );
    assert_eq!(first.header("link"), format!("<{next}>; rel=\"next\""));
    let last = admin
        .get(next.strip_prefix("http://inventory.example").unwrap())
        .await
        .expect(200);
    assert_eq!(last.ids(), (31..=40).collect::<Vec<_>>());
    assert_eq!(last.header("link"), "");
    assert_eq!(
        (
            &last.member("pagination")["next"],
            &last.member("pager")["after"]
        ),
        (&Value::Null, &Value::Null)
    );
    let echo = last.member("parameters");
    assert_eq!(echo["optional"], json!({"view": "native", "after": cursor}));
}

#[apply(both)]
async fn a_page_beside_a_cursor_is_refused(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let refused = list(&server.admin(), &[("after", ""), ("page", "2")]).await;
    assert_eq!(refused.pointers(), ["page"]);
}

#[apply(both)]
async fn what_was_sent_is_echoed(engine: stockroom_testkit::Engine) {
    let server: TestServer = inventory().start(engine).await;
    let admin = server.admin().unchecked();
    let asked = [
        ("active", "1"),
        ("total", "false"),
        ("view", "render"),
        ("projection", r#"["object_information"]"#),
    ];
    let echo = list(&admin, &asked).await.expect(200).member("parameters");
    let expected = json!({"view": "render", "active": true, "total": false, "projection": ["object_information"]});
    assert_eq!(echo["optional"], expected);
}
