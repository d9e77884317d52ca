//! Administrators can see how a list was found.

use serde_json::{Value, json};
use stockroom_testkit::{Engine, apply, both, inventory};

use crate::fixture::{document, list, stored};

#[apply(both)]
async fn administrators_are_told_how_a_list_was_found(engine: Engine) {
    let documents = (1..=30)
        .map(|id| document(id, 7, &[("n", json!(id))]))
        .collect();
    let server = stored(documents, engine).await;
    let admin = server.admin();
    for (sort, plan) in [
        ("public_id", "scan of objects by id"),
        ("fields.n", "scan of columns"),
    ] {
        let parameters = [("sort", sort), ("explain", "true"), ("limit", "4")];
        let answer = list(&admin, &parameters).await.expect(200);
        let explain = answer.member("explain");
        let told = explain["plan"].as_str().unwrap();
        assert!(told.starts_with(plan), "{told}");
        assert!(explain["rows"].as_u64().unwrap() >= 4, "{explain}");
        assert!(
            explain["milliseconds"].as_f64().unwrap() >= 0.0,
            "{explain}"
        );
        let plain = list(&admin, &[("sort", sort), ("limit", "4")])
            .await
            .expect(200);
        assert_eq!(plain.member("results"), answer.member("results"));
        assert_eq!(plain.json().get("explain"), None::<&Value>);
    }
    let answer = list(&admin, &[("explain", "maybe")]).await.expect(400);
    assert_eq!(answer.pointers(), ["explain"]);
}

#[apply(both)]
async fn unknown_fields_are_read_only_where_they_are_asked_for(engine: Engine) {
    let number = |id: i64| json!(format!("{id:03}"));
    let documents = (1..=300)
        .map(|id| document(id, 7, &[("n", number(id))]))
        .collect();
    let server = stored(documents, engine).await;
    let admin = server.admin();
    for (id, value) in [(301, json!(["a", "b"])), (302, json!("a"))] {
        let object = document(id, 7, &[("n", number(id)), ("other", value)]);
        assert_eq!(inventory::insert(&admin, "/rest/objects", object).await, id);
    }
    let other = json!({"name": "other", "value": "a"});
    for (filter, sort, found, reads) in [
        (
            json!({"fields.n": {"$gte": "301"}}),
            "public_id",
            vec![301, 302],
            false,
        ),
        (
            json!({"fields.n": {"$gte": "002"}}),
            "-fields.n",
            vec![302, 301],
            false,
        ),
        (json!({"n": {"$gte": "301"}}), "public_id", vec![], false),
        (
            json!({"fields.n": {"$gte": "301"}, "n.a": null, "m": {"$not": {"$eq": 1}}}),
            "public_id",
            vec![301, 302],
            false,
        ),
        (
            json!({"fields": {"$elemMatch": other.clone()}}),
            "public_id",
            vec![301, 302],
            true,
        ),
        (
            json!({"fields": {"$not": {"$elemMatch": other}}, "fields.n": {"$gte": "002"}}),
            "-fields.n",
            vec![300, 299],
            true,
        ),
        (
            json!({"fields.n": {"$gte": "002"}}),
            "-fields.other",
            vec![301, 302],
            true,
        ),
    ] {
        let filter = filter.to_string();
        let order = if sort.starts_with('-') { "-1" } else { "1" };
        let sort = sort.trim_start_matches('-');
        let parameters = [
            ("filter", filter.as_str()),
            ("sort", sort),
            ("order", order),
            ("explain", "true"),
            ("limit", "2"),
        ];
        let answer = list(&admin, &parameters).await.expect(200);
        assert_eq!(answer.ids(), found, "{filter} by {sort}");
        let plan = answer.member("explain")["plan"].to_string();
        let merges = plan.contains("merged with") || plan.contains("recheck");
        assert_eq!(merges, reads, "{filter} by {sort}: {plan}");
    }
}

#[apply(both)]
async fn others_are_not_told_how_a_list_was_found(engine: Engine) {
    let documents = (1..=3)
        .map(|id| document(id, 7, &[("n", json!(id))]))
        .collect();
    let server = stored(documents, engine).await;
    let viewer = server
        .user_with(&["base.framework.object.view"])
        .await
        .client;
    let answer = list(&viewer, &[("explain", "false")]).await.expect(200);
    assert_eq!(answer.ids(), [1, 2, 3]);
    let answer = list(&viewer, &[("explain", "true")]).await.expect(403);
    assert!(answer.detail().contains("base.*"), "{}", answer.detail());
}
