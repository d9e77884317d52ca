//! Cases of matching that are easily wrong.

use serde_json::json;
use stockroom_filter::{Checked, Limits, Parsed, Paths};

use crate::{check, filter, matches};

#[test]
fn null_also_means_missing() {
    check(vec![
        (
            json!({"a.b": null}),
            vec![
                json!({}),
                json!({"a": 1}),
                json!({"a": null}),
                json!({"a": {"b": null}}),
                json!({"a": [{}]}),
            ],
            vec![
                json!({"a": {"b": 1}}),
                json!({"a": []}),
                json!({"a": [1]}),
                json!({"a": [{"b": 1}]}),
            ],
        ),
        (
            json!({"a": {"$in": [null, 1]}}),
            vec![json!({}), json!({"a": 1}), json!({"a": [null]})],
            vec![json!({"a": 2}), json!({"a": []})],
        ),
        (
            json!({"a": {"$nin": [null]}}),
            vec![json!({"a": 0}), json!({"a": []})],
            vec![json!({}), json!({"a": [1, null]})],
        ),
        (
            json!({"a": {"$gte": null}}),
            vec![json!({}), json!({"a": null})],
            vec![json!({"a": 1}), json!({"a": ""})],
        ),
        (
            json!({"a": {"$lt": null}}),
            vec![],
            vec![json!({}), json!({"a": null})],
        ),
        (
            json!({"a": {"$type": "null"}}),
            vec![json!({"a": null})],
            vec![json!({})],
        ),
        (
            json!({"a": {"$exists": null}}),
            vec![json!({})],
            vec![json!({"a": null})],
        ),
        (
            json!({"a": {"$exists": 0.0}}),
            vec![json!({})],
            vec![json!({"a": null})],
        ),
        (
            json!({"a": {"$exists": "no"}}),
            vec![json!({"a": null})],
            vec![json!({})],
        ),
        (
            json!({"a": {"$all": [null]}}),
            vec![json!({}), json!({"a": [1, null]})],
            vec![json!({"a": 1})],
        ),
    ]);
}

#[test]
fn values_compare_within_their_type() {
    check(vec![
        (
            json!({"a": {"$lt": "b"}}),
            vec![json!({"a": "a"}), json!({"a": ""}), json!({"a": "B"})],
            vec![json!({"a": 1}), json!({"a": "b"}), json!({"a": "é"})],
        ),
        (
            json!({"a": {"$gt": {"k": 1}}}),
            vec![
                json!({"a": {"k": 2}}),
                json!({"a": {"k": ""}}),
                json!({"a": {"k": 1, "l": 0}}),
            ],
            vec![
                json!({"a": {"k": 1}}),
                json!({"a": {"j": 1}}),
                json!({"a": {}}),
            ],
        ),
        (
            json!({"a": {"k": 1, "l": 2}}),
            vec![json!({"a": {"k": 1.0, "l": 2}})],
            vec![json!({"a": {"l": 2, "k": 1}}), json!({"a": {"k": 1}})],
        ),
        (
            json!({"a": 9_007_199_254_740_993_i64}),
            vec![json!({"a": 9_007_199_254_740_993_i64})],
            vec![
                json!({"a": 9_007_199_254_740_992_i64}),
                json!({"a": 9_007_199_254_740_992.0}),
            ],
        ),
        (
            json!({"a": {"$gt": 18_446_744_073_709_551_614_u64}}),
            vec![json!({"a": u64::MAX}), json!({"a": 1e300})],
            vec![json!({"a": i64::MIN}), json!({"a": -1e300})],
        ),
        (
            json!({"a": 0}),
            vec![json!({"a": -0.0}), json!({"a": 0.0})],
            vec![json!({"a": false}), json!({"a": "0"})],
        ),
        (
            json!({"a": {"$date": "1970-01-01T00:00:01Z"}}),
            vec![
                json!({"a": {"$date": 1000}}),
                json!({"a": {"$date": "1970-01-01 01:00:01+01:00"}}),
            ],
            vec![json!({"a": 1000}), json!({"a": "1970-01-01T00:00:01Z"})],
        ),
        (
            json!({"a": {"$gt": {"$date": -1}}}),
            vec![json!({"a": {"$date": 0}})],
            vec![json!({"a": {"$date": -1}}), json!({"a": {"b": 1}})],
        ),
        (
            json!({"a": {"b": {"$date": 0}}}),
            vec![json!({"a": {"b": {"$date": "1970-01-01"}}})],
            vec![],
        ),
    ]);
}

#[test]
fn types_are_those_of_mongodb() {
    let values = [
        (json!(1.5), vec![json!("double"), json!(1), json!("number")]),
        (json!(10.0), vec![json!("double"), json!(1.0)]),
        (json!("x"), vec![json!("string"), json!(2)]),
        (json!({}), vec![json!("object"), json!(3)]),
        (json!([]), vec![json!("array"), json!(4)]),
        (json!(true), vec![json!("bool"), json!(8)]),
        (json!({"$date": 0}), vec![json!("date"), json!(9)]),
        (json!(null), vec![json!("null"), json!(10)]),
        (
            json!(-2_147_483_648),
            vec![json!("int"), json!(16), json!("number")],
        ),
        (
            json!(2_147_483_648_i64),
            vec![json!("long"), json!(18), json!("number")],
        ),
        (json!(u64::MAX), vec![json!("long"), json!(["string", 18])]),
    ];
    for (own, (value, types)) in values.iter().enumerate() {
        let document = json!({ "a": value });
        for wanted in types {
            assert!(
                matches(&json!({"a": {"$type": wanted}}), &document),
                "{value} is no {wanted}"
            );
        }
        let others = values.iter().enumerate().filter(|(other, _)| *other != own);
        for (_, (_, types)) in others.filter(|(_, (_, others))| others[0] != types[0]) {
            assert!(
                !matches(&json!({"a": {"$type": types[0]}}), &document),
                "{value} is {}",
                types[0]
            );
        }
    }
    for alias in [
        "objectId",
        "decimal",
        "regex",
        "minKey",
        "timestamp",
        "undefined",
    ] {
        assert!(!matches(&json!({"a": {"$type": alias}}), &json!({"a": 1})));
    }
}

#[test]
fn mod_truncates_towards_zero() {
    check(vec![
        (
            json!({"a": {"$mod": [4, 0]}}),
            vec![
                json!({"a": 8.9}),
                json!({"a": -4}),
                json!({"a": 0.5}),
                json!({"a": [3, 4]}),
            ],
            vec![json!({"a": "4"}), json!({"a": 1e300}), json!({"a": null})],
        ),
        (
            json!({"a": {"$mod": [4.9, 1.9]}}),
            vec![json!({"a": 5})],
            vec![json!({"a": -5})],
        ),
        (
            json!({"a": {"$mod": [4, -1]}}),
            vec![json!({"a": -5})],
            vec![json!({"a": 3})],
        ),
        (
            json!({"a": {"$mod": [-1, 0]}}),
            vec![json!({"a": i64::MIN})],
            vec![],
        ),
        (
            json!({"a": {"$mod": [10, 5]}}),
            vec![json!({"a": u64::MAX})],
            vec![],
        ),
    ]);
}

#[test]
fn the_empty_filter_is_recognised() {
    let everything = filter(&json!({"$and": [{}, {"$and": [{}]}]})).unwrap();
    assert!(everything.is_everything());
    assert_eq!(everything, Checked::everything());
    let narrow = everything.and(filter(&json!({"a": 1})).unwrap());
    assert!(!narrow.is_everything());
    assert_eq!(narrow, filter(&json!({"a": 1})).unwrap());
    assert!(!narrow.matches(&json!({"a": 2})).unwrap());
}

#[test]
fn long_lists_are_found_whole() {
    let list: Vec<i64> = (0..10_000).rev().map(|number| number * 2).collect();
    let asked = Parsed::from_value(&json!({"a": {"$in": list}}), &Limits::default())
        .unwrap()
        .check(&Paths::default())
        .unwrap();
    for number in 0..20_000 {
        assert_eq!(
            asked.matches(&json!({ "a": number })),
            Ok(number % 2 == 0),
            "{number}"
        );
    }
}
