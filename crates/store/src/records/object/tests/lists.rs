//! Lists by every plan are the same as the evaluator's on the documents.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use serde_json::Value;
use stockroom_access::Scope;
use stockroom_model::{Object, ObjectId};

use super::config;
use super::expected::expected;
use super::inventory::{Inventory, inventory};
use super::queries::{Asked, asked};
use super::test_database::{TestDatabase, both};
use crate::engine::counters::Counters;
use crate::engine::driver::Driver;
use crate::transaction::writers::Writers;
use crate::transaction::{FEW_DOCUMENTS, ReadTx, View};
use crate::{Catalog, Error, ObjectPage, ObjectQuery, Start, Want, Window};

const INVENTORIES: u32 = 32;
const QUERIES: usize = 40;

/// Words in plans; each must occur in the plan of some list.
const PLANS: [&str; 17] = [
    "empty",
    "recheck of documents where",
    " or (",
    "irregular",
    "known ids",
    "known ids descending",
    "scan of objects by id",
    "scan of objects by type descending",
    "scan of sorted objects",
    "scan of index rows by id",
    "scan of columns by 1 columns where",
    "scan of columns by 1 columns descending where",
    "types without one",
    "ids of a key scan",
    "present rows of",
    ", merged with recheck of documents where",
    ", total counted",
];

both!(
    every_way_to_a_list_finds_what_the_evaluator_finds,
    check_lists
);

fn check_lists(database: fn() -> TestDatabase) {
    let met: RefCell<BTreeMap<&str, usize>> = RefCell::default();
    let strategy = (inventory(), prop::collection::vec(asked(), QUERIES));
    let result = TestRunner::new(config(INVENTORIES)).run(&strategy, |(inventory, asked)| {
        let database = database();
        let store = inventory.store(&database);
        let catalog = store.catalog();
        let mut driver = database.connection();
        for asked in &asked {
            let plans = check(&inventory, asked, driver.as_mut(), &catalog)?;
            let mut met = met.borrow_mut();
            for words in PLANS {
                *met.entry(words).or_default() += usize::from(plans.contains(words));
            }
        }
        store.close();
        Ok(())
    });
    // The reason contains the query; the whole generated input would fill pages.
    match result {
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        other => other.unwrap(),
    }
    let met = met.into_inner();
    let unmet: Vec<_> = met.iter().filter(|(_, times)| **times == 0).collect();
    assert!(unmet.is_empty(), "no plan says {unmet:?}");
}

/// Compares the answers of the store, for several limits of what counts as few, with the expected
/// answer; returns the plans.
pub(super) fn check(
    inventory: &Inventory,
    asked: &Asked,
    driver: &mut dyn Driver,
    catalog: &Catalog,
) -> Result<String, TestCaseError> {
    let Some((scope, query)) = asked.query(inventory) else {
        return Ok(String::new());
    };
    let expected = expected(inventory, &scope, &query);
    let wanted = Answer::expected(&expected, asked);
    let writers = Writers::sole(Counters::load(driver).unwrap());
    let mut plans = String::new();
    // The second time with each limit, pages are cached.
    for few in [0, 0, 6, 6, FEW_DOCUMENTS] {
        let view = View::Snapshot(&writers, None);
        let mut tx = ReadTx::with(driver, catalog, view).taking_for_few(few);
        let answer = answer(&mut tx, &scope, &query, asked, &mut plans)
            .map_err(|error| TestCaseError::fail(format!("{error}: {asked:?}")))?;
        if answer != wanted {
            let is_differing = |document: &&Value| {
                let object = Object::from_document((*document).clone());
                let id = object.public_id().unwrap();
                answer.ids.contains(&id) != wanted.ids.contains(&id)
            };
            let documents = inventory.documents.iter().filter(is_differing);
            let differing: Vec<String> = documents.map(Value::to_string).collect();
            return Err(TestCaseError::fail(format!(
                "{few} are few\n{}\n{asked:?}\nexpected {wanted:?}\nfound    {answer:?}\nplans {plans}\ndiffering: {differing:#?}\ntypes: {:?}",
                asked.filter, inventory.types
            )));
        }
    }
    Ok(plans)
}

#[derive(Debug, PartialEq)]
struct Answer {
    ids: Vec<ObjectId>,
    page: Vec<ObjectId>,
    /// The objects after the page, found by its end.
    next: Vec<ObjectId>,
    /// The objects after the page, found by offset.
    behind: Vec<ObjectId>,
    total: usize,
    count: usize,
}

impl Answer {
    fn expected(ids: &[ObjectId], asked: &Asked) -> Self {
        let part = |offset: usize| -> Vec<ObjectId> {
            ids.iter().skip(offset).take(asked.limit).copied().collect()
        };
        let (page, behind) = (part(asked.offset), part(asked.offset + asked.limit));
        Self {
            ids: ids.to_vec(),
            // A page without objects has no end.
            next: if page.is_empty() {
                Vec::new()
            } else {
                behind.clone()
            },
            page,
            behind,
            total: ids.len(),
            count: ids.len(),
        }
    }
}

/// The whole list, by a walk.
fn walked(tx: &mut ReadTx<'_>, scope: &Scope, query: &ObjectQuery) -> Result<Vec<ObjectId>, Error> {
    let mut walk = tx.walk_list(scope, query)?;
    let mut ids = Vec::new();
    loop {
        let rows = tx.walk_on(scope, &mut walk)?;
        if rows.is_empty() {
            return Ok(ids);
        }
        ids.extend(rows.iter().map(|row| row.public_id));
    }
}

fn answer(
    tx: &mut ReadTx<'_>,
    scope: &Scope,
    query: &ObjectQuery,
    asked: &Asked,
    plans: &mut String,
) -> Result<Answer, Error> {
    let limit = asked.limit;
    let window = |start| Window { start, limit };
    let (counted, uncounted) = (
        Want::Objects { total: true },
        Want::Objects { total: false },
    );
    let first = window(Start::Offset(asked.offset));
    let (page, explanation) = tx.list_explained(scope, query, &first, counted)?;
    plans.push_str(&explanation.plan);
    plans.push('\n');
    let next = match page.end.clone() {
        Some(end) => tx.list(scope, query, &window(Start::After(end)), uncounted)?,
        None => ObjectPage::default(),
    };
    assert_eq!(next.total, None, "nobody asked for it");
    let behind = window(Start::Offset(asked.offset + limit));
    let behind = tx.list(scope, query, &behind, Want::Ids { total: false })?;
    let all = tx.list(
        scope,
        query,
        &Window::everything(),
        Want::Ids { total: true },
    )?;
    assert_eq!(Some(all.unread.len()), all.total);
    assert_eq!(walked(tx, scope, query)?, all.unread);
    if let Some(statement) = ObjectPage::statement(tx.catalog(), scope, query, &first, counted)?
        && let Some(single) = tx.fetch(&statement)?
    {
        assert_eq!(
            (ids(&single), single.total, &single.end),
            (ids(&page), page.total, &page.end)
        );
    }
    Ok(Answer {
        ids: all.unread,
        page: ids(&page),
        next: ids(&next),
        behind: behind.unread,
        total: page.total.unwrap_or_default(),
        count: tx
            .list(scope, query, &first, Want::Total)?
            .total
            .unwrap_or_default(),
    })
}

fn ids(page: &ObjectPage) -> Vec<ObjectId> {
    page.rows.iter().map(|row| row.public_id).collect()
}
