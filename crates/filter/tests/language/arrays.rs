//! Filters on values inside arrays.

use serde_json::json;

use crate::check;

#[test]
fn arrays_match_by_an_item_or_as_a_whole() {
    check(vec![
        (
            json!({"a": [1, 2]}),
            vec![
                json!({"a": [1, 2]}),
                json!({"a": [[1, 2]]}),
                json!({"a": [1.0, 2]}),
            ],
            vec![json!({"a": [2, 1]}), json!({"a": [1, 2, 3]})],
        ),
        (
            json!({"a": {"$gt": [1, 2]}}),
            vec![json!({"a": [1, 3]}), json!({"a": [1, 2, 0]})],
            vec![json!({"a": [1, 2]}), json!({"a": 9})],
        ),
        (
            json!({"a": {"$gt": 1, "$lt": 3}}),
            vec![json!({"a": [0, 9]})],
            vec![json!({"a": [3]}), json!({"a": []})],
        ),
        (
            json!({"a": {"$ne": 1}}),
            vec![json!({"a": [2]}), json!({})],
            vec![json!({"a": [1, 2]})],
        ),
        (
            json!({"a": {"$size": 2}}),
            vec![json!({"a": [1, 2]})],
            vec![json!({"a": [[1, 2]]}), json!({"a": {"0": 1, "1": 2}})],
        ),
        (
            json!({"a": {"$all": []}}),
            vec![],
            vec![json!({}), json!({"a": []}), json!({"a": 1})],
        ),
        (
            json!({"a": {"$not": {"$all": []}}}),
            vec![json!({}), json!({"a": []})],
            vec![],
        ),
        (
            json!({"a": {"$all": [[1]]}}),
            vec![json!({"a": [1]}), json!({"a": [[1], 2]})],
            vec![json!({"a": [1, 2]})],
        ),
        (json!({"a": {"$all": [1]}}), vec![json!({"a": 1})], vec![]),
        (
            json!({"a": {"$all": [{"$elemMatch": {"n": 1}}, {"$elemMatch": {"n": {"$gt": 5}}}]}}),
            vec![json!({"a": [{"n": 1}, {"n": 6}]})],
            vec![json!({"a": [{"n": 1}]}), json!({"a": {"n": 1}})],
        ),
        (
            json!({"a": {"$type": "array"}}),
            vec![json!({"a": []}), json!({"a": [1]})],
            vec![json!({"a": 1})],
        ),
    ]);
}

#[test]
fn an_item_must_satisfy_all_of_an_elem_match() {
    check(vec![
        (
            json!({"a": {"$elemMatch": {"$gt": 1, "$lt": 3}}}),
            vec![json!({"a": [0, 2]})],
            vec![json!({"a": [0, 9]}), json!({"a": 2}), json!({"a": [[2]]})],
        ),
        (
            json!({"a": {"$elemMatch": {"$not": {"$gt": 1}}}}),
            vec![json!({"a": [5, 1]})],
            vec![json!({"a": [5]}), json!({"a": []}), json!({})],
        ),
        (
            json!({"a": {"$elemMatch": {}}}),
            vec![json!({"a": [{}]}), json!({"a": [[]]})],
            vec![json!({"a": [1]}), json!({"a": [{"$date": 0}]})],
        ),
        (
            json!({"a": {"$elemMatch": {"0": 1}}}),
            vec![json!({"a": [[1, 2]]}), json!({"a": [{"0": 1}]})],
            vec![json!({"a": [1]}), json!({"a": [[2, 1]]})],
        ),
        (
            json!({"a": {"$elemMatch": {"$or": [{"b": 1}, {"c": 1}]}}}),
            vec![json!({"a": [{"c": 1}]})],
            vec![json!({"a": [{"d": 1}]})],
        ),
        (
            json!({"a": {"$elemMatch": {"$size": 1}}}),
            vec![json!({"a": [[7]]})],
            vec![json!({"a": [7]})],
        ),
        (
            json!({"a.b": {"$elemMatch": {"c": null}}}),
            vec![json!({"a": [{"b": [{}]}]})],
            vec![json!({"a": [{"b": [1]}]})],
        ),
    ]);
}

#[test]
fn numbers_in_paths_are_positions_and_keys() {
    check(vec![
        (
            json!({"a.0": 1}),
            vec![
                json!({"a": [1]}),
                json!({"a": {"0": 1}}),
                json!({"a": [{"0": 1}]}),
                json!({"a": [[1, 2]]}),
            ],
            vec![json!({"a": [2, 1]})],
        ),
        (
            json!({"a.1.b": 1}),
            vec![
                json!({"a": [0, {"b": 1}]}),
                json!({"a": [{"1": {"b": 1}}]}),
                json!({"a": [0, [{"b": 1}]]}),
            ],
            vec![json!({"a": [{"b": 1}]})],
        ),
        (
            json!({"a.00": 1}),
            vec![json!({"a": {"00": 1}})],
            vec![json!({"a": [1]})],
        ),
        (
            json!({"a.b": 1}),
            vec![json!({"a": [{"b": 1}]}), json!({"a": [{"b": [1]}]})],
            vec![json!({"a": [[{"b": 1}]]})],
        ),
        (
            json!({"a.9": {"$exists": false}}),
            vec![json!({"a": [1]})],
            vec![json!({"a": {"9": null}})],
        ),
        (
            json!({"a.99999999999999999999": 1}),
            vec![json!({"a": {"99999999999999999999": 1}})],
            vec![json!({"a": [1]})],
        ),
        (
            json!({"a.$date": 0}),
            vec![],
            vec![json!({"a": {"$date": 0}})],
        ),
        (json!({"": 1}), vec![json!({"": 1})], vec![json!({})]),
        (
            json!({"a.": 1}),
            vec![json!({"a": {"": 1}})],
            vec![json!({"a": 1})],
        ),
    ]);
}
