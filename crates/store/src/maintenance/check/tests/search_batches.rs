//! Batches of the search index that are made while others write: nothing is lost.

use std::sync::Arc;

use super::filling::{edit, filled, index, read, write};
use crate::maintenance::check::check;
use crate::records::object::tests::test_database::{TestDatabase, both};
use crate::{SearchBatch, Store};

/// A batch whose documents were read, and nothing else.
fn begun(store: &Store) -> SearchBatch {
    let block = read(store, |tx| tx.pending_search_block(None, false));
    block.expect("objects are pending").into_batch()
}

fn complete(store: &Store, mut batch: SearchBatch) -> SearchBatch {
    while let Some(request) = batch.next_grams() {
        let request = Arc::new(request);
        let asked = Arc::clone(&request);
        let stored = read(store, move |tx| tx.stored_search_grams(&asked));
        batch.edit(&request, stored).unwrap();
    }
    batch
}

fn pending(store: &Store) -> i64 {
    read(store, |tx| tx.count_search_pending(1_000))
}

fn check_clean(database: &TestDatabase) {
    let report = check(&database.location()).unwrap();
    assert_eq!(report.problems(), 0, "{report:#?}");
}

both!(
    a_batch_is_refused_if_another_one_came_first,
    check_stale_batch
);

fn check_stale_batch(database: fn() -> TestDatabase) {
    let database = filled(database());
    let store = database.open();
    write(&store, |tx| edit(tx, 8, "eight"));
    let batch = begun(&store);
    write(&store, |tx| edit(tx, 8, "again"));
    index(&store);
    let batch = complete(&store, batch);
    assert!(!write(&store, move |tx| tx.apply_search_batch(&batch)));
    store.close();
    check_clean(&database);
}

both!(
    what_is_written_while_a_batch_is_made_stays_pending,
    check_write_between
);

fn check_write_between(database: fn() -> TestDatabase) {
    let database = filled(database());
    let store = database.open();
    index(&store);
    write(&store, |tx| edit(tx, 8, "eight"));
    let batch = begun(&store);
    write(&store, |tx| edit(tx, 8, "again"));
    let batch = complete(&store, batch);
    assert!(write(&store, move |tx| tx.apply_search_batch(&batch)));
    assert_eq!(pending(&store), 1);
    store.close();
    check_clean(&database);
}

both!(a_batch_takes_few_bytes_of_changes, check_bound);

fn check_bound(database: fn() -> TestDatabase) {
    let database = filled(database());
    let store = database.open();
    index(&store);
    // Thrice as much as a batch of tests takes, in revisions of one object and of others.
    for (round, id) in [8, 8, 10, 11, 11, 12].into_iter().enumerate() {
        let words = (0..30).map(|word| format!("w{round}{id}{word}"));
        let name = words.collect::<Vec<_>>().join(" ");
        write(&store, move |tx| edit(tx, id, &name));
    }
    let before = pending(&store);
    let batch = begun(&store);
    let batch = complete(&store, batch);
    assert!(write(&store, move |tx| tx.apply_search_batch(&batch)));
    assert!((1..before).contains(&pending(&store)), "of {before}");
    index(&store);
    assert_eq!(pending(&store), 0);
    store.close();
    check_clean(&database);
}
