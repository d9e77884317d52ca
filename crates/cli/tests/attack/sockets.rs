//! Connections that are opened and held.

use std::net::{IpAddr, Ipv4Addr};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncWriteExt as _;

use crate::raw::{Target, status};

const HEADS: usize = 400;
const READERS: usize = 60;
/// More than the limit per address.
const CONNECTIONS: usize = 700;
/// As many connections of as many addresses as the server allows, by default.
const ADDRESSES: u8 = 4;
const CONNECTIONS_PER_ADDRESS: usize = 512;

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

/// Silent connections of a few addresses, until there are no others. A new address is served.
pub(crate) async fn all(target: Target) {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, most).unwrap();
    let address = |last| IpAddr::V4(Ipv4Addr::new(127, 0, 1, last));
    let mut opened = Vec::new();
    for last in 1..=ADDRESSES {
        for _ in 0..CONNECTIONS_PER_ADDRESS {
            opened.push(target.connect_from(address(last)).await.unwrap());
        }
    }
    let mut stream = target.connect_from(address(ADDRESSES + 1)).await.unwrap();
    let head = target.head("GET", "/healthz", "Connection: close\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(status(&mut stream).await, Some(200));
}
