//! The values that a field accepts, by its kind and by the rules of its type
//! (`docs/guide/src/values.md`, `docs/guide/src/objects.md`).

use serde_json::{Value, json};
use stockroom_testkit::{Client, TestServer, apply, both, inventory};

use crate::fixture::{
    OBJECTS, field, field_with, insert, list, make_type, native, path, restrict, value,
};

/// Inserts an object for every value: accepted ones read back as sent; for the others, the refusal
/// points to the value.
async fn check(client: &Client, type_id: i64, what: &str, accepted: &[Value], refused: &[Value]) {
    for sent in accepted {
        let body = inventory::object(type_id, &[("it", sent.clone())]);
        let answer = client.post("/rest/objects/", body).await;
        assert_eq!(answer.status, 200, "{what} takes {sent}\n{answer}");
        let id = answer.member("result_id").as_i64().unwrap();
        assert_eq!(value(&native(client, id).await, "it"), sent, "{what}");
    }
    for sent in refused {
        let body = inventory::object(type_id, &[("it", sent.clone())]);
        let answer = client.post("/rest/objects/", body).await;
        assert_eq!(answer.status, 400, "{what} does not take {sent}\n{answer}");
        assert_eq!(answer.pointers(), ["/fields/0/value"], "{what}: {sent}");
    }
}

#[apply(both)]
async fn a_value_fits_the_kind_of_its_field(server: TestServer) {
    let admin = server.admin();
    let target = insert(&admin, make_type(&admin, "target", &[]).await, &[]).await;
    let target_text = target.to_string();
    let texts = [json!("Ω \" \\ \n"), json!(""), json!(null)];
    let no_texts = [
        json!(1),
        json!(true),
        json!(["a"]),
        json!({"a": 1}),
        json!({"$date": 0}),
    ];
    let dates = [
        json!("2020-02-29"),
        json!("2020-02-29T01:02:03.5"),
        json!("2020-02-29 01:02"),
        json!(""),
        json!({"$date": -1}),
        json!({"$date": "2020-02-29"}),
        json!(null),
    ];
    let no_dates = [
        json!("tomorrow"),
        json!("2021-02-29"),
        json!(5),
        json!(true),
        json!([]),
        json!({}),
        json!({"$date": "x"}),
        json!({"$date": 1, "x": 1}),
    ];
    let references = [json!(target), json!(target_text), json!(null)];
    let no_references = [
        json!(1.5),
        json!("x"),
        json!(true),
        json!([target]),
        json!({"$date": 0}),
        json!(format!("0{target}")),
    ];
    let scalars = [
        json!("a"),
        json!(""),
        json!(1),
        json!(-0.5),
        json!(1e300),
        json!(9_223_372_036_854_775_807_i64),
        json!(-9_223_372_036_854_775_808_i64),
        json!(1.0),
        json!(true),
        json!({"$date": 0}),
        json!({"$date": "2020-02-29"}),
        json!(null),
    ];
    let no_scalars = [
        json!([]),
        json!([1]),
        json!({}),
        json!({"a": 1}),
        json!({"$date": 1, "x": 1}),
    ];
    let table: [(&str, &[Value], &[Value]); 10] = [
        ("text", &texts, &no_texts),
        ("textarea", &texts, &no_texts),
        ("radio", &texts, &no_texts),
        ("select", &texts, &no_texts),
        ("password", &[json!("open sesame"), json!(null)], &no_texts),
        ("date", &dates, &no_dates),
        ("ref", &references, &no_references),
        ("ref-section-field", &references, &no_references),
        ("location", &references, &no_references),
        ("invented", &scalars, &no_scalars),
    ];
    for (kind, accepted, refused) in table {
        let type_id = make_type(&admin, &format!("of-{kind}"), &[field(kind, "it")]).await;
        check(&admin, type_id, kind, accepted, refused).await;
    }
    let with_ref_types = field_with("text", "it", &json!({"ref_types": [1]}));
    let type_id = make_type(&admin, "of-reference-by-its-types", &[with_ref_types]).await;
    check(
        &admin,
        type_id,
        "a text with ref_types",
        &references,
        &no_references,
    )
    .await;
}

#[apply(both)]
async fn the_rules_of_a_definition_are_enforced(server: TestServer) {
    let admin = server.admin();
    let options = json!({"options": [{"name": "a", "label": "A"}, {"name": "b", "label": "B"}]});
    let table = [
        (
            "text",
            json!({"regex": "[a-z]+"}),
            vec![json!("abc"), json!(""), json!(null)],
            vec![json!("abc1"), json!("1abc"), json!("abc\n")],
        ),
        (
            "text",
            json!({"regex": "a|b"}),
            vec![json!("a"), json!("b")],
            vec![json!("ab"), json!("ax")],
        ),
        (
            "text",
            json!({"regex": "^a$"}),
            vec![json!("a")],
            vec![json!("b")],
        ),
        (
            "textarea",
            json!({"regex": "(?=.*x).{2,}"}),
            vec![json!("ax")],
            vec![json!("x")],
        ),
        (
            "text",
            json!({"regex": ""}),
            vec![json!("anything")],
            vec![],
        ),
        (
            "select",
            options.clone(),
            vec![json!("a"), json!(""), json!(null)],
            vec![json!("A"), json!("c")],
        ),
        (
            "radio",
            options,
            vec![json!("b"), json!(null)],
            vec![json!("c")],
        ),
        (
            "select",
            json!({"options": []}),
            vec![json!("anything")],
            vec![],
        ),
        (
            "text",
            json!({"required": false}),
            vec![json!(null), json!("")],
            vec![],
        ),
    ];
    for (index, (kind, rule, accepted, refused)) in table.iter().enumerate() {
        let type_id = make_type(
            &admin,
            &format!("rule-{index}"),
            &[field_with(kind, "it", rule)],
        )
        .await;
        check(
            &admin,
            type_id,
            &format!("a {kind} with {rule}"),
            accepted,
            refused,
        )
        .await;
    }
}

#[apply(both)]
async fn a_required_field_needs_a_value(server: TestServer) {
    let admin = server.admin();
    let text = field_with("text", "it", &json!({"required": true}));
    let flag = field_with("checkbox", "flag", &json!({"required": true}));
    let type_id = make_type(&admin, "host", &[text, flag]).await;
    for (values, faults) in [
        (vec![("it", json!("a")), ("flag", json!(false))], vec![]),
        (vec![("flag", json!(0)), ("it", json!(" "))], vec![]),
        (
            vec![("flag", json!(true)), ("it", json!(""))],
            vec!["/fields/1/value"],
        ),
        (
            vec![("it", json!(null)), ("flag", json!(null))],
            vec!["/fields/0/value", "/fields/1/value"],
        ),
        (vec![("it", json!("a"))], vec!["/fields"]),
        (vec![], vec!["/fields", "/fields"]),
    ] {
        let body = inventory::object(type_id, &values);
        let answer = admin.post("/rest/objects/", body).await;
        if faults.is_empty() {
            let _ = answer.expect(200);
        } else {
            assert_eq!(answer.pointers(), faults, "{values:?}");
        }
    }
}

#[apply(both)]
async fn a_reference_names_an_object_of_an_allowed_type_that_the_caller_may_read(
    server: TestServer,
) {
    let admin = server.admin();
    let (allowed, other, hidden) = (
        make_type(&admin, "allowed", &[]).await,
        make_type(&admin, "other", &[]).await,
        make_type(&admin, "hidden", &[]).await,
    );
    let (fits, of_another_type, unseen) = (
        insert(&admin, allowed, &[]).await,
        insert(&admin, other, &[]).await,
        insert(&admin, hidden, &[]).await,
    );
    let person = server.user_with(OBJECTS).await;
    restrict(
        &admin,
        hidden,
        person.group_id,
        &["CREATE", "UPDATE", "DELETE"],
    )
    .await;
    let narrow = field_with("ref", "it", &json!({"ref_types": [allowed, hidden]}));
    let type_id = make_type(&admin, "narrow", &[narrow]).await;
    check(
        &admin,
        type_id,
        "narrow",
        &[json!(fits), json!(unseen)],
        &[json!(of_another_type), json!(999)],
    )
    .await;
    let refused = [
        json!(unseen),
        json!(unseen.to_string()),
        json!(of_another_type),
        json!(999),
    ];
    check(
        &person.client,
        type_id,
        "narrow",
        &[json!(fits), json!(fits.to_string())],
        &refused,
    )
    .await;
    let detail = async |id: i64| {
        let body = inventory::object(type_id, &[("it", json!(id))]);
        let answer = person.client.post("/rest/objects/", body).await;
        answer.detail().replace(&id.to_string(), "#")
    };
    assert_eq!(
        detail(unseen).await,
        detail(999).await,
        "hidden and missing look alike"
    );
    let any = make_type(&admin, "any", &[field("ref", "it")]).await;
    check(
        &admin,
        any,
        "any",
        &[json!(fits), json!(of_another_type)],
        &[json!(999)],
    )
    .await;
}

#[apply(both)]
async fn numbers_come_back_digit_by_digit(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "numbers", &[field("number", "it")]).await;
    for number in [
        "18446744073709551615",
        "9007199254740993",
        "0.1",
        "1.0",
        "-0.0",
        "1e-7",
        "123456789.125",
    ] {
        let body = format!(
            r#"{{"type_id": {type_id}, "author_id": 1, "fields": [{{"name": "it", "value": {number}}}]}}"#
        );
        let answer = admin
            .send(
                axum::http::Method::POST,
                "/rest/objects/",
                &[],
                body.into_bytes(),
            )
            .await
            .expect(200);
        let text = String::from_utf8(answer.body.clone()).unwrap();
        assert!(
            text.contains(&format!(r#""value":{number}}}"#)),
            "{number}\n{answer}"
        );
    }
}

#[apply(both)]
async fn dates_reach_to_the_end_of_the_calendar(server: TestServer) {
    let admin = server.admin();
    let type_id = make_type(&admin, "dated", &[field("date", "it")]).await;
    let dates = [
        json!("0001-01-01"),
        json!("0001-01-01T00:30:00+01:00"),
        json!("9999-12-31"),
        json!("9999-12-31T23:59:59.999999Z"),
        json!("9999-12-31 23:59:59-12:00"),
        json!({"$date": 253_402_300_799_999_i64}),
        json!({"$date": "9999-12-31T23:59:59.999Z"}),
    ];
    check(
        &admin,
        type_id,
        "a date",
        &dates,
        &[json!("10000-01-01"), json!("9999-12-32")],
    )
    .await;
    let last = json!({"name": "it", "value": {"$date": "9999-12-31T22:59:59.999-01:00"}});
    for (filter, count) in [
        (json!({"fields": {"$elemMatch": last}}), 2),
        (
            json!({"fields.value": {"$date": 253_402_300_799_999_i64}}),
            2,
        ),
        (json!({"fields.value": {"$gt": {"$date": "9999-12-31"}}}), 2),
        (
            json!({"creation_time": {"$lt": "9999-12-31T23:59:59.999999"}}),
            7,
        ),
        (json!({"creation_time": {"$gt": "0001-01-01"}}), 7),
    ] {
        let found = list(&admin, &[("filter", &filter.to_string())])
            .await
            .expect(200);
        assert_eq!(found.member("total"), count, "{filter}");
    }
    for (id, value) in (1..).zip(&dates) {
        let rendered = admin.get(&path(id)).await.expect(200).json();
        let shown = &rendered["type_information"]["fields"][0]["value"];
        assert!(
            shown["$date"].is_i64() || shown["$date"].is_string(),
            "{value} is shown as {shown}"
        );
    }
}
