//! A write finds the objects of its own commit by their values.

use serde_json::json;
use stockroom_access::Scope;
use stockroom_filter::{Order, Sort};
use stockroom_model::json::Value;
use stockroom_model::{Object, ObjectId, TypeId};

use super::expected::checked;
use super::inventory::{Field, context, record, runtime};
use super::test_database::{TestDatabase, both};
use crate::transaction::Action;
use crate::{
    Error, NewObject, ObjectQuery, Resource, Restriction, Start, Visibility, Want, Window, WriteTx,
};

both!(
    a_write_finds_objects_of_its_commit_by_their_values,
    check_own_writes
);

fn check_own_writes(database: fn() -> TestDatabase) {
    let database = database();
    let store = database.open();
    let made = runtime().block_on(store.write(context(), |tx| {
        let definition = record(0, &[Field::text("a")]);
        let revision = tx.claim_id(Resource::Type, definition.public_id.get())?;
        tx.insert_type(revision, definition).map(drop)
    }));
    let made: Result<(), Error> = made;
    made.unwrap();
    let found = runtime().block_on(store.write(context(), |tx| {
        let mut found = Vec::new();
        for (id, value) in [(1, "x"), (2, "y"), (3, "x")] {
            tx.insert_old_document(object(id, value))?;
            found.push(ids_with(tx, "x")?);
        }
        let stored = stored(tx, 1)?;
        let new = NewObject {
            object: object(1, "y"),
            secrets: None,
        };
        tx.update_object(&stored, &new, Action::Update)?;
        found.push(ids_with(tx, "x")?);
        found.push(ids_with(tx, "y")?);
        let stored = self::stored(tx, 2)?;
        tx.delete_objects(&[stored])?;
        found.push(ids_with(tx, "y")?);
        Ok(found)
    }));
    let found: Result<Vec<Vec<i64>>, Error> = found;
    let expected: [&[i64]; 6] = [&[1], &[1], &[1, 3], &[3], &[1, 2], &[1]];
    assert_eq!(found.unwrap(), expected);
    store.close();
}

fn type_id() -> TypeId {
    record(0, &[]).public_id
}

fn object(id: i64, value: &str) -> Object {
    Object::from_document(json!({
        "public_id": id, "type_id": type_id().get(), "author_id": 1, "active": true, "views": 0,
        "version": "1.0.0", "creation_time": null, "last_edit_time": null,
        "fields": [{ "name": "a", "value": value }],
    }))
}

fn stored(tx: &mut WriteTx<'_>, id: i64) -> Result<crate::ObjectRow, Error> {
    let id = ObjectId::new(id).unwrap();
    match tx.object(&Scope::for_maintenance(), id)? {
        Visibility::Visible(row) => Ok(row),
        _ => panic!("object {id} is missing"),
    }
}

fn ids_with(tx: &mut WriteTx<'_>, value: &str) -> Result<Vec<i64>, Error> {
    tx.show_writes_with(type_id(), "a", std::iter::once(&Value::from(value)))?;
    let filter = json!({ "type_id": type_id().get(), "fields.a": value });
    let query = ObjectQuery {
        filter: checked(&filter).unwrap(),
        sort: Sort::objects("public_id", Order::Ascending),
        active_only: false,
        restriction: Restriction::None,
    };
    let window = Window {
        start: Start::Offset(0),
        limit: 10,
    };
    let scope = Scope::for_maintenance();
    let page = tx.list(&scope, &query, &window, Want::Ids { total: false })?;
    Ok(page.unread.iter().map(|id| id.get()).collect())
}
