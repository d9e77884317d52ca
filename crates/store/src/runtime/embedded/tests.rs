use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::json;
use stockroom_model::{Setting, Timestamp, UserId};
use tempfile::tempdir;

use crate::engine::disk::{MIN_LOG, ReserveUse};
use crate::{Error, ReadTx, Store, WriteContext, WriteTx};

const LONG: Duration = Duration::from_secs(600);

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

fn setting(number: usize) -> Setting {
    serde_json::from_value(json!({
        "user_id": 1, "identifier": "grid", "setting_type": "GLOBAL",
        "payload": {"number": number, "text": "x".repeat(100_000)},
    }))
    .unwrap()
}

fn put(tx: &mut WriteTx<'_>, number: usize) -> Result<(), Error> {
    let user = UserId::new(1).unwrap();
    match tx.setting(user, "grid")? {
        Some(stored) => tx.update_setting(stored, setting(number)).map(drop),
        None => tx.insert_setting(setting(number)).map(drop),
    }
}

#[tokio::test]
async fn a_long_read_ends_that_lets_the_log_grow() {
    let directory = tempdir().unwrap();
    let store = Store::open(directory.path(), Timestamp(1)).unwrap();
    store.limit_log(MIN_LOG);
    let (begin, started) = channel();
    let (end, ended) = channel();
    store
        .read_long(LONG, move |tx: Result<&mut ReadTx<'_>, Error>| {
            let tx = tx.unwrap();
            let user = UserId::new(1).unwrap();
            tx.setting(user, "grid").unwrap();
            begin.send(()).unwrap();
            while tx.setting(user, "grid").is_ok() {}
            end.send(()).unwrap();
        })
        .unwrap();
    started.recv().unwrap();
    let log = directory.path().join("stockroom.db-wal");
    let mut longest = 0;
    let mut numbers = 0..;
    while ended.try_recv().is_err() {
        let number = numbers.next().unwrap();
        let write = store.write(context(), move |tx| put(tx, number));
        write.await.unwrap();
        longest = fs::metadata(&log).unwrap().len().max(longest);
    }
    assert!(longest > 3 * MIN_LOG, "{longest}");
    assert!(longest < 8 * MIN_LOG, "{longest}");
    store.close();
}
