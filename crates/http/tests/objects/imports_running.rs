//! How many imports run at once, and whose (`docs/guide/src/imports.md`).

use serde_json::{Value, json};
use stockroom_service::background::Imports;
use stockroom_testkit::{Client, Person, TestServer, apply, both};

use crate::fixture::{OBJECTS, field, make_type};
use crate::imports::{at, read, upload};

async fn importer(server: &TestServer) -> Person {
    server
        .user_with(&[OBJECTS[0], "base.import.object.*"])
        .await
}

/// Uploads a file and starts its import; gives the status of the answer.
async fn start(client: &Client, type_id: i64) -> (Value, u16) {
    let import = upload(client, "hosts.csv", "name\nweb\n").await;
    let body = json!({"type_id": type_id});
    let status = client.post(&at(&import, "/run"), body).await.status;
    (import, status)
}

#[apply(both)]
async fn waiting_files_of_a_user_stop_nobody_else(server: TestServer) {
    let type_id = make_type(&server.admin(), "host", &[field("text", "name")]).await;
    let greedy = importer(&server).await.client;
    let mut started = Vec::new();
    let waiting = loop {
        match start(&greedy, type_id).await {
            (import, 202) => started.push((greedy.clone(), import)),
            (import, status) => {
                assert_eq!(status, 429);
                break import;
            }
        }
    };
    assert_eq!(started.len(), 2, "half of the places");
    for _ in 0..15 {
        let _ = upload(&greedy, "hosts.csv", "name\nweb\n").await;
    }
    for _ in 0..2 {
        let other = importer(&server).await.client;
        let (import, status) = start(&other, type_id).await;
        assert_eq!(status, 202);
        started.push((other, import));
    }
    let (_, status) = start(&importer(&server).await.client, type_id).await;
    assert_eq!(status, 503, "all places are taken");
    server.service().finish(Imports::default()).await.unwrap();
    for (client, import) in &started {
        assert_eq!(read(client, import).await["state"], "done");
    }
    let body = json!({"type_id": type_id});
    let _ = greedy.post(&at(&waiting, "/run"), body).await.expect(202);
}
