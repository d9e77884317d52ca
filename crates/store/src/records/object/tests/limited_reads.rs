//! Reads of several objects end at a number of bytes.

use serde_json::json;
use stockroom_access::Scope;
use stockroom_model::{Object, ObjectId};

use super::inventory::{Field, context, record, runtime};
use super::test_database::{TestDatabase, both};
use crate::records::object::read::Objects;
use crate::{Error, Resource, Store};

const LARGE: usize = 3_000;

both!(
    a_large_object_ends_a_read_where_it_was_asked_for,
    check_large_object
);

/// An engine reads objects by ascending ids, and so the large one first.
fn check_large_object(database: fn() -> TestDatabase) {
    let database = database();
    let store = database.open();
    insert(&store);
    for (asked, limit, read) in [
        (vec![9, 8, 7, 6, 5, 4, 3, 2, 1], LARGE, 8),
        (vec![9, 8, 7, 6, 5, 4, 3, 2, 1], LARGE * 2, 9),
        (vec![1, 2, 3], LARGE, 1),
        (vec![3, 1, 2], LARGE, 1),
        (vec![3, 2, 1], 1, 1),
    ] {
        let ids: Vec<ObjectId> = asked.into_iter().map(id).collect();
        let wanted = ids.clone();
        let objects = runtime().block_on(store.read(move |tx| {
            let found = tx.objects(&Scope::for_maintenance(), &wanted, limit)?;
            Ok::<_, Error>(found)
        }));
        let Objects { rows, unread, .. } = objects.unwrap();
        let found: Vec<ObjectId> = rows.iter().map(|row| row.public_id).collect();
        assert_eq!(found, ids[..read], "{ids:?} within {limit} bytes");
        assert_eq!(unread, ids[read..]);
    }
    store.close();
}

fn insert(store: &Store) {
    let inserted = runtime().block_on(store.write(context(), |tx| {
        let definition = record(0, &[Field::text("a")]);
        let type_id = definition.public_id;
        let revision = tx.claim_id(Resource::Type, type_id.get())?;
        tx.insert_type(revision, definition)?;
        for id in 1..=9 {
            let length = if id == 1 { LARGE } else { 10 };
            tx.insert_old_document(Object::from_document(json!({
                "public_id": id, "type_id": type_id.get(), "author_id": 1, "active": true,
                "views": 0, "version": "1.0.0", "creation_time": null, "last_edit_time": null,
                "fields": [{ "name": "a", "value": "x".repeat(length) }],
            })))?;
        }
        Ok::<_, Error>(())
    }));
    inserted.unwrap();
}

fn id(number: i64) -> ObjectId {
    ObjectId::new(number).unwrap()
}
