//! Jumps into lists find what a walk from the start finds, after every commit.

use proptest::prelude::prop_assert_eq;
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError, TestRunner};
use serde_json::json;
use stockroom_access::Scope;
use stockroom_filter::{Order, Sort};
use stockroom_model::{Object, ObjectId};

use super::config;
use super::expected::checked;
use super::histories::{first_types, history, write_together};
use super::inventory::{context, record, runtime};
use super::test_database::{TestDatabase, both};
use crate::transaction::ReadTx;
use crate::{Error, ObjectQuery, Resource, Restriction, Start, Store, Want, Window};

const HISTORIES: u32 = 12;

both!(jumps_find_what_a_walk_finds_after_every_commit, check_jumps);

fn check_jumps(database: fn() -> TestDatabase) {
    let result = TestRunner::new(config(HISTORIES)).run(&history(), |history| {
        let database = database();
        let store = database.open();
        write_together(&store, &first_types());
        for group in &history {
            write_together(&store, group);
            jump_everywhere(&store)?;
        }
        store.close();
        Ok(())
    });
    match result {
        Err(TestError::Fail(reason, history)) => panic!("{reason}\n{history:#?}"),
        other => other.unwrap(),
    }
}

both!(jumps_reach_objects_of_a_later_type, check_later_type);

fn check_later_type(database: fn() -> TestDatabase) {
    let database = database();
    let store = database.open();
    for place in 0..2 {
        let made = runtime().block_on(store.write(context(), move |tx| {
            let definition = record(place, &[]);
            let revision = tx.claim_id(Resource::Type, definition.public_id.get())?;
            tx.insert_type(revision, definition).map(drop)
        }));
        made.unwrap();
        for id in 1..5 {
            let written = runtime().block_on(store.write(context(), move |tx| {
            // Objects of the later type have the smaller authors.
                let id = 10 * place + id;
                let document = json!({
                    "public_id": id, "type_id": place + 1, "author_id": 100 - id, "active": true, "views": 0,
                    "version": "1.0.0", "creation_time": null, "last_edit_time": null, "fields": [],
                });
                tx.insert_old_document(Object::from_document(document)).map(drop)
            }));
            written.unwrap();
            jump_everywhere(&store).unwrap();
        }
    }
    store.close();
}

/// Asks for every object of every list by its offset, the last one first.
fn jump_everywhere(store: &Store) -> TestCaseResult {
    for query in queries() {
        let asked = query.clone();
        let found = runtime().block_on(store.read(move |tx| {
            let walked = page(tx, &asked, 0, usize::MAX)?;
            let jumps = (0..walked.len()).rev();
            let jumped: Result<Vec<_>, Error> = jumps
                .map(|offset| Ok((offset, page(tx, &asked, offset, 1)?)))
                .collect();
            Ok((walked, jumped?))
        }));
        let found: Result<_, Error> = found;
        let (walked, jumped) = found.map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (offset, page) in jumped {
            prop_assert_eq!(&page, &walked[offset..=offset], "{:?} {}", query, offset);
        }
    }
    Ok(())
}

fn page(
    tx: &mut ReadTx<'_>,
    query: &ObjectQuery,
    offset: usize,
    limit: usize,
) -> Result<Vec<ObjectId>, Error> {
    let window = Window {
        start: Start::Offset(offset),
        limit,
    };
    let page = tx.list(
        &Scope::for_maintenance(),
        query,
        &window,
        Want::Ids { total: true },
    )?;
    Ok(page.unread)
}

/// Lists whose ranks are updated with each commit, and others.
fn queries() -> Vec<ObjectQuery> {
    let mut queries = Vec::new();
    for filter in [
        json!({}),
        json!({ "type_id": 1 }),
        json!({ "public_id": { "$gt": 2 } }),
    ] {
        for path in ["public_id", "type_id", "author_id", "fields.a", "fields.b"] {
            for (order, active_only) in [
                (Order::Ascending, false),
                (Order::Descending, false),
                (Order::Ascending, true),
            ] {
                queries.push(ObjectQuery {
                    filter: checked(&filter).unwrap(),
                    sort: Sort::objects(path, order),
                    active_only,
                    restriction: Restriction::None,
                });
            }
        }
    }
    queries
}
