//! The corpus of the query language, with all of its documents and with only the regular ones.

use std::path::Path;

use serde_json::Value;

use super::inventory::{Field, Inventory};
use super::lists::check;
use super::queries::{Asked, Narrowed};
use super::recording::Recording;
use super::test_database::{TestDatabase, both};
use crate::transaction::ReadTx;

const CORPUS: &str = "../filter/tests/data/filter-cases.json";
const SELECT_REGULAR: &str = "SELECT public_id FROM object WHERE public_id NOT IN (SELECT object_id FROM object_irregular) ORDER BY public_id";

#[derive(serde::Deserialize)]
struct Corpus {
    documents: Vec<Value>,
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    filter: Value,
}

both!(
    the_corpus_is_answered_alike_with_and_without_irregular_documents,
    check_corpus
);

fn check_corpus(database: fn() -> TestDatabase) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(CORPUS);
    let corpus: Corpus = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let all = inventory(corpus.documents);
    let regular_ids = answer_all(&database(), &all, &corpus.cases);
    let is_regular = |document: &Value| {
        let id = document["public_id"].as_i64();
        id.is_some_and(|id| regular_ids.contains(&id))
    };
    let mut regular = all.clone();
    regular.documents.retain(is_regular);
    let left = regular.documents.len();
    assert!(left > 15, "the corpus has only {left} left");
    assert!(regular.documents.len() < all.documents.len());
    let still = answer_all(&database(), &regular, &corpus.cases);
    assert_eq!(still, regular_ids);
}

/// Types with a text field for every name in one of their documents.
fn inventory(documents: Vec<Value>) -> Inventory {
    let types = documents
        .iter()
        .filter_map(|document| document["type_id"].as_u64());
    let fields = |id: u64| {
        let of_type = documents
            .iter()
            .filter(|document| document["type_id"] == id);
        let items = of_type.filter_map(|document| document["fields"].as_array());
        let mut names: Vec<&str> = items
            .flatten()
            .filter_map(|item| item["name"].as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        let fields = names.into_iter().filter(|name| !name.is_empty());
        fields
            .map(|name| Field::text(name.to_owned().leak()))
            .collect::<Vec<_>>()
    };
    let types = (1..=types.max().unwrap()).map(|id| [fields(id), fields(id)]);
    Inventory {
        types: types.collect(),
        documents,
    }
}

/// Checks every case; returns the ids of the regular objects.
fn answer_all(database: &TestDatabase, inventory: &Inventory, cases: &[Case]) -> Vec<i64> {
    let store = inventory.store(database);
    let catalog = store.catalog();
    let mut driver = Recording::reader(database);
    for (case, index) in cases.iter().zip(0..) {
        let sorts = ["public_id", "creation_time", "fields.hostname", "version"];
        let asked = Asked {
            filter: case.filter.clone(),
            sort: sorts[index % sorts.len()].to_owned(),
            descending: index % 3 == 0,
            active_only: index % 5 == 0,
            narrowed: Narrowed::No,
            hidden: Vec::new(),
            offset: index % 4,
            limit: 10,
        };
        if let Err(failure) = check(inventory, &asked, &mut driver, &catalog) {
            panic!("{failure}");
        }
    }
    let mut tx = ReadTx::new(&mut driver, &catalog);
    let regular = tx.all(SELECT_REGULAR, &[], |row| row.int(0)).unwrap();
    store.close();
    regular
}
