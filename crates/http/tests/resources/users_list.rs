//! `GET /users/`, and what no list shows.

use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{TestServer, apply, both};

const PATH: &str = "/rest/users";

/// Eleven users besides `admin`, `u02` to `u12`, each made half an hour after the previous one; the
/// last is inactive.
async fn twelve(server: &TestServer) {
    for number in 2..=12 {
        server.advance(Duration::from_secs(1_800));
        let name = format!("u{number:02}");
        let body = json!({"user_name": name, "password": name, "active": number < 12, "email": format!("{}@x", 20 - number)});
        insert(&server.admin(), PATH, body).await;
    }
}

#[apply(both)]
async fn a_page_of_ten_in_the_order_of_ids_is_the_default(server: TestServer) {
    twelve(&server).await;
    let list = server.admin().get("/rest/users/").await.expect(200);
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
        (list.member("model"), list.member("time")),
        (json!("User"), json!("2026-03-04 10:36:07.089012"))
    );
    assert_eq!(
        list.member("results")[0],
        server
            .admin()
            .get("/rest/users/1")
            .await
            .expect(200)
            .member("result")
    );
    assert_eq!(
        server
            .admin()
            .query(PATH, &[("page", "2")])
            .await
            .expect(200)
            .ids(),
        [11, 12]
    );
    assert_eq!(
        server
            .admin()
            .head(PATH)
            .await
            .expect(200)
            .header("x-total-count"),
        "12"
    );
}

#[apply(both)]
async fn users_are_sorted_and_filtered_also_by_their_time(server: TestServer) {
    twelve(&server).await;
    for (parameters, ids) in [
        (
            vec![("sort", "user_name"), ("order", "-1"), ("limit", "2")],
            vec![12, 11],
        ),
        (vec![("sort", "email"), ("limit", "3")], vec![1, 10, 9]),
        (
            vec![
                ("sort", "registration_time"),
                ("order", "-1"),
                ("limit", "2"),
            ],
            vec![12, 11],
        ),
        (vec![("sort", "active"), ("limit", "2")], vec![12, 1]),
        (vec![("filter", r#"{"active": false}"#)], vec![12]),
        (vec![("filter", r#"{"email": null}"#)], vec![1]),
        (
            vec![(
                "filter",
                r#"{"user_name": {"$regex": "^U0[23]$", "$options": "i"}}"#,
            )],
            vec![2, 3],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": "2026-03-04 05:36:07.089012"}"#,
            )],
            vec![2],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": {"$lte": "2026-03-04T05:36:07.089012"}}"#,
            )],
            vec![1, 2],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": {"$gt": "2026-03-04 10:10"}}"#,
            )],
            vec![12],
        ),
        (
            vec![("filter", r#"{"registration_time": {"$gt": "2026-03-05"}}"#)],
            vec![],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": {"$gt": {"$date": "2026-03-04T10:10:00Z"}}}"#,
            )],
            vec![12],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": {"$gt": {"$date": 1772619000000}}}"#,
            )],
            vec![12],
        ),
        (
            vec![(
                "filter",
                r#"{"registration_time": {"$ne": "2026-03-04 05:36:07.089012"}, "public_id": {"$lt": 4}}"#,
            )],
            vec![1, 3],
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
async fn the_password_is_a_missing_path_for_filter_sort_and_projection(server: TestServer) {
    twelve(&server).await;
    let admin = server.admin();
    let encoded = admin
        .get("/rest/users/3")
        .await
        .expect(200)
        .member("result")["password"]
        .clone();
    for (filter, total) in [
        (json!({"password": encoded}), 0),
        (json!({"password": {"$exists": true}}), 0),
        (json!({"password": {"$regex": "."}}), 0),
        (json!({"password": {"$gt": ""}}), 0),
        (json!({"password": {"$type": "string"}}), 0),
        (json!({"password": null}), 12),
        (json!({"password": {"$exists": false}}), 12),
        (json!({"password": {"$ne": encoded}}), 12),
        (json!({"$nor": [{"password": encoded}]}), 12),
    ] {
        let list = admin
            .query(PATH, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(list.member("total"), total, "{filter}");
    }
    for order in ["1", "-1"] {
        let list = admin
            .query(
                PATH,
                &[("sort", "password"), ("order", order), ("limit", "0")],
            )
            .await
            .expect(200);
        assert_eq!(
            list.ids(),
            (1..=12).collect::<Vec<_>>(),
            "all alike, so the ids decide"
        );
    }
    for projection in [r#"["password"]"#, r#"{"password": 1}"#, r#"{"email": 0}"#] {
        let list = admin
            .query(PATH, &[("projection", projection)])
            .await
            .expect(200);
        let results = list.member("results");
        let told = |user: &Value| user.get("password").is_some();
        assert!(
            !results.as_array().unwrap().iter().any(told),
            "{projection}: {results}"
        );
    }
}
