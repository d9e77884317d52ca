//! `fields.<name>` and `values.<name>` in the parameters of lists.

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both};

use crate::fixture::{OBJECTS, field, insert, list, make_type, restrict};

/// Two types: `host` is a field of both, `cpu.cores` of the first, `rack` of the second.
struct Machines {
    server: i64,
    device: i64,
}

/// Objects 1 to 3 are servers, 4 and 5 devices.
async fn machines(admin: &Client) -> Machines {
    let server = make_type(
        admin,
        "server",
        &[
            field("text", "host"),
            field("number", "cpu.cores"),
            field("text", "name"),
        ],
    )
    .await;
    let device = make_type(
        admin,
        "device",
        &[field("text", "host"), field("text", "rack")],
    )
    .await;
    for (host, cores) in [
        (json!("alpha"), json!(8)),
        (json!("beta"), json!(16)),
        (json!(null), json!(null)),
    ] {
        let _ = insert(
            admin,
            server,
            &[("host", host), ("cpu.cores", cores), ("name", json!("n"))],
        )
        .await;
    }
    let _ = insert(
        admin,
        device,
        &[("host", json!("alpha")), ("rack", json!("r1"))],
    )
    .await;
    let _ = insert(admin, device, &[("rack", json!("alpha"))]).await;
    Machines { server, device }
}

#[apply(both)]
async fn a_filter_by_name_is_about_the_value_of_the_field(server: TestServer) {
    let admin = server.admin();
    let _ = machines(&admin).await;
    for (filter, expected) in [
        (json!({"fields.host": "alpha"}), &[1, 4][..]),
        (json!({"fields.host": {"$ne": "alpha"}}), &[2, 3, 5]),
        (
            json!({"fields.host": {"$not": {"$eq": "alpha"}}}),
            &[2, 3, 5],
        ),
        (json!({"fields.host": null}), &[3, 5]),
        (json!({"fields.host": {"$exists": false}}), &[5]),
        (json!({"fields.host": {"$in": ["beta", null]}}), &[2, 3, 5]),
        (json!({"fields.host": {"$nin": ["beta", null]}}), &[1, 4]),
        (json!({"fields.host": {"$regex": "^(al|be)"}}), &[1, 2, 4]),
        (json!({"fields.host": {"$gte": "b"}}), &[2]),
        (json!({"fields.cpu.cores": {"$gt": 8}}), &[2]),
        (json!({"fields.cpu.cores": {"$mod": [8, 0]}}), &[1, 2]),
        (json!({"fields.cpu.cores": {"$type": "number"}}), &[1, 2]),
        (json!({"fields.rack": "alpha"}), &[5]),
        (json!({"fields.rack": null}), &[1, 2, 3]),
        (
            json!({"$or": [{"fields.rack": "r1"}, {"fields.cpu.cores": 16}]}),
            &[2, 4],
        ),
        (
            json!({"$nor": [{"fields.host": "alpha"}, {"fields.rack": {"$ne": null}}]}),
            &[2, 3],
        ),
        (
            json!({"fields.host": "alpha", "fields.cpu.cores": {"$lte": 8}}),
            &[1],
        ),
    ] {
        for sort in ["public_id", "fields.host"] {
            let answer = list(&admin, &[("filter", &filter.to_string()), ("sort", sort)])
                .await
                .expect(200);
            let mut ids = answer.ids();
            ids.sort_unstable();
            assert_eq!(ids, expected, "{filter}");
            assert_eq!(answer.member("total"), expected.len());
            assert!(!answer.keys().contains(&"warnings".to_owned()), "{answer}");
            assert_eq!(answer.member("parameters")["filter"], filter);
        }
    }
}

#[apply(both)]
async fn members_and_positions_of_items_keep_their_meaning(server: TestServer) {
    let admin = server.admin();
    let _ = machines(&admin).await;
    for (filter, expected) in [
        (json!({"fields.name": "rack"}), &[4, 5][..]),
        (json!({"fields.name": "n"}), &[]),
        (json!({"fields.value": "alpha"}), &[1, 4, 5]),
        (json!({"fields.0.value": "alpha"}), &[1, 4, 5]),
        (
            json!({"fields": {"$elemMatch": {"name": "host", "value": "alpha"}}}),
            &[1, 4],
        ),
    ] {
        let answer = list(&admin, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(answer.ids(), expected, "{filter}");
        // A server has a field `name`, which somebody may mean.
        let warnings: &[&str] = match filter.get("fields.name") {
            Some(_) => &["filter"],
            None => &[],
        };
        assert_eq!(answer.warnings(), warnings, "{filter}");
    }
}

#[apply(both)]
async fn values_are_those_of_fields_whatever_these_are_called(server: TestServer) {
    let admin = server.admin().unchecked();
    let _ = machines(&admin).await;
    let named_as_items = make_type(
        &admin,
        "odd",
        &[
            field("text", "name"),
            field("text", "value"),
            field("text", "0"),
        ],
    )
    .await;
    for (name, value, zero) in [("x", "y", "z"), ("y", "x", "w")] {
        let values = [
            ("name", json!(name)),
            ("value", json!(value)),
            ("0", json!(zero)),
        ];
        let _ = insert(&admin, named_as_items, &values).await;
    }
    for (filter, expected) in [
        (json!({"values.name": "x"}), &[6][..]),
        (json!({"values.name": {"$in": ["n", "y"]}}), &[1, 2, 3, 7]),
        (json!({"values.name": {"$exists": false}}), &[4, 5]),
        (json!({"values.value": "x"}), &[7]),
        (json!({"values.0": {"$gte": "z"}}), &[6]),
        (json!({"values.host": "alpha"}), &[1, 4]),
        (json!({"values.cpu.cores": 16}), &[2]),
        (
            json!({"$nor": [{"values.host": null}, {"values.rack": "r1"}]}),
            &[1, 2],
        ),
    ] {
        let filter = filter.to_string();
        let answer = list(&admin, &[("filter", &filter)]).await.expect(200);
        assert_eq!(
            (answer.ids(), answer.warnings()),
            (expected.to_vec(), Vec::new()),
            "{filter}"
        );
    }
    for (sort, expected) in [
        ("values.name", [4, 5, 1, 2, 3, 6, 7]),
        ("values.0", [1, 2, 3, 4, 5, 7, 6]),
    ] {
        let answer = list(&admin, &[("sort", sort)]).await.expect(200);
        assert_eq!(answer.ids(), expected, "{sort}");
    }
    let projection = r#"{"values.name": 0, "values.0": 0}"#;
    let asked = [
        ("projection", projection),
        ("filter", r#"{"values.name": "x"}"#),
    ];
    let answer = list(&admin, &asked).await.expect(200);
    let fields = &answer.member("results")[0]["fields"];
    assert_eq!(*fields, json!([{"name": "value", "value": "y"}]));
    let groups = json!({"group_by": [{"field": "values.value"}], "filter": {"values.name": "y"}});
    let groups = admin
        .post("/rest/objects/aggregate", groups)
        .await
        .expect(200);
    assert_eq!(groups.member("results")[0]["key"], json!(["x"]), "{groups}");
}

#[apply(both)]
async fn a_path_into_the_items_is_doubted_where_a_field_is_called_so(server: TestServer) {
    let admin = server.admin();
    let machines = machines(&admin).await;
    let person = server.user_with(OBJECTS).await;
    for (parameter, value) in [
        ("filter", r#"{"fields.name": "rack"}"#),
        ("projection", r#"["fields.name"]"#),
    ] {
        let answer = list(&person.client.clone().unchecked(), &[(parameter, value)]).await;
        let warnings = answer.expect(200).member("warnings");
        assert_eq!(warnings[0]["pointer"], parameter);
        let detail = warnings[0]["detail"].to_string();
        assert!(detail.contains("at values.name"), "{detail}");
    }
    // Nobody learns from it how the fields of hidden types are called.
    restrict(&admin, machines.server, person.group_id, &[]).await;
    let answer = list(&person.client, &[("filter", r#"{"fields.name": "rack"}"#)]).await;
    assert_eq!(answer.expect(200).warnings(), Vec::<String>::new());
}

#[apply(both)]
async fn a_projection_by_name_is_about_the_field(server: TestServer) {
    let admin = server.admin().unchecked();
    let _ = machines(&admin).await;
    for (projection, expected) in [
        (
            json!(["fields.host"]),
            json!({"fields": [{"name": "host", "value": "alpha"}]}),
        ),
        (
            json!({"public_id": 1, "fields.cpu.cores": 1}),
            json!({"public_id": 1, "fields": [{"name": "cpu.cores", "value": 8}]}),
        ),
    ] {
        let answer = list(
            &admin,
            &[("projection", &projection.to_string()), ("limit", "1")],
        )
        .await
        .expect(200);
        assert_eq!(answer.member("results"), json!([expected]), "{projection}");
    }
    let without = json!({"fields.host": 0, "fields.name": 0}).to_string();
    let answer = list(&admin, &[("projection", &without), ("limit", "1")])
        .await
        .expect(200);
    assert_eq!(
        answer.member("results")[0]["fields"],
        json!([{"value": 8}, {"value": "n"}])
    );
}

#[apply(both)]
async fn names_that_no_type_has_are_warned_of_and_stay_paths(server: TestServer) {
    let admin = server.admin();
    let _ = machines(&admin).await;
    let unchecked = admin.clone().unchecked();
    let strict = admin.clone().with_header("prefer", "handling=strict");
    for (parameter, value, expected) in [
        ("filter", r#"{"fields.hots": null}"#, &[1, 2, 3, 4, 5][..]),
        ("filter", r#"{"fields.hots": "alpha"}"#, &[]),
        (
            "filter",
            r#"{"$or": [{"fields.host": "beta"}, {"fields.hots": 1}]}"#,
            &[2],
        ),
        ("filter", r#"{"values.hots": null}"#, &[1, 2, 3, 4, 5]),
        ("filter", r#"{"values.hots": "alpha"}"#, &[]),
        ("sort", "fields.hots", &[1, 2, 3, 4, 5]),
        ("sort", "values.hots", &[1, 2, 3, 4, 5]),
        ("projection", r#"{"fields.hots": 0}"#, &[1, 2, 3, 4, 5]),
    ] {
        let answer = list(&unchecked, &[(parameter, value)]).await.expect(200);
        assert_eq!(
            (answer.ids(), answer.warnings()),
            (expected.to_vec(), vec![parameter.to_owned()]),
            "{value}"
        );
        let detail = answer.member("warnings")[0]["detail"].to_string();
        assert!(detail.contains("hots"), "{detail}");
        assert_eq!(
            list(&strict, &[(parameter, value)]).await.pointers(),
            [parameter]
        );
    }
    let _ = list(&strict, &[("filter", r#"{"fields.host": "alpha"}"#)])
        .await
        .expect(200);
}

#[apply(both)]
async fn fields_of_hidden_types_are_not_known(server: TestServer) {
    let admin = server.admin();
    let machines = machines(&admin).await;
    let person = server.user_with(OBJECTS).await;
    restrict(&admin, machines.device, person.group_id, &[]).await;
    let asked = [("filter", r#"{"fields.rack": {"$exists": false}}"#)];
    let answer = list(&person.client, &asked).await.expect(200);
    assert_eq!(answer.ids(), [1, 2, 3]);
    let as_if_unknown = list(
        &person.client,
        &[("filter", r#"{"fields.nowhere": {"$exists": false}}"#)],
    )
    .await
    .expect(200);
    let detail =
        |answer: &stockroom_testkit::Answer| answer.member("warnings")[0]["detail"].to_string();
    assert_eq!(
        detail(&answer),
        detail(&as_if_unknown).replace("nowhere", "rack")
    );
    restrict(&admin, machines.device, person.group_id, &["READ"]).await;
    let answer = list(&person.client, &asked).await.expect(200);
    assert!(!answer.keys().contains(&"warnings".to_owned()), "{answer}");
    let by_type = json!({"type_id": machines.server, "fields.rack": null}).to_string();
    assert_eq!(
        list(&person.client, &[("filter", &by_type)])
            .await
            .expect(200)
            .ids(),
        [1, 2, 3]
    );
}

#[apply(both)]
async fn long_lists_keep_what_the_names_meant(server: TestServer) {
    let admin = server.admin().unchecked();
    let _ = machines(&admin).await;
    let parameters = [
        ("projection", r#"["fields.host"]"#),
        ("filter", r#"{"fields.host": "alpha"}"#),
        ("limit", "0"),
    ];
    let results = list(&admin, &parameters)
        .await
        .expect(200)
        .member("results");
    let shown: Vec<&Value> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|object| &object["fields"])
        .collect();
    assert_eq!(shown, [&json!([{"name": "host", "value": "alpha"}]); 2]);
}
