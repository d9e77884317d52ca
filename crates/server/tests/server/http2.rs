use stockroom_server::Limits;
use tokio::io::AsyncReadExt as _;

use crate::service::{Running, SHORT, patient, rest};

const PREFACE: &str = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const MAX_CONCURRENT_STREAMS: u16 = 3;
const MAX_HEADER_LIST_SIZE: u16 = 6;

#[tokio::test]
async fn the_server_states_its_limits() {
    let limits = Limits {
        streams: 7,
        head_bytes: 9_000,
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
