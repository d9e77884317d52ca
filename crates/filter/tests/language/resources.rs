//! The influence of a resource on a filter: its timestamps and its secrets.

use serde_json::{Value, json};
use stockroom_filter::{Invalid, Limits, Parsed, Paths};

const RECORDS: Paths = Paths {
    timestamps: &["creation_time", "audit.at"],
    secrets: &["password", "login.hash"],
};

fn ask(asked: &Value, document: &Value) -> Result<bool, Invalid> {
    let checked = Parsed::from_value(asked, &Limits::default())?.check(&RECORDS)?;
    Ok(checked.matches(document).unwrap())
}

#[test]
fn timestamps_compare_with_texts_that_spell_a_date() {
    let second_of_january = json!({"$date": 1_577_923_200_000_i64});
    let table = [
        (json!("2020-01-02"), true),
        (json!("2020-01-02T00:00"), true),
        (json!("2020-01-02 00:00:00"), true),
        (json!("2020-01-02T01:00:00+01:00"), true),
        (json!("2020-01-03"), false),
        (json!("2020"), false),
        (json!({"$gt": "2020-01-01"}), true),
        (json!({"$gt": "2020"}), false),
        (json!({"$lte": "2020-01-02"}), true),
        (json!({"$lt": "2020-01-02 00:00"}), false),
        (json!({"$ne": "2020-01-02"}), false),
        (json!({"$in": ["x", "2020-01-02"]}), true),
        (json!({"$nin": ["x", "2020-01-02"]}), false),
        (json!({"$not": {"$gte": "2020-01-02"}}), false),
        (json!({"$type": "date"}), true),
        (json!({"$regex": "2020"}), false),
    ];
    for (condition, expected) in &table {
        let document =
            json!({"creation_time": second_of_january, "audit": [{"at": second_of_january}]});
        for path in ["creation_time", "audit.at"] {
            let asked = json!({ path: condition });
            assert_eq!(ask(&asked, &document).unwrap(), *expected, "{asked}");
        }
        let asked = json!({"audit": {"$elemMatch": {"at": condition}}});
        assert_eq!(ask(&asked, &document).unwrap(), *expected, "{asked}");
    }
}

#[test]
fn other_dates_do_not_compare_with_texts() {
    let document = json!({"bought": {"$date": 0}});
    assert!(!ask(&json!({"bought": "1970-01-01"}), &document).unwrap());
    assert!(ask(&json!({"bought": {"$date": 0}}), &document).unwrap());
}

#[test]
fn timestamps_that_a_document_holds_as_text_are_dates_too() {
    let document = json!({"creation_time": "2020-01-02T00:00:00.123456"});
    for condition in [
        json!("2020-01-02 00:00:00.123456"),
        json!({"$gt": {"$date": 1_577_923_200_000_i64}}),
        json!({"$gt": "2020-01-02", "$lt": "2020-01-03"}),
        json!({"$regex": "^2020-01-02T"}),
        json!({"$gt": "2020"}),
    ] {
        let asked = json!({ "creation_time": condition });
        assert!(ask(&asked, &document).unwrap(), "{asked}");
    }
    assert!(!ask(&json!({"creation_time": {"$lt": "2020-01-02"}}), &document).unwrap());
}

#[test]
fn secrets_are_missing() {
    let document = json!({"password": "p", "login": [{"hash": "h", "name": "n"}]});
    for path in [
        "password",
        "password.0",
        "login.hash",
        "login.0.hash",
        "login.hash.x",
    ] {
        for (condition, expected) in [
            (json!("p"), false),
            (json!(null), true),
            (json!({"$ne": "p"}), true),
            (json!({"$regex": ""}), false),
            (json!({"$exists": true}), false),
            (json!({"$exists": false}), true),
            (json!({"$not": {"$gt": ""}}), true),
        ] {
            let asked = json!({ path: condition });
            assert_eq!(ask(&asked, &document).unwrap(), expected, "{asked}");
        }
    }
    let within = |inner: Value| ask(&json!({"login": {"$elemMatch": inner}}), &document).unwrap();
    assert!(!within(json!({"hash": "h"})));
    assert!(within(json!({"hash": null, "name": "n"})));
}

#[test]
fn what_holds_a_secret_is_not_compared_as_a_whole() {
    let document = json!({"login": {"hash": "h", "name": "n"}});
    for condition in [
        json!({"hash": "h", "name": "n"}),
        json!({"$gt": {"hash": "g"}}),
        json!({"$not": {"$in": [{"hash": "h"}]}}),
        json!({"$elemMatch": {"$eq": {"hash": "h"}}}),
    ] {
        let asked = json!({ "login": condition });
        assert!(ask(&asked, &document).is_err(), "answered {asked}");
    }
    for asked in [
        json!({"login": {"$exists": true}}),
        json!({"login.name": "n"}),
        json!({"login": {"$ne": null}}),
    ] {
        assert!(ask(&asked, &document).unwrap(), "{asked}");
    }
}
