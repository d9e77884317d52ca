//! Jumps into lists find what a walk from the start finds, after every commit.

use proptest::prelude::prop_assert_eq;
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError, TestRunner};
use serde_json::json;
use stockroom_access::Scope;
use stockroom_filter::{Order, Sort};
use stockroom_model::{Object, ObjectId, TypeId};

use super::config;
use super::expected::checked;
use super::histories::{Outcome, Write, first_types, history, write_together};
use super::inventory::{context, record, runtime};
use super::test_database::{TestDatabase, both};
use crate::records::object::list::cache::DataState;
use crate::transaction::ReadTx;
use crate::{
    Error, IndexBatch, ObjectInsert, ObjectQuery, PreparedObject, Resource, Restriction, Start,
    Store, Want, Window, WriteWork,
};

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
    for index in 0..2 {
        insert_type(&store, index);
        for id in 1..5 {
            insert_object(&store, index, id);
            jump_everywhere(&store).unwrap();
        }
    }
    store.close();
}

both!(
    jumps_reach_objects_that_are_indexed_later,
    check_later_index
);

fn check_later_index(database: fn() -> TestDatabase) {
    let database = database();
    let store = database.open();
    insert_type(&store, 0);
    for number in 1..5 {
        insert_object(&store, 0, number);
        jump_everywhere(&store).unwrap();
    }
    for number in 5..9 {
        write(&store, move |tx| {
            let object = object(0, number);
            let id = object.public_id().unwrap().get();
            let revision = tx.claim_id(Resource::Object, id)?;
            tx.insert_object(ObjectInsert {
                id: ObjectId::new(id).unwrap(),
                revision,
                views: Some(0),
                secrets: None,
                object: PreparedObject::without_type(&object.into())?,
            })
        });
    }
    jump_everywhere(&store).unwrap();
    let batch = store.read(|tx| tx.index_batch(type_id(0), None));
    let batch: Result<IndexBatch, Error> = runtime().block_on(batch);
    let batch = batch.unwrap();
    write(&store, move |tx| tx.write_index_batch(&batch));
    jump_everywhere(&store).unwrap();
    store.close();
}

/// Otherwise each write would make all cached pages useless.
#[test]
fn a_state_changes_with_writes_of_its_types_only_on_postgres() {
    let database = TestDatabase::postgres();
    let store = database.open();
    insert_type(&store, 0);
    insert_type(&store, 1);
    insert_object(&store, 0, 1);
    let before = state(&store, 0);
    insert_object(&store, 1, 1);
    write(&store, |tx| tx.add_views(ObjectId::new(1).unwrap(), 1));
    assert_eq!(state(&store, 0), before);
    write_together(&store, &vec![(Write::Turn(1), Outcome::Kept)]);
    let turned = state(&store, 0);
    assert_ne!(turned, before);
    insert_type(&store, 2);
    assert_ne!(state(&store, 0), turned);
    store.close();
}

fn state(store: &Store, index: usize) -> DataState {
    let id = type_id(index);
    let state = runtime().block_on(store.read(move |tx| tx.data_state(&[id])));
    let state: Result<_, Error> = state;
    state.unwrap().unwrap()
}

fn type_id(index: usize) -> TypeId {
    record(index, &[]).public_id
}

fn insert_type(store: &Store, index: usize) {
    write(store, move |tx| {
        let definition = record(index, &[]);
        let revision = tx.claim_id(Resource::Type, definition.public_id.get())?;
        tx.insert_type(revision, definition)
    });
}

fn insert_object(store: &Store, index: usize, number: usize) {
    write(store, move |tx| {
        tx.insert_old_document(object(index, number))
    });
}

/// Objects of later types have smaller authors.
fn object(index: usize, number: usize) -> Object {
    let id = 10 * index + number;
    Object::from_document(json!({
        "public_id": id, "type_id": type_id(index).get(), "author_id": 100 - id, "active": true,
        "views": 0, "version": "1.0.0", "creation_time": null, "last_edit_time": null,
        "fields": [],
    }))
}

fn write<T: Send + 'static>(store: &Store, work: impl WriteWork<T, Error> + Send + 'static) {
    let written = runtime().block_on(store.write(context(), work));
    assert!(written.is_ok(), "{:?}", written.err());
}

/// Asks for every object of every list by its offset, the last one first.
fn jump_everywhere(store: &Store) -> TestCaseResult {
    for query in queries() {
        let asked = query.clone();
        let found = runtime().block_on(store.read(move |tx| {
            let walked = page(tx, &asked, 0, usize::MAX)?;
            let jumps = (0..walked.len() + 4).rev();
            let jumped: Result<Vec<_>, Error> = jumps
                .map(|offset| Ok((offset, page(tx, &asked, offset, 1)?)))
                .collect();
            Ok((walked, jumped?))
        }));
        let found: Result<_, Error> = found;
        let (walked, jumped) = found.map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (offset, page) in jumped {
            let expected: Vec<_> = walked.get(offset).copied().into_iter().collect();
            prop_assert_eq!(&page, &expected, "{:?} {}", query, offset);
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
    let scope = Scope::for_maintenance();
    let page = tx.list(&scope, query, &window, Want::Ids { total: true })?;
    let uncounted = tx.list(&scope, query, &window, Want::Ids { total: false })?;
    assert_eq!(uncounted.unread, page.unread, "{query:?} {offset}");
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
