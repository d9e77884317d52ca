//! Refused filters, and where each refusal points.

use serde_json::{Value, json};
use stockroom_filter::{Limits, Parsed};

use crate::filter;

#[test]
fn refusals_name_the_operator_and_its_place() {
    let table = [
        (json!({"$where": "1"}), "/$where", "$where"),
        (json!({"$expr": {"$gt": ["$a", 1]}}), "/$expr", "$expr"),
        (json!({"$text": {"$search": "a"}}), "/$text", "$text"),
        (json!({"$comment": "a"}), "/$comment", "$comment"),
        (json!({"a": {"$comment": "a"}}), "/a/$comment", "$comment"),
        (json!({"a": {"$gt": 1, "$near": 2}}), "/a/$near", "$near"),
        (
            json!({"$or": [{"b": 1}, {"a/b": {"$foo": 1}}]}),
            "/$or/1/a~1b/$foo",
            "$foo",
        ),
        (
            json!({"a": {"$elemMatch": {"b": {"$not": {"$foo": 1}}}}}),
            "/a/$elemMatch/b/$not/$foo",
            "$foo",
        ),
        (
            json!({"a": {"$and": [{"b": 1}]}}),
            "/a/$and",
            "below a field",
        ),
        (json!({"a": {"$gt": 1, "b": 1}}), "/a/b", "mixed"),
        (json!({"a": {"b": 1, "$gt": 1}}), "/a/$gt", "$gt"),
        (
            json!({"a": {"$in": [1, {"$regex": "a"}]}}),
            "/a/$in/1/$regex",
            "$regex",
        ),
        (
            json!({"a": {"$eq": {"b": [{"$gt": 1}]}}}),
            "/a/$eq/b/0/$gt",
            "$gt",
        ),
        (json!({"a": {"$date": "yesterday"}}), "/a/$date", "date"),
        (
            json!({"a": {"$gt": {"$date": 1.5}}}),
            "/a/$gt/$date",
            "date",
        ),
        (json!({"a": {"$date": 1, "$gt": 1}}), "/a/$date", "alone"),
        (json!({"a": {"$options": "i"}}), "/a/$options", "$regex"),
        (
            json!({"a": {"$regex": "a", "$options": "g"}}),
            "/a/$regex",
            "'g'",
        ),
        (
            json!({"a": {"$regex": "a", "$options": 1}}),
            "/a/$regex",
            "$options",
        ),
        (json!({"a": {"$regex": {"b": 1}}}), "/a/$regex", "text"),
        (json!({"a": {"$all": 1}}), "/a/$all", "list"),
        (
            json!({"a": {"$all": [{"$elemMatch": {}}, 1]}}),
            "/a/$all/1",
            "$elemMatch",
        ),
        (
            json!({"a": {"$all": [1, {"$elemMatch": {}}]}}),
            "/a/$all/1/$elemMatch",
            "$elemMatch",
        ),
        (
            json!({"a": {"$all": [{"$gt": 1}]}}),
            "/a/$all/0",
            "operator",
        ),
        (json!({"a": {"$elemMatch": [1]}}), "/a/$elemMatch", "object"),
        (
            json!({"a": {"$elemMatch": {"$gt": 1, "b": 1}}}),
            "/a/$elemMatch/b",
            "mixed",
        ),
        (json!({"a": {"$not": {}}}), "/a/$not", "operators"),
        (json!({"a": {"$not": {"b": 1}}}), "/a/$not", "operators"),
        (json!({"a": {"$not": {"$date": 1}}}), "/a/$not", "operators"),
        (json!({"a": {"$size": "1"}}), "/a/$size", "whole number"),
        (json!({"a": {"$mod": [5]}}), "/a/$mod", "two"),
        (json!({"a": {"$mod": [0.9, 0]}}), "/a/$mod", "0"),
        (json!({"a": {"$mod": ["5", 0]}}), "/a/$mod", "two"),
        (json!({"a": {"$mod": [1e19, 0]}}), "/a/$mod", "64-bit"),
        (
            json!({"a": {"$type": ["string", "text"]}}),
            "/a/$type/1",
            "text",
        ),
        (json!({"a": {"$type": 1.5}}), "/a/$type", "1.5"),
        (json!({"a": {"$type": null}}), "/a/$type", "null"),
        (json!([{"$match": {}}]), "", "object"),
        (json!(null), "", "object"),
        (json!("a"), "", "object"),
    ];
    for (asked, pointer, word) in table {
        let fault = filter(&asked).expect_err(&format!("accepted {asked}"));
        assert_eq!(fault.pointer, pointer, "{asked}: {fault}");
        assert!(fault.detail.contains(word), "{asked}: {fault}");
    }
}

#[test]
fn broken_json_is_refused() {
    for text in [
        "",
        "{",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1e999}",
        "{} {}",
        "{a:1}",
    ] {
        let fault = Parsed::parse(text, &Limits::default()).expect_err(text);
        assert_eq!(fault.pointer, "");
    }
}

#[test]
fn each_limit_holds() {
    let limits = Limits {
        max_depth: 4,
        max_nodes: 6,
        max_in: 3,
        max_pattern: 5,
        max_patterns: 2,
        ..Limits::default()
    };
    let table = [
        (
            json!({"$and": [{"a": [1]}]}),
            json!({"$and": [{"a": [[1]]}]}),
        ),
        (
            json!({"a": {"$gt": 1, "$lt": 2}, "b": 1, "c": 1, "d": 1}),
            json!({"a": {"$gt": 1, "$lt": 2}, "b": 1, "c": 1, "d": 1, "e": 1}),
        ),
        (
            json!({"a": {"$in": [1, 2, 3]}}),
            json!({"a": {"$in": [1, 2, 3, 3]}}),
        ),
        (
            json!({"a": {"$nin": [1, 2, 3]}}),
            json!({"a": {"$nin": [1, 2, 3, 4]}}),
        ),
        (
            json!({"a": {"$all": [1, 2, 3]}}),
            json!({"a": {"$all": [1, 2, 3, 4]}}),
        ),
        (
            json!({"a": {"$regex": "a"}, "b": {"$elemMatch": {"$regex": "a"}}}),
            json!({"a": {"$regex": "a"}, "b": {"$regex": "a"}, "c": {"$regex": "a"}}),
        ),
        (
            json!({"a": {"$regex": "abcde"}}),
            json!({"a": {"$regex": "abcdef"}}),
        ),
    ];
    for (within, beyond) in table {
        let read = |asked: &Value| Parsed::from_value(asked, &limits);
        assert!(read(&within).is_ok(), "refused {within}");
        assert!(read(&beyond).is_err(), "accepted {beyond}");
    }
}

#[test]
fn a_costly_expression_is_refused_by_what_it_would_take() {
    for source in [
        ".{9999}",
        "((a{1000}){1000}){1000}",
        r"(?i:\p{L}){50}",
        "(?=a)(?:.{900})",
        &"(?=a)[bc]".repeat(500),
    ] {
        let asked = json!({"$or": [{"a": 1}, {"b": {"$regex": source}}]});
        let fault = filter(&asked).expect_err(source);
        assert_eq!(fault.pointer, "/$or/1/b/$regex", "{fault}");
        assert!(fault.detail.contains("the limit is 256 KiB"), "{fault}");
    }
    let narrow = Limits {
        max_compiled: 100,
        ..Limits::default()
    };
    let read = |source: &str, limits: &Limits| {
        Parsed::from_value(&json!({"a": {"$regex": source}}), limits).is_ok()
    };
    assert!(read(".{20}", &Limits::default()));
    assert!(
        !read(".{20}", &narrow),
        "what is remembered has been refused"
    );
}

/// A filter may be parsed on a latency-critical thread only if its expressions are already
/// compiled.
#[test]
fn an_expression_is_compiled_once() {
    let limits = Limits::default();
    let asked =
        json!({"a": {"$not": {"$regex": "compiled once", "$options": "i"}}, "b": {"$in": [1]}});
    assert!(!Parsed::is_quick(&asked, &limits));
    assert!(Parsed::from_value(&asked, &limits).is_ok());
    assert!(Parsed::is_quick(&asked, &limits));
    let other = json!({"a": {"$not": {"$regex": "compiled once"}}});
    assert!(!Parsed::is_quick(&other, &limits));
}
