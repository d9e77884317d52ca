use std::time::{Duration, Instant};

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{Ping, RecvStream, SendStream};
use http::Request;
use stockroom_server::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::service::{Running, SHORT, ask, patient, rest};

const PREFACE: &str = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const MAX_CONCURRENT_STREAMS: u16 = 3;
const MAX_HEADER_LIST_SIZE: u16 = 6;

#[tokio::test]
async fn the_server_states_its_limits() {
    let limits = Limits {
        streams: 7,
        head_bytes: 18_000,
        ..patient()
    };
    let server = Running::start(limits).await;
    let mut stream = server.sent(PREFACE).await;
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.unwrap();
    let mut settings = vec![0; usize::from(head[2])];
    stream.read_exact(&mut settings).await.unwrap();
    let setting = |wanted: u16| {
        settings
            .chunks(6)
            .find(|entry| entry[..2] == wanted.to_be_bytes())
            .map(|entry| u32::from_be_bytes([entry[2], entry[3], entry[4], entry[5]]))
    };
    assert_eq!(setting(MAX_CONCURRENT_STREAMS), Some(7));
    assert_eq!(setting(MAX_HEADER_LIST_SIZE), Some(9_000));
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let server = Running::start(Limits {
        head_timeout: SHORT,
        ..patient()
    })
    .await;
    rest(&mut server.sent(PREFACE).await).await;
}

#[tokio::test]
async fn a_flood_of_frames_that_are_no_requests_ends_the_connection() {
    let ping = b"\0\0\x08\x06\0\0\0\0\0 a ping ";
    let settings = b"\0\0\0\x04\0\0\0\0\0";
    let window_update = b"\0\0\x04\x08\0\0\0\0\0\0\0\0\x01";
    let priority = b"\0\0\x05\x02\0\0\0\0\x01\0\0\0\0\x09";
    let unknown = b"\0\0\0\xbb\0\0\0\0\0";
    let server = Running::start(patient()).await;
    for frame in [&ping[..], settings, window_update, priority, unknown] {
        let (mut reader, mut writer) = server.sent(PREFACE).await.into_split();
        let flood = frame.repeat(50_000);
        let sending = tokio::spawn(async move {
            // Until the server closes the connection.
            while writer.write_all(&flood).await.is_ok() {}
        });
        let _ = reader.read_to_end(&mut Vec::new()).await;
        sending.await.unwrap();
    }
    ask(&mut server.connect().await).await;
}

#[tokio::test]
async fn many_requests_and_large_bodies_are_no_flood() {
    const LARGE: usize = 32 * 1_024 * 1_024;
    let server = Running::start(patient()).await;
    let (mut client, mut connection) = h2::client::handshake(server.connect().await).await.unwrap();
    let mut pings = connection.ping_pong().unwrap();
    let connected = tokio::spawn(connection);
    for _ in 0..1_000 {
        let (answer, _) = send(&mut client, "/", true).await;
        assert_eq!(read(answer, usize::MAX).await, 1);
        pings.ping(Ping::opaque()).await.unwrap();
    }
    let (answer, _) = send(&mut client, "/endless", true).await;
    assert!(read(answer, LARGE).await >= LARGE);
    let (answer, body) = send(&mut client, "/", false).await;
    upload(body, LARGE).await;
    assert_eq!(read(answer, usize::MAX).await, LARGE.to_string().len());
    assert!(!connected.is_finished());
}

#[tokio::test]
async fn a_connection_whose_heads_are_long_rests() {
    let server = Running::start(patient()).await;
    let (client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    tokio::spawn(connection);
    let field = "x".repeat(3_900);
    let begun = Instant::now();
    for _ in 0..40 {
        let mut request = Request::get("http://a/");
        for _ in 0..15 {
            request = request.header("x-long", &field);
        }
        let request = request.body(()).unwrap();
        let mut ready = client.clone().ready().await.unwrap();
        let (answer, _) = ready.send_request(request, true).unwrap();
        assert_eq!(read(answer, usize::MAX).await, 1);
    }
    // They are 1.7 MB beyond 16 KiB each: half a MiB may come at once, and a MiB each second.
    assert!(begun.elapsed() >= Duration::from_secs(1));
    ask(&mut server.connect().await).await;
}

async fn send(
    client: &mut SendRequest<Bytes>,
    path: &str,
    is_end: bool,
) -> (ResponseFuture, SendStream<Bytes>) {
    let request = Request::post(format!("http://a{path}")).body(()).unwrap();
    let mut ready = client.clone().ready().await.unwrap();
    ready.send_request(request, is_end).unwrap()
}

/// Reads an answer until it ends or has so many bytes. Returns how many there were.
async fn read(answer: ResponseFuture, enough: usize) -> usize {
    let mut body: RecvStream = answer.await.unwrap().into_body();
    let mut length = 0;
    while length < enough
        && let Some(part) = body.data().await
    {
        let part = part.unwrap().len();
        body.flow_control().release_capacity(part).unwrap();
        length += part;
    }
    length
}

async fn upload(mut body: SendStream<Bytes>, length: usize) {
    let mut missing = length;
    while missing > 0 {
        body.reserve_capacity(missing);
        let capacity = std::future::poll_fn(|cx| body.poll_capacity(cx)).await;
        let part = capacity.unwrap().unwrap().min(missing);
        missing -= part;
        body.send_data(vec![b'x'; part].into(), missing == 0)
            .unwrap();
    }
}
