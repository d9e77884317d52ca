use serde_json::{Value, json};
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer, apply, both};

use super::PATH;

/// Six categories; ids follow the order here.
async fn sorted_in_many_ways(admin: &Client) {
    for (name, icon, order, parent, types) in [
        ("beta", "x", Some(2), None, json!([1, 2])),
        ("Alpha", "y", None, None, json!([])),
        ("alpha", "x", Some(-5), Some(1), json!([3])),
        ("émile", "y", Some(10), Some(1), json!([2, 3])),
        ("beta", "x", Some(2), Some(2), json!([])),
        ("10", "z", Some(3), Some(2), json!([10])),
    ] {
        let body = json!({"name": name, "meta": {"icon": icon, "order": order}, "parent": parent, "types": types});
        insert(admin, PATH, body).await;
    }
}

#[apply(both)]
async fn lists_sort_by_any_path_and_break_ties_by_id(server: TestServer) {
    sorted_in_many_ways(&server.admin()).await;
    for (sort, order, expected) in [
        ("public_id", "1", [1, 2, 3, 4, 5, 6]),
        ("public_id", "-1", [6, 5, 4, 3, 2, 1]),
        ("name", "1", [6, 2, 3, 1, 5, 4]),
        ("meta.order", "1", [2, 3, 1, 5, 6, 4]),
        ("parent", "1", [1, 2, 3, 4, 5, 6]),
        ("types.0", "1", [2, 5, 1, 4, 3, 6]),
        ("no.such.path", "1", [1, 2, 3, 4, 5, 6]),
    ] {
        let answer = server
            .admin()
            .query(PATH, &[("sort", sort), ("order", order)])
            .await
            .expect(200);
        assert_eq!(answer.ids(), expected, "sort={sort} order={order}");
    }
}

#[apply(both)]
async fn any_order_but_1_descends(server: TestServer) {
    sorted_in_many_ways(&server.admin()).await;
    for (order, first) in [
        ("1", 1),
        ("", 1),
        ("-1", 6),
        ("0", 6),
        ("2", 6),
        ("desc", 6),
        ("1.0", 6),
    ] {
        let answer = server
            .admin()
            .query(PATH, &[("order", order)])
            .await
            .expect(200);
        assert_eq!(answer.ids()[0], first, "order={order}");
    }
}

#[apply(both)]
async fn pages_of_equal_keys_do_not_overlap(server: TestServer) {
    for number in 0..9 {
        insert(
            &server.admin(),
            PATH,
            json!({"name": format!("n{}", number % 2)}),
        )
        .await;
    }
    for order in ["1", "-1"] {
        let mut seen = Vec::new();
        for page in ["1", "2", "3", "4", "5"] {
            let parameters = [
                ("sort", "name"),
                ("order", order),
                ("limit", "2"),
                ("page", page),
            ];
            seen.extend(
                server
                    .admin()
                    .query(PATH, &parameters)
                    .await
                    .expect(200)
                    .ids(),
            );
        }
        seen.sort_unstable();
        assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9], "order={order}");
    }
}

#[apply(both)]
async fn lists_answer_what_the_filter_matches(server: TestServer) {
    sorted_in_many_ways(&server.admin()).await;
    for (filter, expected) in [
        (json!({}), &[1, 2, 3, 4, 5, 6][..]),
        (json!({"name": "beta"}), &[1, 5]),
        (json!({"public_id": {"$in": [6, 2, 99]}}), &[2, 6]),
        (json!({"types": 3}), &[3, 4]),
        (json!({"types": {"$size": 0}}), &[2, 5]),
        (json!({"parent": null}), &[1, 2]),
        (json!({"meta.order": {"$gte": 2, "$lt": 10}}), &[1, 5, 6]),
        (json!({"meta.icon": "x", "parent": {"$ne": null}}), &[3, 5]),
        (
            json!({"$or": [{"name": "10"}, {"meta.order": -5.0}]}),
            &[3, 6],
        ),
        (
            json!({"name": {"$regex": "^ALPHA$", "$options": "i"}}),
            &[2, 3],
        ),
        (json!({"name": 10}), &[]),
        (json!({"colour": {"$exists": false}}), &[1, 2, 3, 4, 5, 6]),
    ] {
        let answer = server
            .admin()
            .query(PATH, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(answer.ids(), expected, "{filter}");
        assert_eq!(answer.member("total"), expected.len(), "{filter}");
    }
}

#[apply(both)]
async fn total_counts_what_the_filter_matches_on_all_pages(server: TestServer) {
    sorted_in_many_ways(&server.admin()).await;
    let filter = r#"{"parent": {"$ne": null}}"#;
    let parameters = [("filter", filter), ("limit", "3"), ("page", "2")];
    let answer = server.admin().query(PATH, &parameters).await.expect(200);
    assert_eq!(
        (answer.ids(), answer.header("x-total-count")),
        (vec![6], "4")
    );
    assert_eq!(
        answer.member("pager"),
        json!({"page": 2, "page_size": 3, "total_pages": 2})
    );
}

#[apply(both)]
async fn a_projection_picks_parts_of_the_results(server: TestServer) {
    let body = json!({"name": "racks", "meta": {"icon": "x", "order": 1}, "types": [4]});
    insert(&server.admin(), PATH, body).await;
    for (projection, expected) in [
        (json!({"name": 1}), json!({"name": "racks"})),
        (
            json!({"meta.order": true, "types": 1}),
            json!({"meta": {"order": 1}, "types": [4]}),
        ),
        (
            json!(["public_id", "meta.icon"]),
            json!({"public_id": 1, "meta": {"icon": "x"}}),
        ),
        (
            json!({"meta": 0, "types": 0, "label": 0}),
            json!({"public_id": 1, "name": "racks", "parent": null}),
        ),
        (
            json!({"meta.icon": false, "label": 0, "parent": 0, "types": 0}),
            json!({"public_id": 1, "name": "racks", "meta": {"order": 1}}),
        ),
        (json!({"colour": 1}), json!({})),
    ] {
        let answer = server
            .admin()
            .query(PATH, &[("projection", &projection.to_string())])
            .await
            .expect(200);
        assert_eq!(
            answer.member("results"),
            Value::from(vec![expected]),
            "{projection}"
        );
    }
}
