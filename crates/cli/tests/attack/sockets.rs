//! Connections that are opened and held.

use tokio::io::AsyncWriteExt as _;

use crate::raw::{Target, status};

const HEADS: usize = 400;
const READERS: usize = 60;
/// More than the limit per address.
const CONNECTIONS: usize = 700;

/// Heads of the maximum length that never end.
pub(crate) async fn slow_heads(target: Target) {
    let mut opened = Vec::new();
    let padding = "x".repeat(100_000);
    for _ in 0..HEADS {
        let Ok(mut stream) = target.connect().await else {
            continue;
        };
        let head = format!("GET /rest/objects HTTP/1.1\r\nHost: a\r\nX: {padding}");
        let _ = stream.write_all(head.as_bytes()).await;
        opened.push(stream);
    }
}

/// Clients that request everything and read nothing.
pub(crate) async fn silent_readers(target: Target) {
    let mut opened = Vec::new();
    let head = target.head("GET", "/rest/objects?view=render&limit=0", "");
    for _ in 0..READERS {
        let Ok(mut stream) = target.connect().await else {
            continue;
        };
        let _ = stream.write_all(head.as_bytes()).await;
        opened.push(stream);
    }
    // Meanwhile the attacker itself is answered, too.
    assert_eq!(
        target.send("GET", "/rest/objects?limit=1", b"").await,
        Some(200)
    );
}

/// Silent connections, until the server refuses more.
pub(crate) async fn many(target: Target) {
    let mut opened = Vec::new();
    for _ in 0..CONNECTIONS {
        if let Ok(stream) = target.connect().await {
            opened.push(stream);
        }
    }
    let mut last = opened.pop().unwrap();
    assert_eq!(status(&mut last).await, Some(503));
}
