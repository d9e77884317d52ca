use serde_json::{Value, json};
use stockroom_testkit::{TestServer, apply, both};

use super::{PATH, fill};

#[apply(both)]
async fn a_list_answers_the_list_envelope(server: TestServer) {
    fill(&server.admin(), 1).await;
    let answer = server.admin().get("/rest/categories/").await.expect(200);
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
    let url = |query: &str| format!("http://inventory.example/rest/categories/{query}");
    let expected = json!({
        "results": [{"public_id": 1, "name": "c1", "label": "C1", "meta": {"icon": "", "order": null}, "parent": null, "types": []}],
        "count": 1,
        "total": 1,
        "parameters": {"limit": 10, "sort": "public_id", "order": 1, "page": 1, "filter": {}, "optional": {"view": "list"}},
        "pager": {"page": 1, "page_size": 10, "total_pages": 1},
        "pagination": {
            "current": url(""), "first": url("?page=1"), "prev": url("?page=1"), "next": url("?page=1"), "last": url("?page=1"),
        },
        "response_type": "GET",
        "model": "Category",
        "time": "2026-03-04T05:06:07.089012",
    });
    assert_eq!(answer.json(), expected);
    assert_eq!(answer.header("x-total-count"), "1");
    assert_eq!(answer.header("content-type"), "application/json");
}

#[apply(both)]
async fn members_of_the_blocks_keep_their_order(server: TestServer) {
    let answer = server.admin().get(PATH).await.expect(200).json();
    for (block, expected) in [
        (
            "parameters",
            &["limit", "sort", "order", "page", "filter", "optional"][..],
        ),
        ("pager", &["page", "page_size", "total_pages"]),
        ("pagination", &["current", "first", "prev", "next", "last"]),
    ] {
        let keys: Vec<&String> = answer[block].as_object().unwrap().keys().collect();
        assert_eq!(keys, expected, "{block}");
    }
}

/// The page number in a URL.
fn page_of(url: &Value) -> usize {
    let url = url.as_str().unwrap();
    let (_, page) = url.rsplit_once("page=").unwrap();
    page.parse().unwrap()
}

#[apply(both)]
async fn pages_add_up(server: TestServer) {
    let mut stored = 0;
    // total, limit, page → ids, total_pages, first, prev, next, last
    for (total, limit, page, ids, pages, links) in [
        (0, 10, 1, &[][..], 0, [1, 1, 1, 1]),
        (0, 10, 7, &[], 0, [1, 1, 1, 1]),
        (0, 0, 1, &[], 1, [1, 1, 1, 1]),
        (1, 10, 1, &[1], 1, [1, 1, 1, 1]),
        (5, 10, 1, &[1, 2, 3, 4, 5], 1, [1, 1, 1, 1]),
        (5, 5, 1, &[1, 2, 3, 4, 5], 1, [1, 1, 1, 1]),
        (5, 4, 1, &[1, 2, 3, 4], 2, [1, 1, 2, 2]),
        (5, 4, 2, &[5], 2, [1, 1, 2, 2]),
        (5, 4, 3, &[], 2, [1, 2, 2, 2]),
        (5, 4, 9, &[], 2, [1, 2, 2, 2]),
        (5, 1, 3, &[3], 5, [1, 2, 4, 5]),
        (5, 2, 2, &[3, 4], 3, [1, 1, 3, 3]),
        (5, 0, 1, &[1, 2, 3, 4, 5], 1, [1, 1, 1, 1]),
        (11, 10, 2, &[11], 2, [1, 1, 2, 2]),
    ] {
        while stored < total {
            let body = json!({"name": "c"});
            let _ = server.admin().post(PATH, body).await.expect(200);
            stored += 1;
        }
        let case = format!("{PATH}?limit={limit}&page={page}");
        let answer = server.admin().get(&case).await.expect(200);
        assert_eq!(answer.ids(), ids, "{total}: {case}");
        let body = answer.json();
        assert_eq!(
            (&body["count"], &body["total"]),
            (&json!(ids.len()), &json!(total)),
            "{case}"
        );
        assert_eq!(
            body["pager"],
            json!({"page": page, "page_size": limit, "total_pages": pages}),
            "{total}: {case}"
        );
        let shown =
            ["first", "prev", "next", "last"].map(|link| page_of(&body["pagination"][link]));
        assert_eq!(shown, links, "{total}: {case}");
        assert_eq!(answer.header("x-total-count"), total.to_string());
    }
}

#[apply(both)]
async fn the_greatest_page_and_limit_are_answered(server: TestServer) {
    fill(&server.admin(), 2).await;
    let most = "9007199254740991";
    for (page, limit, count) in [
        (most, most, 0),
        (most, "1", 0),
        ("1", most, 2),
        (most, "10", 0),
    ] {
        let answer = server
            .admin()
            .query(PATH, &[("page", page), ("limit", limit)])
            .await
            .expect(200);
        assert_eq!(answer.member("count"), count, "page {page}, limit {limit}");
    }
}

#[apply(both)]
async fn links_keep_the_other_parameters_and_name_the_page_in_its_place(server: TestServer) {
    fill(&server.admin(), 5).await;
    let filter = "filter=%7B%22name%22%3A%7B%22%24ne%22%3A%22a%26b%22%7D%7D";
    for (asked, next) in [
        ("?limit=2", "?limit=2&page=2"),
        ("?page=1&limit=2", "?page=2&limit=2"),
        (
            &format!("?limit=2&{filter}&page=2&order=-1"),
            &format!("?limit=2&{filter}&page=3&order=-1"),
        ),
        ("/?limit=2&unknown=x+y", "/?limit=2&unknown=x+y&page=2"),
        ("?limit=2&active&page=", "?limit=2&active&page=2"),
    ] {
        let answer = server
            .admin()
            .get(&format!("{PATH}{asked}"))
            .await
            .expect(200);
        let links = answer.member("pagination");
        let url = |query: &str| json!(format!("http://inventory.example{PATH}{query}"));
        assert_eq!(links["current"], url(asked));
        assert_eq!(links["next"], url(next));
    }
}

#[apply(both)]
async fn following_next_visits_every_record_once(server: TestServer) {
    fill(&server.admin(), 7).await;
    let mut target = format!("{PATH}?limit=3&sort=label&order=-1");
    let mut seen = Vec::new();
    loop {
        let answer = server.admin().get(&target).await.expect(200);
        seen.extend(answer.ids());
        let links = answer.member("pagination");
        if links["next"] == links["last"] && answer.ids().len() < 3 {
            break;
        }
        target = links["next"]
            .as_str()
            .unwrap()
            .replacen("http://inventory.example", "", 1);
    }
    assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
}

#[apply(both)]
async fn head_tells_the_total_alone(server: TestServer) {
    fill(&server.admin(), 12).await;
    for query in ["", "?limit=5&page=2", "?limit=0", "?view=tree"] {
        let head = server
            .admin()
            .head(&format!("{PATH}{query}"))
            .await
            .expect(200);
        assert_eq!(head.header("x-total-count"), "12", "{query}");
    }
    let _ = server
        .admin()
        .head(&format!("{PATH}?limit=x"))
        .await
        .expect(400);
}
