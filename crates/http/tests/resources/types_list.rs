//! `GET /types/`

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

const PATH: &str = "/rest/types";

/// Twelve types, `a00` to `a11`, each made half an hour after the previous one; the first is
/// inactive.
async fn twelve(server: &TestServer) {
    for number in 0..12 {
        let body =
            json!({"name": format!("a{number:02}"), "author_id": number % 3, "active": number > 0});
        insert(&server.admin(), PATH, body).await;
        server.advance(Duration::from_secs(1_800));
    }
}

#[apply(both)]
async fn a_page_of_ten_in_the_order_of_ids_is_the_default(server: TestServer) {
    twelve(&server).await;
    let list = server.admin().get("/rest/types/").await.expect(200);
    assert_eq!(list.ids(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
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
        (
            list.member("count"),
            list.member("total"),
            list.header("x-total-count")
        ),
        (json!(10), json!(12), "12")
    );
    let parameters = json!({"limit": 10, "sort": "public_id", "order": 1, "page": 1, "filter": {}, "optional": {}});
    assert_eq!(list.member("parameters"), parameters);
    assert_eq!(
        list.member("pager"),
        json!({"page": 1, "page_size": 10, "total_pages": 2})
    );
    assert_eq!(
        (list.member("response_type"), list.member("model")),
        (json!("GET"), json!("Type"))
    );
    assert_eq!(list.member("time"), "2026-03-04T11:06:07.089012");
    let _ = server.admin().head(PATH).await.expect(200);
    let second = server
        .admin()
        .query(PATH, &[("page", "2")])
        .await
        .expect(200);
    assert_eq!(second.ids(), [11, 12]);
    assert_eq!(
        second.member("pagination")["prev"],
        "http://inventory.example/rest/types?page=1"
    );
    assert_eq!(
        server
            .admin()
            .query(PATH, &[("limit", "0")])
            .await
            .expect(200)
            .member("count"),
        12
    );
    assert_eq!(
        server
            .admin()
            .query(PATH, &[("page", "3")])
            .await
            .expect(200)
            .ids(),
        [0; 0]
    );
}

#[apply(both)]
async fn types_are_sorted_by_any_path_and_ties_by_id(server: TestServer) {
    twelve(&server).await;
    for (parameters, ids) in [
        (
            [("sort", "name"), ("order", "-1"), ("limit", "3")],
            [12, 11, 10],
        ),
        (
            [("sort", "author_id"), ("order", "1"), ("limit", "3")],
            [1, 4, 7],
        ),
        (
            [("sort", "author_id"), ("order", "0"), ("limit", "3")],
            [3, 6, 9],
        ),
        (
            [("sort", "creation_time"), ("order", "2"), ("limit", "3")],
            [12, 11, 10],
        ),
        (
            [("sort", "active"), ("order", "1"), ("limit", "3")],
            [1, 2, 3],
        ),
        (
            [("sort", "render_meta.icon"), ("order", "1"), ("limit", "3")],
            [1, 2, 3],
        ),
    ] {
        assert_eq!(
            server
                .admin()
                .query(PATH, &parameters)
                .await
                .expect(200)
                .ids(),
            ids,
            "{parameters:?}"
        );
    }
}

#[apply(both)]
async fn types_are_filtered_also_by_their_times(server: TestServer) {
    twelve(&server).await;
    for (filter, ids) in [
        (json!({"name": "a03"}), vec![4]),
        (json!({"name": {"$regex": "^a1"}}), vec![11, 12]),
        (json!({"active": false}), vec![1]),
        (
            json!({"author_id": {"$in": [2]}, "public_id": {"$gt": 6}}),
            vec![9, 12],
        ),
        (json!({"fields": null, "public_id": 2}), vec![2]),
        (
            json!({"creation_time": {"$gte": "2026-03-04T10:06:07.089012"}}),
            vec![11, 12],
        ),
        (
            json!({"creation_time": {"$gt": "2026-03-04 10:07"}}),
            vec![12],
        ),
        (
            json!({"creation_time": {"$lt": "2026-03-05"}, "public_id": 1}),
            vec![1],
        ),
        (
            json!({"creation_time": "2026-03-04T05:06:07.089012"}),
            vec![1],
        ),
        (
            json!({"creation_time": {"$gt": {"$date": "2026-03-04T10:07:00"}}}),
            vec![12],
        ),
        (
            json!({"creation_time": {"$gt": {"$date": 1_772_618_820_000_i64}}}),
            vec![12],
        ),
        (json!({"creation_time": {"$gt": 0}}), vec![]),
        (
            json!({"last_edit_time": null, "public_id": {"$lte": 2}}),
            vec![1, 2],
        ),
    ] {
        let list = server
            .admin()
            .query(PATH, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(list.ids(), ids, "{filter}");
        assert_eq!(
            (
                list.member("total"),
                list.member("parameters")["filter"].clone()
            ),
            (json!(ids.len()), filter)
        );
    }
}

#[apply(both)]
async fn active_true_leaves_only_active_types(server: TestServer) {
    twelve(&server).await;
    for (value, total) in [
        ("true", 11),
        ("TRUE", 11),
        ("1", 11),
        ("", 11),
        ("false", 12),
        ("0", 12),
    ] {
        let list = server
            .admin()
            .query(PATH, &[("active", value)])
            .await
            .expect(200);
        assert_eq!(list.member("total"), total, "active={value}");
    }
    let both = [("active", "true"), ("filter", r#"{"active": false}"#)];
    assert_eq!(
        server.admin().query(PATH, &both).await.expect(200).ids(),
        [0; 0]
    );
    assert_eq!(
        server
            .admin()
            .query(PATH, &[("active", "yes")])
            .await
            .pointers(),
        ["active"]
    );
}

#[apply(both)]
async fn a_projection_leaves_parts_of_types(server: TestServer) {
    twelve(&server).await;
    let first = |projection: &'static str| {
        let admin = server.admin();
        async move {
            let list = admin
                .query(PATH, &[("projection", projection), ("limit", "1")])
                .await
                .expect(200);
            list.member("results")[0].clone()
        }
    };
    assert_eq!(
        first(r#"{"name": 1, "render_meta.icon": 1}"#).await,
        json!({"name": "a00", "render_meta": {"icon": null}})
    );
    assert_eq!(
        first(r#"["name", "public_id"]"#).await,
        json!({"public_id": 1, "name": "a00"})
    );
    let kept: Vec<String> = match first(r#"{"acl": 0, "render_meta": 0}"#).await {
        Value::Object(members) => members.keys().cloned().collect(),
        other => panic!("{other}"),
    };
    assert!(
        kept.contains(&"fields".to_owned()) && !kept.contains(&"acl".to_owned()),
        "{kept:?}"
    );
}

#[apply(both)]
async fn a_list_parameter_that_makes_no_sense_is_refused(server: TestServer) {
    for (name, value, pointer) in [
        ("limit", "-1", "limit"),
        ("limit", "ten", "limit"),
        ("page", "0", "page"),
        ("page", "x", "page"),
        ("filter", "{", "filter"),
        ("filter", "[]", "filter"),
        ("filter", r#"{"$where": "1"}"#, "filter/$where"),
        ("filter", r#"{"name": {"$near": 1}}"#, "filter/name/$near"),
        ("projection", r#"{"a": 1, "b": 0}"#, "projection/b"),
    ] {
        let answer = server.admin().query(PATH, &[(name, value)]).await;
        assert_eq!(answer.pointers(), [pointer], "{name}={value}");
    }
}
