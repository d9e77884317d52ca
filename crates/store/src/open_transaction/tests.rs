use std::cell::Cell;
use std::time::Duration;

use serde_json::json;
use stockroom_model::{Category, CategoryId, Revision, Setting, Timestamp, Type, TypeId, UserId};

use super::{End, OpenLimits, OpenTransaction};
use crate::records::object::tests::test_database::{TestDatabase, both};
use crate::{Error, ReserveUse, Resource, Store, WriteContext, WriteTx};

fn block_on<T>(future: impl Future<Output = T>) -> T {
    // Whoever ran alone for long rests.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().build().unwrap().block_on(future)
}

fn context() -> WriteContext {
    WriteContext {
        actor: 1,
        request_id: "test".to_owned(),
        via: crate::Via::default(),
        restores: false,
        reserve: ReserveUse::None,
        comment: None,
        now: Timestamp(2),
        work_limit: None,
        commit_token: None,
    }
}

fn setting(identifier: &str, payload: i64) -> Setting {
    serde_json::from_value(json!({
        "user_id": 1, "identifier": identifier, "setting_type": "GLOBAL", "payload": {"n": payload},
    }))
    .unwrap()
}

fn insert_category(tx: &mut WriteTx<'_>) -> Result<i64, Error> {
    let id = tx.next_id(Resource::Category)?;
    let category = json!({
        "public_id": id, "name": "racks", "label": "Racks", "meta": {"icon": "", "order": null}, "parent": null, "types": [],
    });
    tx.insert_category(Revision::FIRST, serde_json::from_value(category)?)?;
    Ok(id)
}

fn definition(id: i64) -> Type {
    let render_meta =
        json!({"icon": null, "sections": [], "externals": [], "summary": {"fields": []}});
    serde_json::from_value(json!({
        "public_id": id, "name": "rack", "label": "Rack", "author_id": 1, "editor_id": null,
        "active": true, "version": "1.0.0", "description": null, "creation_time": "",
        "last_edit_time": null, "fields": [], "render_meta": render_meta, "acl": {},
    }))
    .unwrap()
}

fn put_setting(tx: &mut WriteTx<'_>, payload: i64) -> Result<(), Error> {
    let user = UserId::new(1).unwrap();
    match tx.setting(user, "grid")? {
        Some(stored) => tx.update_setting(stored, setting("grid", payload))?,
        None => tx.insert_setting(setting("grid", payload))?,
    };
    Ok(())
}

async fn payload(store: &Store) -> Option<serde_json::Value> {
    let user = UserId::new(1).unwrap();
    let stored = store.read(move |tx| tx.setting(user, "grid")).await;
    let stored: Option<crate::Stored<Setting>> = stored.unwrap();
    stored.map(|stored| serde_json::to_value(&stored.record).unwrap()["payload"]["n"].clone())
}

async fn transact<T, R: Future<Output = (T, End)>>(
    store: &Store,
    request: impl Fn(OpenTransaction) -> R,
) -> Result<T, Error> {
    let limits = OpenLimits::default();
    store.transact(context(), limits, request).await
}

fn with_store(database: fn() -> TestDatabase, test: impl AsyncFnOnce(&Store)) {
    let database = database();
    let store = database.open();
    block_on(test(&store));
    store.close();
}

both!(a_commit_keeps_all_writes_and_a_rollback_none, |database| {
    with_store(database, async |store| {
        for (end, expected) in [(End::RollBack, None), (End::Commit, Some(json!(2)))] {
            let read = transact(store, async |open| {
                open.write(context(), |tx| put_setting(tx, 1))
                    .await
                    .unwrap();
                open.write(context(), |tx| put_setting(tx, 2))
                    .await
                    .unwrap();
                let user = UserId::new(1).unwrap();
                let own = open.read(move |tx| tx.setting(user, "grid")).await;
                (own.unwrap().unwrap().revision, end)
            });
            assert_eq!(read.await.unwrap(), Revision(2), "it reads its own writes");
            assert_eq!(payload(store).await, expected, "{end:?}");
        }
    });
});

both!(ids_of_a_rollback_are_given_again, |database| {
    with_store(database, async |store| {
        for resource in [Resource::Object, Resource::Type] {
            let next = |end| {
                transact(store, move |open: OpenTransaction| async move {
                    let id = open.write(context(), move |tx| tx.next_id(resource)).await;
                    (id.unwrap(), end)
                })
            };
            let first = next(End::RollBack).await.unwrap();
            assert_eq!(next(End::RollBack).await.unwrap(), first);
        }
    });
});

// Where there may be other writers, it begins again when it writes the type.
both!(
    ids_of_an_attempt_that_must_be_alone_are_given_again,
    |database| {
        with_store(database, async |store| {
            let next = |makes_type: bool| {
                transact(store, move |open: OpenTransaction| async move {
                    let id = open.write(context(), |tx| tx.next_id(Resource::Object));
                    let id = id.await.unwrap();
                    if makes_type {
                        let insert = open.write(context(), |tx| {
                            tx.insert_type(Revision::FIRST, definition(7)).map(drop)
                        });
                        insert.await.unwrap();
                    }
                    (id, End::RollBack)
                })
            };
            let first = next(false).await.unwrap();
            assert_eq!(next(true).await.unwrap(), first);
            assert_eq!(next(false).await.unwrap(), first);
        });
    }
);

both!(a_request_that_is_dropped_is_rolled_back, |database| {
    with_store(database, async |store| {
        let (written, is_written) = tokio::sync::oneshot::channel();
        let written = Cell::new(Some(written));
        let request = transact(store, async |open| {
            open.write(context(), |tx| put_setting(tx, 1))
                .await
                .unwrap();
            written.take().unwrap().send(()).unwrap();
            std::future::pending::<((), End)>().await
        });
        tokio::select! {
            _ = request => panic!("it waits forever"),
            _ = is_written => {}
        }
        // The writer is free again.
        let next = store.write(context(), insert_category).await;
        assert_eq!(next.unwrap(), 1);
        assert_eq!(payload(store).await, None);
    });
});

both!(
    a_write_that_must_be_alone_starts_the_request_again,
    |database| {
        with_store(database, async |store| {
            let attempts = Cell::new(0);
            let done = transact(store, async |open| {
                attempts.set(attempts.get() + 1);
                open.write(context(), |tx| put_setting(tx, 1))
                    .await
                    .unwrap();
                let id = open.write(context(), insert_category).await;
                (id.unwrap(), End::Commit)
            });
            assert_eq!(done.await.unwrap(), 1);
            assert_eq!(attempts.get(), if store.is_remote() { 2 } else { 1 });
            assert_eq!(payload(store).await, Some(json!(1)));
        });
    }
);

both!(
    others_write_while_one_waits_to_be_alone,
    |database: fn() -> TestDatabase| {
        let database = database();
        if matches!(database, TestDatabase::Sqlite(_)) {
            return; // Every write runs alone.
        }
        // Each has a thread for writes that the others do not wait for.
        let [store, second, third] = [(); 3].map(|()| database.open());
        block_on(async {
            let waiting = Cell::new(None);
            let open = transact(&store, async |open| {
                open.write(context(), |tx| put_setting(tx, 1))
                    .await
                    .unwrap();
                let mut alone = Box::pin(second.write(context(), insert_category));
                let others = async {
                    // It waits from one of these on.
                    for number in 0..100 {
                        let insert = move |tx: &mut WriteTx<'_>| {
                            tx.insert_setting(setting(&format!("other {number}"), 2))
                                .map(drop)
                        };
                        third.write(context(), insert).await.unwrap();
                    }
                };
                tokio::select! {
                    done = &mut alone => panic!("another write is open: {done:?}"),
                    () = others => {}
                }
                waiting.set(Some(alone));
                ((), End::Commit)
            });
            open.await.unwrap();
            let alone = waiting.take().unwrap();
            assert_eq!(alone.await.unwrap(), 1);
            assert_eq!(payload(&store).await, Some(json!(1)));
        });
        for store in [store, second, third] {
            store.close();
        }
    }
);

both!(
    a_conflict_starts_the_request_again,
    |database: fn() -> TestDatabase| {
        let database = database();
        if matches!(database, TestDatabase::Sqlite(_)) {
            return; // It has a single writer, so nothing conflicts.
        }
        let (store, other) = (database.open(), database.open());
        block_on(async {
            store
                .write(context(), |tx| put_setting(tx, 1))
                .await
                .unwrap();
            let attempts = Cell::new(0);
            let seen = transact(&store, async |open| {
                attempts.set(attempts.get() + 1);
                let user = UserId::new(1).unwrap();
                let stored = open.read(move |tx| tx.setting(user, "grid")).await.unwrap();
                if attempts.get() == 1 {
                    other
                        .write(context(), |tx| put_setting(tx, 2))
                        .await
                        .unwrap();
                }
                let written = open.write(context(), |tx| put_setting(tx, 3)).await;
                (written.map(|()| stored.unwrap().revision), End::Commit)
            });
            assert_eq!(
                seen.await.unwrap().unwrap(),
                Revision(2),
                "that of the other store"
            );
            assert_eq!(attempts.get(), 2);
            assert_eq!(payload(&store).await, Some(json!(3)));
        });
        other.close();
        store.close();
    }
);

both!(later_jobs_see_the_catalog_of_earlier_ones, |database| {
    with_store(database, async |store| {
        for end in [End::RollBack, End::Commit] {
            let known = transact(store, async |open| {
                let id = open.write(context(), |tx| {
                    let id = tx.next_id(Resource::Type)?;
                    tx.insert_type(Revision::FIRST, definition(id))?;
                    Ok::<_, Error>(TypeId::new(id).unwrap())
                });
                let id = id.await.unwrap();
                let catalog = open.catalog().unwrap();
                let by_read =
                    open.read(move |tx| Ok::<_, Error>(tx.catalog().type_entry(id).is_some()));
                let known = (catalog.type_entry(id).is_some(), by_read.await.unwrap());
                (known, end)
            });
            assert_eq!(known.await.unwrap(), (true, true));
            let is_kept = store.catalog().types().next().is_some();
            assert_eq!(is_kept, end == End::Commit);
        }
    });
});

both!(a_transaction_without_jobs_ends, |database| {
    with_store(database, async |store| {
        let limits = OpenLimits {
            idle: Duration::ZERO,
            ..OpenLimits::default()
        };
        let request = async |open: OpenTransaction| {
            let _ = open.write(context(), |tx| put_setting(tx, 1)).await;
            std::future::pending::<((), End)>().await
        };
        let ended = store.transact(context(), limits, request).await;
        assert!(matches!(ended, Err(Error::OpenTooLong)), "{ended:?}");
        assert_eq!(payload(store).await, None);
    });
});

both!(a_transaction_works_as_long_as_its_limit, |database| {
    with_store(database, async |store| {
        let limited = |limit: Duration| WriteContext {
            work_limit: Some(limit),
            ..context()
        };
        let written = store.write(limited(Duration::ZERO), |tx| put_setting(tx, 1));
        let refused = written.await;
        assert!(matches!(refused, Err(Error::WorkLimit(_))), "{refused:?}");
        let request = async |open: OpenTransaction| {
            let written = open.write(context(), |tx| put_setting(tx, 2)).await;
            (written, End::RollBack)
        };
        let limits = OpenLimits::default();
        let refused = store.transact(limited(Duration::ZERO), limits, request);
        let refused = refused.await.unwrap();
        assert!(matches!(refused, Err(Error::WorkLimit(_))), "{refused:?}");
        assert_eq!(payload(store).await, None);
        let written = store.write(limited(Duration::from_secs(600)), |tx| put_setting(tx, 3));
        written.await.unwrap();
        assert_eq!(payload(store).await, Some(json!(3)));
    });
});

both!(a_failed_write_cannot_be_committed, |database| {
    with_store(database, async |store| {
        let done = transact(store, async |open| {
            let failed = open.write(context(), |tx| {
                put_setting(tx, 1)?;
                Err::<(), _>(Error::TooExpensive)
            });
            assert!(failed.await.is_err());
            ((), End::Commit)
        });
        assert!(matches!(done.await, Err(Error::Undone(_))));
        assert_eq!(payload(store).await, None);
    });
});

both!(
    work_outside_is_kept_and_the_request_begins_again,
    |database| {
        with_store(database, async |store| {
            let attempts = Cell::new(0);
            let done = transact(store, async |open| {
                attempts.set(attempts.get() + 1);
                open.write(context(), insert_category).await.unwrap();
                if attempts.get() == 1 {
                    open.outside(async {}).await;
                }
                ((), End::RollBack)
            });
            done.await.unwrap();
            assert_eq!(attempts.get(), 2);
            let id = CategoryId::new(1).unwrap();
            let kept = store.read(move |tx| tx.category(id)).await;
            let kept: Option<crate::Stored<Category>> = kept.unwrap();
            assert!(kept.is_none());
        });
    }
);
