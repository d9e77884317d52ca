use stockroom_server::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::service::{Running, SHORT, patient, rest};

#[tokio::test]
async fn a_head_that_does_not_end_ends_the_connection() {
    let server = Running::start(Limits {
        head_timeout: SHORT,
        ..patient()
    })
    .await;
    let mut stream = server.sent("GET / HTTP/1.1\r\nHost: a\r\n").await;
    assert_eq!(rest(&mut stream).await, "");
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let server = Running::start(Limits {
        idle_timeout: SHORT,
        ..patient()
    })
    .await;
    let mut fresh = server.connect().await;
    assert_eq!(rest(&mut fresh).await, "");
    let mut used = server.sent("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let answer = rest(&mut used).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[tokio::test]
async fn a_body_that_stalls_is_refused() {
    let server = Running::start(Limits {
        stall_timeout: SHORT,
        ..patient()
    })
    .await;
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n0123";
    let answer = rest(&mut server.sent(head).await).await;
    assert!(
        answer.ends_with("the body came too slowly: at least 1024 bytes per second are needed"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_body_that_comes_steadily_for_too_long_is_refused() {
    let server = Running::start(Limits {
        body_timeout: SHORT,
        ..patient()
    })
    .await;
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    let (mut reader, mut writer) = server.sent(head).await.into_split();
    let sending = tokio::spawn(async move {
        // Until the server closes the connection.
        while writer.write_all(b"1\r\nx\r\n").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    let mut answer = vec![0; 4_096];
    let length = reader.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert!(answer.contains("the body took too long"), "{answer}");
    drop(reader);
    sending.await.unwrap();
}

#[tokio::test]
async fn a_client_that_does_not_read_is_dropped() {
    let mut server = Running::start(Limits {
        stall_timeout: SHORT,
        ..patient()
    })
    .await;
    let silent = server
        .sent("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        .await;
    assert_eq!(server.given_up.recv().await, Some(()));
    drop(silent);
}

#[tokio::test]
async fn a_client_that_does_not_read_delays_no_stop() {
    let server = Running::start(Limits {
        drain_timeout: SHORT,
        ..patient()
    })
    .await;
    let mut silent = server
        .sent("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        .await;
    silent.read_exact(&mut [0; 4]).await.unwrap();
    server.stop.drain();
    server.served.await.unwrap();
}

#[tokio::test]
async fn an_abort_does_not_wait() {
    let server = Running::start(patient()).await;
    let mut silent = server
        .sent("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        .await;
    silent.read_exact(&mut [0; 4]).await.unwrap();
    server.stop.drain();
    server.stop.abort();
    server.served.await.unwrap();
}
