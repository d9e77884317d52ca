//! A store with records of every kind, which was edited.

use serde_json::{Value, json};
use stockroom_access::Scope;
use stockroom_model::{
    ApiToken, Category, Group, Object, ObjectId, Setting, Source, Timestamp, Type, User, View,
};

use crate::records::object::tests::test_database::TestDatabase;
use crate::{
    Action, Credentials, Error, NewObject, ObjectInsert, ObjectRow, PreparedObject, ReadTx,
    ReserveUse, Resource, SourceLink, Store, Via, Visibility, WriteContext, WriteTx,
};

/// More than fit one chunk.
pub(super) const OBJECTS: i64 = 30;

fn context() -> WriteContext {
    WriteContext {
        actor: 1,
        request_id: "test".to_owned(),
        via: Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now: Timestamp(2),
        work_limit: None,
        commit_token: None,
    }
}

/// A store with records of every kind, which was edited.
pub(super) fn filled(database: TestDatabase) -> TestDatabase {
    let store = database.open();
    write(&store, insert_records);
    write(&store, insert_objects);
    index(&store);
    write(&store, edit_objects);
    store.close();
    database
}

/// Writes what the search finds the objects by.
pub(super) fn index(store: &Store) {
    while let Some(batch) = read(store, |tx| tx.search_batch(None)) {
        assert!(write(store, move |tx| tx.apply_search_batch(&batch)));
    }
}

pub(super) fn read<T: Send + 'static>(
    store: &Store,
    work: impl Fn(&mut ReadTx<'_>) -> Result<T, Error> + Send + 'static,
) -> T {
    runtime().block_on(store.read(work)).unwrap()
}

pub(super) fn write<T: Send + 'static>(
    store: &Store,
    work: impl Fn(&mut WriteTx<'_>) -> Result<T, Error> + Send + 'static,
) -> T {
    runtime().block_on(store.write(context(), work)).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.build().unwrap()
}

fn insert_records(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    let group = json!({"public_id": 1, "name": "Desk", "label": "", "rights": []});
    let revision = tx.claim_id(Resource::Group, 1)?;
    tx.insert_group(revision, serde_json::from_value::<Group>(group)?)?;
    let user = json!({
        "public_id": 1, "user_name": "Ann", "active": true, "group_id": 1,
        "registration_time": "", "authenticator": "", "email": null, "image": null,
        "first_name": null, "last_name": null
    });
    let credentials = Credentials {
        password_hash: "x".to_owned(),
        token_generation: 1,
    };
    let revision = tx.claim_id(Resource::User, 1)?;
    tx.insert_user(revision, serde_json::from_value::<User>(user)?, credentials)?;
    let setting =
        json!({"user_id": 1, "identifier": "view", "payload": {}, "setting_type": "APPLICATION"});
    tx.insert_setting(serde_json::from_value::<Setting>(setting)?)?;
    for (id, parent) in [(1, None), (2, Some(1))] {
        let category = json!({
            "public_id": id, "name": "a", "label": "A", "meta": {"icon": "", "order": null},
            "parent": parent, "types": []
        });
        let revision = tx.claim_id(Resource::Category, id)?;
        tx.insert_category(revision, serde_json::from_value::<Category>(category)?)?;
    }
    for id in 1..=2 {
        let revision = tx.claim_id(Resource::Type, id)?;
        tx.insert_type(revision, definition(id))?;
    }
    let view = json!({
        "public_id": 1, "name": "Mine", "description": null, "type_id": 1, "visibility": "private", "owner_id": 1,
        "group_id": null, "is_default": true, "definition": {}, "creation_time": "", "last_edit_time": null
    });
    let revision = tx.claim_id(Resource::View, 1)?;
    tx.insert_view(revision, serde_json::from_value::<View>(view)?)?;
    let source = json!({
        "public_id": 1, "name": "vcenter", "type_id": 1, "columns": {"Name": "name"}, "external_key": ["uuid"],
        "key": [], "policy": "stop", "missing": "flag", "missing_limit": 20, "creation_time": "", "last_edit_time": null
    });
    let revision = tx.claim_id(Resource::Source, 1)?;
    let source = serde_json::from_value::<Source>(source)?;
    let id = source.public_id;
    tx.insert_source(revision, source)?;
    let link = SourceLink {
        object: ObjectId::new(1).unwrap(),
        key: r#"["vm-1"]"#.to_owned(),
        import: 1,
        last_seen_at: Timestamp(5),
        missing_since: None,
        is_deactivated: false,
    };
    tx.replace_source_links(id, &[], &[link])?;
    let token = json!({
        "public_id": tx.next_id(Resource::Token)?, "user_id": 1, "name": "Backup", "prefix": "stk_a", "rights": null,
        "types": null, "read_only": true, "networks": null, "created_at": "", "expires_at": null
    });
    tx.insert_token(serde_json::from_value::<ApiToken>(token)?, "digest")?;
    Ok(())
}

fn definition(id: i64) -> Type {
    let field = |kind: &str, name: &str| json!({"type": kind, "name": name, "label": name});
    let definition = json!({
        "public_id": id, "name": format!("type-{id}"), "label": "", "author_id": 1,
        "editor_id": null, "active": true, "version": "", "description": null,
        "creation_time": "", "last_edit_time": null,
        "fields": [
            field("text", "name"), field("ref", "parent"),
            {"type": "text", "name": "serial", "label": "serial", "unique": true}
        ],
        "render_meta": {"icon": "", "sections": [], "externals": [], "summary": {"fields": []}},
        "acl": null
    });
    serde_json::from_value(definition).unwrap()
}

fn document(id: i64, name: Value) -> NewObject {
    let field = |name: &str, value: Value| json!({"name": name, "value": value});
    let parent = if id == 9 { json!(999) } else { json!(1) };
    NewObject {
        object: Object::from_document(json!({
            "public_id": id, "type_id": 1 + id % 2, "active": id % 3 != 0, "author_id": 1,
            "creation_time": {"$date": 5}, "last_edit_time": null,
            "fields": [
                field("name", name), field("parent", parent), field("serial", json!(format!("S{id}")))
            ]
        })),
        secrets: None,
    }
}

/// Object 4 is irregular, and object 9 names one that does not exist.
fn insert_objects(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    for id in 1..=OBJECTS {
        let revision = tx.claim_id(Resource::Object, id)?;
        let name = if id == 4 {
            json!(["a", "b"])
        } else {
            json!(format!("name {id}"))
        };
        let NewObject { object, secrets } = document(id, name);
        let entry = tx.type_entry(object.type_id().unwrap())?.unwrap();
        tx.insert_object(ObjectInsert {
            id: ObjectId::new(id).unwrap(),
            revision,
            views: Some(0),
            secrets,
            object: PreparedObject::new(&object.into(), &entry)?,
        })?;
    }
    Ok(())
}

/// Object 6 is edited, object 7 is deleted.
fn edit_objects(tx: &mut WriteTx<'_>) -> Result<(), Error> {
    for id in [6, 7] {
        if id == 7 {
            let stored = object(tx, id)?;
            tx.delete_objects(&[stored])?;
        } else {
            edit(tx, id, "another")?;
        }
    }
    Ok(())
}

/// Changes the name of an object.
pub(super) fn edit(tx: &mut WriteTx<'_>, id: i64, name: &str) -> Result<(), Error> {
    let stored = object(tx, id)?;
    tx.update_object(&stored, &document(id, json!(name)), Action::Update)?;
    Ok(())
}

fn object(tx: &mut WriteTx<'_>, id: i64) -> Result<ObjectRow, Error> {
    let found = tx.object(&Scope::for_maintenance(), ObjectId::new(id).unwrap())?;
    let Visibility::Visible(stored) = found else {
        panic!("object {id} is missing");
    };
    Ok(stored)
}
