use std::future::pending;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use stockroom_fair::Requester;

use crate::records::object::tests::test_database::{TestDatabase, both};
use crate::{Error, ReadContext, ReadTx, Store};

/// A statement without end.
const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 0 FROM n) SELECT COUNT(*) FROM n";

fn of_user(time_limit: Option<Duration>) -> ReadContext<'static> {
    ReadContext {
        requester: Requester::user(1),
        time_limit,
        commit_token: None,
    }
}

/// Tells that it runs, and whether it failed.
fn endless(
    began: Sender<()>,
    ended: Sender<bool>,
) -> impl Fn(&mut ReadTx<'_>) -> Result<(), Error> {
    move |tx| {
        let _ = began.send(());
        let result = tx.first(ENDLESS, &[], |row| row.int(0));
        let _ = ended.send(result.is_err());
        result.map(drop)
    }
}

/// Runs a test on a store with several threads.
fn with_store(database: fn() -> TestDatabase, test: impl AsyncFnOnce(&Store)) {
    let mut database = database();
    if let TestDatabase::Postgres(config) = &mut database {
        config.connections = 4;
    }
    let store = database.open();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(test(&store));
    store.close();
}

both!(a_read_ends_after_its_time, |database| {
    with_store(database, async |store| {
        let ((began, _runs), (ended, ends)) = (channel(), channel());
        let limit = Duration::from_millis(50);
        let context = of_user(Some(limit));
        let read = store.read_for(&context, endless(began, ended));
        assert!(matches!(read.await, Err(Error::TimeLimit(time)) if time == limit));
        // An inline attempt of SQLite may have failed before.
        assert!(
            ends.iter().all(|failed| failed),
            "the statement was stopped"
        );
        store.read(|_| Ok::<_, Error>(())).await.unwrap();
    });
});

both!(a_read_ends_when_nobody_waits, |database| {
    with_store(database, async |store| {
        let ((began, runs), (ended, ends)) = (channel(), channel());
        let context = of_user(None);
        let read = store.read_for(&context, endless(began, ended));
        // Until it runs on a thread of the store.
        let waiting = async {
            let inline_attempts = usize::from(!store.is_remote());
            for _ in 0..=inline_attempts {
                while runs.try_recv().is_err() {
                    tokio::task::yield_now().await;
                }
            }
        };
        tokio::select! {
            result = read => panic!("it has no end: {result:?}"),
            () = waiting => {}
        }
        assert!(
            ends.iter().all(|failed| failed),
            "the statement was stopped"
        );
        store.read(|_| Ok::<_, Error>(())).await.unwrap();
    });
});

both!(long_reads_of_one_leave_a_thread_to_others, |database| {
    with_store(database, async |store| {
        let ((began, _runs), (ended, _ends)) = (channel(), channel());
        let context = of_user(None);
        let mut hogs = Vec::new();
        for _ in 0..40 {
            hogs.push(Box::pin(
                store.read_for(&context, endless(began.clone(), ended.clone())),
            ));
        }
        let hogs = async {
            futures_util::future::join_all(hogs).await;
            pending::<()>().await;
        };
        let other = ReadContext {
            requester: Requester::user(2),
            ..context
        };
        // More than an inline read may do.
        let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT COUNT(*) FROM n";
        let read = store.read_for(&other, move |tx| tx.first(long, &[], |row| row.int(0)));
        tokio::select! {
            biased;
            () = hogs => {}
            count = read => assert_eq!(count.unwrap(), Some(100_000)),
        }
    });
});
