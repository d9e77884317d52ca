//! Bodies that cost more than their size suggests.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;

use crate::raw::{Target, status};

const MEBIBYTE: usize = 1_024 * 1_024;
const SETTINGS: &str = "/rest/users/1/settings";
const AT_ONCE: usize = 8;
/// How many objects of the maximum length there are.
const LONG: usize = 24;
/// How many bodies are begun and never finished.
const SLOW: usize = 200;

/// Short texts that parse to large trees, up to the limits of bytes and of values.
pub(crate) async fn trees(target: Target) {
    let mut sending = JoinSet::new();
    for number in 0..AT_ONCE {
        for (unit, length) in [
            ("[0],", 16 * MEBIBYTE - 200),
            (r#"{"a":0},"#, 16 * MEBIBYTE - 200),
            ("[0],", 190_000),
            (r#"{"a":0},"#, 390_000),
            (r#"{"":[]},"#, 60_000),
        ] {
            let target = target.clone();
            sending.spawn(async move {
                let list = unit.repeat(length / unit.len());
                let body = format!(
                    r#"{{"identifier":"tree-{number}-{length}","setting_type":"GLOBAL","user_id":1,"payload":{{"tree":[{list}0]}}}}"#
                );
                target.send("POST", SETTINGS, body.as_bytes()).await
            });
        }
    }
    for answer in sending.join_all().await.into_iter().flatten() {
        assert!(matches!(answer, 201 | 400 | 413 | 503), "{answer}");
    }
}

/// Many bodies of which only a part arrives.
pub(crate) async fn slow(target: Target) {
    let mut opened = Vec::new();
    for _ in 0..SLOW {
        let more = format!("Content-Length: {}\r\n", 16 * MEBIBYTE - 1);
        let head = target.head("POST", SETTINGS, &more);
        let Ok(mut stream) = target.connect().await else {
            continue;
        };
        let _ = stream.write_all(head.as_bytes()).await;
        let part = vec![b' '; MEBIBYTE];
        let sent = tokio::time::timeout(Duration::from_secs(1), stream.write_all(&part)).await;
        if sent.is_ok() {
            opened.push(stream);
        }
    }
    assert!(!opened.is_empty());
    // Meanwhile others can write.
    let body = br#"{"name": "racks"}"#;
    assert_eq!(
        target.send("POST", "/rest/categories", body).await,
        Some(200)
    );
}

/// Objects of the maximum length, all requested by many clients at once.
pub(crate) async fn long(target: Target) {
    let type_body = r#"{"public_id":900,"name":"long","author_id":1,"fields":[{"name":"a","type":"text","label":"a"},{"name":"b","type":"text","label":"b"},{"name":"c","type":"text","label":"c"}]}"#;
    // In later rounds of a soak it exists already.
    let _ = target
        .send("POST", "/rest/types", type_body.as_bytes())
        .await;
    let text = "x".repeat(MEBIBYTE - 2);
    let object = format!(
        r#"{{"type_id":900,"author_id":1,"fields":[{{"name":"a","value":"{text}"}},{{"name":"b","value":"{text}"}},{{"name":"c","value":"{text}"}}]}}"#
    );
    for _ in 0..LONG {
        let answer = target
            .send("POST", "/rest/objects", object.as_bytes())
            .await;
        assert_eq!(answer, Some(200));
    }
    let mut asking = JoinSet::new();
    for view in ["native", "render"].repeat(AT_ONCE / 4) {
        let target = target.clone();
        let path = format!("/rest/objects?limit=500&view={view}&sort=public_id&order=-1");
        asking.spawn(async move { target.send("GET", &path, b"").await });
    }
    for answer in asking.join_all().await {
        assert_eq!(answer, Some(200));
    }
}

/// Objects and types with an absurd number of fields.
pub(crate) async fn wide(target: Target) {
    let fields = |count: usize, more: &str| -> String {
        let fields: Vec<String> = (0..count)
            .map(|number| format!(r#"{{"name":"f{number}"{more}}}"#))
            .collect();
        fields.join(",")
    };
    let of_type = fields(2_500, r#","type":"text","label":"x""#);
    let of_object = fields(5_000, r#","value":1"#);
    let mut sending = JoinSet::new();
    for number in 0..AT_ONCE {
        let type_body = format!(r#"{{"name":"wide-{number}","author_id":1,"fields":[{of_type}]}}"#);
        let object = format!(r#"{{"type_id":1,"author_id":1,"fields":[{of_object}]}}"#);
        for (path, body) in [("/rest/types", type_body), ("/rest/objects", object)] {
            let target = target.clone();
            sending.spawn(async move { target.send("POST", path, body.as_bytes()).await });
        }
    }
    for answer in sending.join_all().await.into_iter().flatten() {
        assert!(matches!(answer, 200 | 400 | 413 | 503), "{answer}");
    }
    // Chunks without end.
    let head = target.head("POST", SETTINGS, "Transfer-Encoding: chunked\r\n");
    let mut stream = target.connect().await.unwrap();
    let _ = stream.write_all(head.as_bytes()).await;
    let chunk = format!("{MEBIBYTE:x}\r\n{}\r\n", " ".repeat(MEBIBYTE));
    while stream.write_all(chunk.as_bytes()).await.is_ok() {}
    if let Some(answer) = status(&mut stream).await {
        assert!(matches!(answer, 413 | 503), "{answer}");
    }
}
