//! Lists from the index, whichever way they go, are what the evaluator finds among the documents.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError, TestRunner};
use serde_json::Value;
use stockroom_access::Scope;
use stockroom_model::Object;

use super::config;
use super::expected::expected;
use super::inventory::{Inventory, inventory};
use super::queries::{Asked, asked};
use super::recording::{Recording, Statement};
use super::test_database::{TestDatabase, both};
use crate::object::list::FEW;
use crate::transaction::ReadTx;
use crate::{Catalog, Error, ObjectQuery, Start, Window};

const INVENTORIES: u32 = 32;
const QUERIES: usize = 40;

/// The ways to an answer, and the words in a statement that tell that it was taken.
const WAYS: [(&str, &str); 17] = [
    (
        "documents one by one",
        "SELECT public_id, type_id, active, views, doc",
    ),
    (
        "irregular ones among them",
        "IN (SELECT object_id FROM object_irregular)",
    ),
    (
        "irregular ones left out",
        "NOT IN (SELECT object_id FROM object_irregular)",
    ),
    (
        "a few rows of the index first",
        "SELECT object_id FROM object_field WHERE field_id = ?1 LIMIT",
    ),
    ("keys put to the test", "SELECT object_id, key FROM"),
    ("fields that are there", "(-field_id, object_id) NOT IN"),
    ("one key in the order of ids", " ORDER BY object_id LIMIT"),
    ("columns merged", "UNION ALL"),
    ("types without the column", "AS key, public_id AS object_id"),
    ("in the order of one field", "ORDER BY key, object_id LIMIT"),
    (
        "in the order of one field, backwards",
        "ORDER BY key DESC, object_id LIMIT",
    ),
    ("objects in the order of ids", "ORDER BY public_id LIMIT"),
    (
        "objects in the order of types",
        "ORDER BY type_id DESC, public_id LIMIT",
    ),
    ("counted in the index", "SELECT COUNT(*) FROM object_field"),
    (
        "counted in the index, each once",
        "SELECT COUNT(DISTINCT object_id)",
    ),
    ("counted in the table", "SELECT COUNT(*) FROM object WHERE"),
    ("a page with its total", "doc, (SELECT CAST(SUM("),
];

both!(
    every_way_to_a_list_finds_what_the_evaluator_finds,
    check_lists
);

fn check_lists(database: fn() -> TestDatabase) {
    let taken: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    let strategy = (inventory(), prop::collection::vec(asked(), QUERIES));
    let result = TestRunner::new(config(INVENTORIES)).run(&strategy, |(inventory, asked)| {
        let database = database();
        let store = inventory.store(&database);
        let catalog = store.catalog();
        let mut driver = Recording::reader(&database);
        for asked in &asked {
            check(&inventory, asked, &mut driver, &catalog)?;
        }
        store.close();
        let mut taken = taken.borrow_mut();
        for Statement { sql, .. } in &driver.statements {
            for (way, words) in WAYS {
                *taken.entry(way).or_default() += usize::from(sql.contains(words));
            }
        }
        Ok(())
    });
    // The reason tells the query; all that was made up would fill pages.
    match result {
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        other => other.unwrap(),
    }
    let taken = taken.into_inner();
    let untaken: Vec<_> = taken.iter().filter(|(_, times)| **times == 0).collect();
    assert!(untaken.is_empty(), "nothing went by {untaken:?}");
}

/// Compares the answers of the store, as if few objects were so few or so many, with the expected one.
pub(super) fn check(
    inventory: &Inventory,
    asked: &Asked,
    driver: &mut Recording,
    catalog: &Catalog,
) -> TestCaseResult {
    let Some((scope, query)) = asked.query(inventory) else {
        return Ok(());
    };
    let expected = expected(inventory, &scope, &query);
    for few in [0, 6, FEW] {
        let mut tx = ReadTx::new(driver, catalog).taking_for_few(few);
        let answer = answer(&mut tx, &scope, &query, asked)
            .map_err(|error| TestCaseError::fail(format!("{error}: {asked:?}")))?;
        let after = expected.get(asked.offset..).unwrap_or_default();
        let pages = after.chunks(asked.limit.max(1)).map(<[i64]>::to_vec);
        let mut pages = pages.filter(|_| asked.limit > 0);
        let wanted = Answer {
            ids: expected.clone(),
            page: pages.next().unwrap_or_default(),
            next: pages.next().unwrap_or_default(),
            total: expected.len(),
            count: expected.len(),
        };
        if answer != wanted {
            let differs = |document: &&Value| {
                let object = Object::from_document((*document).clone());
                let id = object.integer("public_id").unwrap();
                answer.ids.contains(&id) != wanted.ids.contains(&id)
            };
            let documents = inventory.documents.iter().filter(differs);
            let differing: Vec<String> = documents.map(Value::to_string).collect();
            return Err(TestCaseError::fail(format!(
                "{few} are few\n{}\n{asked:?}\nexpected {wanted:?}\nfound    {answer:?}\ndiffering: {differing:#?}\ntypes: {:?}",
                asked.filter, inventory.types
            )));
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq)]
struct Answer {
    ids: Vec<i64>,
    page: Vec<i64>,
    /// What comes after the page, by its end.
    next: Vec<i64>,
    total: usize,
    count: usize,
}

fn answer(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    query: &ObjectQuery,
    asked: &Asked,
) -> Result<Answer, Error> {
    let limit = asked.limit;
    let start = Start::Offset(asked.offset);
    let page = tx.object_page(scope, query, &Window { start, limit }, true)?;
    let next = match page.end {
        Some(end) => {
            let start = Start::After(end);
            let next = tx.object_page(scope, query, &Window { start, limit }, false)?;
            assert_eq!(next.total, None, "nobody asked for it");
            next.rows
        }
        None => Vec::new(),
    };
    let all = tx.object_ids(scope, query, &Window::everything())?;
    assert_eq!(all.ids.len(), all.total);
    Ok(Answer {
        ids: all.ids,
        page: page.rows.iter().map(|row| row.public_id).collect(),
        next: next.iter().map(|row| row.public_id).collect(),
        total: page.total.unwrap_or_default(),
        count: tx.object_count(scope, query)?,
    })
}
