//! The corpus: JSON cases with the documents that a filter finds, and their order. The expected
//! answers come from independent implementations of MongoDB's query language.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails as a test does"
)]

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use stockroom_filter::{Checked, Invalid, Limits, Order, Parsed, Paths, Sort};

#[derive(Deserialize)]
struct Corpus {
    documents: Vec<Value>,
    cases: Vec<Case>,
    #[serde(default)]
    invalid: Vec<Refused>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    filter: Value,
    #[serde(default)]
    sort: Vec<(String, i64)>,
    expected_ids: Vec<i64>,
}

#[derive(Deserialize)]
struct Refused {
    name: String,
    filter: Value,
}

const OBJECTS: Paths = Paths {
    timestamps: &["creation_time", "last_edit_time"],
    secrets: &[],
};

#[test]
fn filter_corpus_gives_the_expected_documents() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/filter-cases.json");
    let more = std::env::var_os("STOCKROOM_FILTER_CASES").unwrap_or_default();
    let mut failures = Vec::new();
    for file in std::iter::once(own).chain(std::env::split_paths(&more)) {
        if file.as_os_str().is_empty() {
            continue;
        }
        for failure in run(&file) {
            failures.push(format!("{}: {failure}", file.display()));
        }
    }
    assert!(
        failures.is_empty(),
        "{} cases failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn run(file: &Path) -> Vec<String> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
    let corpus: Corpus =
        serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
    let cases = corpus.cases.iter().filter_map(|case| {
        case.failure(&corpus.documents)
            .map(|failure| format!("{}: {failure}", case.name))
    });
    let accepted = corpus.invalid.iter().filter_map(|refused| {
        read(&refused.filter)
            .ok()
            .map(|_| format!("{}: accepted {}", refused.name, refused.filter))
    });
    cases.chain(accepted).collect()
}

fn read(filter: &Value) -> Result<Checked, Invalid> {
    Parsed::parse(&filter.to_string(), &Limits::default())?.check(&OBJECTS)
}

fn id(document: &Value) -> i64 {
    document["public_id"].as_i64().unwrap()
}

impl Case {
    fn failure(&self, documents: &[Value]) -> Option<String> {
        let filter = match read(&self.filter) {
            Ok(filter) => filter,
            Err(fault) => return Some(format!("refused {}: {fault}", self.filter)),
        };
        let mut found: Vec<&Value> = documents
            .iter()
            .filter(|document| {
                let found = filter.matches(document).unwrap();
                let in_text = filter.matches_text(&document.to_string(), &[]);
                assert_eq!(in_text, Ok(found), "{} of {document}", self.filter);
                found
            })
            .collect();
        found.sort_by(|left, right| self.order(left, right));
        let found: Vec<i64> = found.into_iter().map(id).collect();
        (found != self.expected_ids).then(|| {
            format!(
                "{}\n  expected {:?}\n  found    {found:?}",
                self.filter, self.expected_ids
            )
        })
    }

    /// Orders by all keys of the sort in turn, then by `public_id`.
    fn order(&self, left: &Value, right: &Value) -> Ordering {
        self.sort
            .iter()
            .map(|(path, order)| {
                let sort = Sort::records(path, Order::from(*order), &OBJECTS);
                sort.compare(&sort.key(left), &sort.key(right))
            })
            .find(|order| order.is_ne())
            .unwrap_or_else(|| id(left).cmp(&id(right)))
    }
}
