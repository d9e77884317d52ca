//! The query language, point by point. Cases in the corpus are not repeated here.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

mod arrays;
mod fields;
mod keys;
mod matching;
mod projecting;
mod properties;
mod ranges;
mod refusals;
mod regular_expressions;
mod resources;
mod sorting;
mod texts;

use serde_json::Value;
use stockroom_filter::{Checked, Invalid, Limits, Parsed, Paths};

fn filter(filter: &Value) -> Result<Checked, Invalid> {
    Parsed::parse(&filter.to_string(), &Limits::default())?.check(&Paths::default())
}

fn matches(asked: &Value, document: &Value) -> bool {
    filter(asked)
        .unwrap_or_else(|fault| panic!("refused {asked}: {fault}"))
        .matches(document)
        .unwrap()
}

/// Each row: a filter, documents that match, documents that do not.
fn check(table: Vec<(Value, Vec<Value>, Vec<Value>)>) {
    for (asked, yes, no) in table {
        for document in yes {
            assert!(matches(&asked, &document), "{asked} misses {document}");
        }
        for document in no {
            assert!(!matches(&asked, &document), "{asked} finds {document}");
        }
    }
}
