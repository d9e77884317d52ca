//! `POST /objects/aggregate`

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testkit::{Client, Engine, TestServer, apply, both};

use crate::fixture::{OBJECTS, document, field, insert, list, make_type, restrict, stored};

const AGGREGATE: &str = "/rest/objects/aggregate";

async fn aggregate(client: &Client, body: Value) -> Value {
    client.post(AGGREGATE, body).await.expect(200).json()
}

/// The keys of the groups with their counts.
fn counts(answer: &Value) -> Vec<(Value, i64)> {
    let groups = answer["results"].as_array().unwrap().iter();
    let pair = |group: &Value| (group["key"].clone(), group["count"].as_i64().unwrap());
    groups.map(pair).collect()
}

/// Two types with servers, and one with sites.
async fn inventory(server: &TestServer) -> [i64; 3] {
    let admin = server.admin();
    let fields = [
        field("text", "status"),
        field("number", "cores"),
        field("date", "bought"),
    ];
    let physical = make_type(&admin, "physical", &fields).await;
    let virtual_one = make_type(&admin, "virtual", &fields[..2]).await;
    let site = make_type(&admin, "site", &[field("text", "city")]).await;
    for (status, cores, bought) in [
        (json!("live"), json!(8), json!("2024-02-29")),
        (json!("live"), json!(16), json!("2024-02-01")),
        (json!("spare"), json!(4), json!("2023-12-31")),
        (json!(null), json!(null), json!(null)),
    ] {
        let values = [("status", status), ("cores", cores), ("bought", bought)];
        insert(&admin, physical, &values).await;
    }
    for (status, cores) in [(json!("live"), json!(2)), (json!("off"), json!(2.5))] {
        insert(&admin, virtual_one, &[("status", status), ("cores", cores)]).await;
    }
    insert(&admin, site, &[("city", json!("Bonn"))]).await;
    [physical, virtual_one, site]
}

#[apply(both)]
async fn objects_are_counted_in_groups(server: TestServer) {
    let [physical, virtual_one, site] = inventory(&server).await;
    let admin = server.admin();
    let date = |text: &str| json!({"$date": stockroom_model::Timestamp::from_text(text).unwrap().millis()});
    let servers = json!({"type_id": {"$in": [physical, virtual_one]}});
    for (body, expected, total, objects) in [
        (json!({}), vec![(json!([]), 7)], 1, 7),
        (
            json!({"filter": {"fields.status": "none"}}),
            vec![(json!([]), 0)],
            1,
            0,
        ),
        (
            json!({"filter": {"fields.status": "none"}, "group_by": [{"field": "type_id"}]}),
            vec![],
            0,
            0,
        ),
        (
            json!({"group_by": [{"field": "type_id"}]}),
            vec![
                (json!([physical]), 4),
                (json!([virtual_one]), 2),
                (json!([site]), 1),
            ],
            3,
            7,
        ),
        (
            json!({"group_by": [{"field": "type_id"}], "filter": {"fields.status": "live"}}),
            vec![(json!([physical]), 2), (json!([virtual_one]), 1)],
            2,
            3,
        ),
        (
            json!({"group_by": [{"field": "type_id"}], "filter": {"fields.status": {"$regex": "^.*l"}}}),
            vec![(json!([physical]), 2), (json!([virtual_one]), 1)],
            2,
            3,
        ),
        (
            json!({"group_by": [{"field": "fields.status"}], "filter": servers}),
            vec![
                (json!(["live"]), 3),
                (json!([null]), 1),
                (json!(["off"]), 1),
                (json!(["spare"]), 1),
            ],
            4,
            6,
        ),
        (
            json!({"group_by": [{"field": "fields.status"}], "limit": 2}),
            vec![(json!(["live"]), 3), (json!([null]), 2)],
            4,
            7,
        ),
        (
            json!({"group_by": [{"field": "fields.status"}], "sort": "key", "order": -1, "limit": 1}),
            vec![(json!(["spare"]), 1)],
            4,
            7,
        ),
        (
            json!({"group_by": [{"field": "fields.bought", "by": "month"}], "filter": {"type_id": physical}, "sort": "key"}),
            vec![
                (json!([null]), 1),
                (json!([date("2023-12-01")]), 1),
                (json!([date("2024-02-01")]), 2),
            ],
            3,
            4,
        ),
        (
            json!({"group_by": [{"field": "fields.bought", "by": "year"}, {"field": "fields.status"}], "filter": {"fields.bought": {"$ne": null}}}),
            vec![
                (json!([date("2024-01-01"), "live"]), 2),
                (json!([date("2023-01-01"), "spare"]), 1),
            ],
            2,
            3,
        ),
        (
            json!({"group_by": [{"field": "active"}, {"field": "author_id"}]}),
            vec![(json!([true, 1]), 7)],
            1,
            7,
        ),
    ] {
        let answer = aggregate(&admin, body.clone()).await;
        assert_eq!(counts(&answer), expected, "{body}");
        assert_eq!(answer["count"], expected.len(), "{body}");
        assert_eq!(
            [&answer["total"], &answer["objects"]],
            [&json!(total), &json!(objects)],
            "{body}"
        );
        assert_eq!(answer["model"], "ObjectGroup");
    }
}

#[apply(both)]
async fn groups_are_measured(server: TestServer) {
    let [physical, virtual_one, _] = inventory(&server).await;
    let measures = json!([
        {"function": "min", "field": "fields.cores"}, {"function": "max", "field": "fields.cores"},
        {"function": "sum", "field": "fields.cores"}, {"function": "max", "field": "fields.status"},
    ]);
    let by_type = json!({
        "group_by": [{"field": "type_id"}], "measures": measures, "filter": {"fields.cores": {"$exists": true}},
    });
    let answer = aggregate(&server.admin(), by_type).await;
    assert_eq!(
        answer["results"],
        json!([
            {"key": [physical], "count": 4, "measures": [4, 16, 28, "spare"]},
            {"key": [virtual_one], "count": 2, "measures": [2, 2.5, 4.5, "off"]},
        ])
    );
    let all = aggregate(&server.admin(), json!({"measures": measures})).await;
    assert_eq!(
        all["results"],
        json!([{"key": [], "count": 7, "measures": [2, 16, 32.5, "spare"]}])
    );
    let none = json!({"measures": measures, "filter": {"public_id": 999}});
    let none = aggregate(&server.admin(), none).await;
    assert_eq!(
        none["results"],
        json!([{"key": [], "count": 0, "measures": [null, null, 0, null]}])
    );
}

#[apply(both)]
async fn inactive_objects_count_unless_only_active_ones_are_asked_for(server: TestServer) {
    let [physical, ..] = inventory(&server).await;
    let admin = server.admin();
    let of_type = json!({"filter": {"type_id": physical}, "limit": 1});
    let found = admin
        .post("/rest/objects/query", of_type)
        .await
        .expect(200)
        .member("results");
    let _ = admin
        .put(
            &format!("/rest/objects/{}/state", found[0]["public_id"]),
            json!(false),
        )
        .await
        .expect(200);
    for (group_by, active, expected) in [
        (
            json!([{"field": "active"}]),
            false,
            vec![(json!([true]), 3), (json!([false]), 1)],
        ),
        (json!([{"field": "active"}]), true, vec![(json!([true]), 3)]),
        (
            json!([{"field": "type_id"}]),
            false,
            vec![(json!([physical]), 4)],
        ),
        (
            json!([{"field": "type_id"}]),
            true,
            vec![(json!([physical]), 3)],
        ),
        (
            json!([{"field": "fields.status"}]),
            true,
            vec![
                (json!([null]), 1),
                (json!(["live"]), 1),
                (json!(["spare"]), 1),
            ],
        ),
        (
            json!([{"field": "fields.status"}, {"field": "active"}]),
            false,
            vec![
                (json!([null, true]), 1),
                (json!(["live", false]), 1),
                (json!(["live", true]), 1),
                (json!(["spare", true]), 1),
            ],
        ),
    ] {
        let body = json!({"filter": {"type_id": physical}, "group_by": group_by, "active": active});
        assert_eq!(
            counts(&aggregate(&admin, body.clone()).await),
            expected,
            "{body}"
        );
    }
}

#[apply(both)]
async fn old_documents_count_like_all_others(engine: Engine) {
    let values = [
        json!("a"),
        json!("a"),
        json!(["b", "a"]),
        json!([]),
        json!({"k": 1}),
        json!(null),
        json!(1),
        json!(1.0),
    ];
    let documents = (1..)
        .zip(&values)
        .map(|(id, value)| document(id, 7, &[("note", value.clone())]));
    let server = stored(documents.collect(), engine).await;
    let body = json!({
        "group_by": [{"field": "fields.note"}], "measures": [{"function": "sum", "field": "fields.note"}],
    });
    let answer = aggregate(&server.admin(), body).await;
    assert_eq!(
        answer["results"],
        json!([
            {"key": [null], "count": 3, "measures": [0]},
            {"key": ["a"], "count": 3, "measures": [0]},
            {"key": [1], "count": 2, "measures": [2]},
        ])
    );
}

#[apply(both)]
async fn nobody_counts_what_the_access_list_hides(server: TestServer) {
    let [physical, virtual_one, site] = inventory(&server).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&server.admin(), physical, person.group_id, &[]).await;
    for (group_by, expected) in [
        (
            json!([{"field": "type_id"}]),
            vec![(json!([virtual_one]), 2), (json!([site]), 1)],
        ),
        (
            json!([{"field": "fields.status"}]),
            vec![
                (json!([null]), 1),
                (json!(["live"]), 1),
                (json!(["off"]), 1),
            ],
        ),
        (json!([]), vec![(json!([]), 3)]),
    ] {
        let answer = aggregate(&person.client, json!({"group_by": group_by})).await;
        assert_eq!(counts(&answer), expected);
    }
    let answer = aggregate(
        &person.client,
        json!({"group_by": [{"field": "fields.bought"}]}),
    )
    .await;
    let pointer = json!("/group_by/0/field");
    assert_eq!(
        answer["warnings"][0]["pointer"], pointer,
        "only the hidden type has the field"
    );
}

#[apply(both)]
async fn aggregates_follow_writes(server: TestServer) {
    let [physical, ..] = inventory(&server).await;
    let admin = server.admin();
    let body = json!({"group_by": [{"field": "creation_time"}], "sort": "key"});
    let before = counts(&aggregate(&admin, body.clone()).await);
    server.advance(Duration::from_secs(60));
    insert(&admin, physical, &[("status", json!("new"))]).await;
    let after = counts(&aggregate(&admin, body).await);
    assert_eq!([before.len(), after.len()], [1, 2]);
    assert_eq!([before[0].1, after[0].1, after[1].1], [7, 7, 1]);
}

#[apply(both)]
async fn groups_are_those_of_the_full_list(server: TestServer) {
    inventory(&server).await;
    let admin = server.admin();
    let all = list(&admin, &[("limit", "0")])
        .await
        .expect(200)
        .member("results");
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for object in all.as_array().unwrap() {
        let fields = object["fields"].as_array().unwrap();
        let status = fields.iter().find(|field| field["name"] == "status");
        let status = status.map_or(Value::Null, |field| field["value"].clone());
        *expected
            .entry(json!([object["type_id"], status]).to_string())
            .or_default() += 1;
    }
    let body = json!({"group_by": [{"field": "type_id"}, {"field": "fields.status"}]});
    let found = counts(&aggregate(&admin, body).await).into_iter();
    assert_eq!(
        found
            .map(|(key, count)| (key.to_string(), count))
            .collect::<BTreeMap<_, _>>(),
        expected
    );
}

#[apply(both)]
async fn a_wrong_body_is_refused_with_a_pointer(server: TestServer) {
    let admin = server.admin();
    let field = |field: &str| json!({"group_by": [{"field": field}]});
    for (body, pointer) in [
        (json!([]), ""),
        (json!({"filters": {}}), "/filters"),
        (json!({"filter": {"$nonsense": 1}}), "/filter/$nonsense"),
        (json!({"active": "yes"}), "/active"),
        (json!({"group_by": {}}), "/group_by"),
        (json!({"group_by": ["type_id"]}), "/group_by/0"),
        (json!({"group_by": [{}]}), "/group_by/0/field"),
        (
            json!({"group_by": vec![json!({"field": "type_id"}); 4]}),
            "/group_by",
        ),
        (field(""), "/group_by/0/field"),
        (field("public_id"), "/group_by/0/field"),
        (field("fields"), "/group_by/0/field"),
        (field("fields.0.value"), "/group_by/0/field"),
        (
            json!({"group_by": [{"field": "creation_time", "by": "week"}]}),
            "/group_by/0/by",
        ),
        (
            json!({"group_by": [{"field": "creation_time", "per": "day"}]}),
            "/group_by/0/per",
        ),
        (
            json!({"measures": [{"field": "fields.cores"}]}),
            "/measures/0/function",
        ),
        (
            json!({"measures": [{"function": "avg", "field": "fields.cores"}]}),
            "/measures/0/function",
        ),
        (
            json!({"measures": [{"function": "sum", "field": "type_id"}]}),
            "/measures/0/field",
        ),
        (
            json!({"measures": vec![json!({"function": "sum", "field": "fields.cores"}); 6]}),
            "/measures",
        ),
        (json!({"sort": "size"}), "/sort"),
        (json!({"order": "up"}), "/order"),
        (json!({"limit": 0}), "/limit"),
        (json!({"limit": 1_001}), "/limit"),
    ] {
        let answer = admin.post(AGGREGATE, body.clone()).await.expect(400);
        let errors = answer.member("errors");
        assert_eq!(errors[0]["pointer"], pointer, "{body} {errors}");
    }
    let costly = json!({"filter": {"fields.note": {"$regex": "("}}});
    let _ = admin.post(AGGREGATE, costly).await.expect(400);
    let strict = admin.with_header("prefer", "handling=strict");
    let _ = strict
        .post(AGGREGATE, field("fields.nobody"))
        .await
        .expect(400);
}
