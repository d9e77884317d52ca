//! Compresses answers, negotiated by `Accept-Encoding`, while they are sent, slice by slice. So
//! neither a long list nor its compressed form is ever in memory as a whole.
//!
//! Answers that may contain a secret are never compressed: if a secret and text of the caller are
//! compressed together, the length reveals the secret, guess by guess (BREACH). Such answers are
//! recognized by `Cache-Control: no-store`.
//!
//! The entity tag of a compressed answer names its coding, as in `"3-gzip"` (RFC 9110, 8.8.3.3).
//! Conditions take a tag with and without it, as both name the same revision.

mod fixed;
mod negotiation;

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::{BrotliEncoder, GzipEncoder, ZstdEncoder};
use async_compression::{Level, brotli, zstd};
use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures_util::{Stream, StreamExt as _, stream};
use stockroom_fair::{FairSlot, FairSlots, Requester};
use tokio::io::AsyncRead;
use tokio_util::io::{ReaderStream, StreamReader};

pub(crate) use fixed::FixedText;
pub(crate) use negotiation::{AcceptEncoding, Coding, without_coding};

/// Shorter answers fit into one packet anyway.
const MIN_BYTES: u64 = 1_024;
/// Bytes to compress before yielding the thread: well under a millisecond.
const SLICE: usize = 64 * 1_024;
/// Buffer size for the output of a slice.
const OUTPUT: usize = 16 * 1_024;
/// A power of two: 256 KiB of history, and about a megabyte in all, for each answer being sent.
const WINDOW: u8 = 18;
/// At most this many answers are compressed at the same time, half of them of one user; others are
/// sent as they are. It takes far more of the processor than sending does.
const MAX_CONCURRENT: usize = 8;

/// Compresses answers, a limited number at a time.
#[derive(Clone)]
pub(crate) struct Compression(FairSlots);

impl Default for Compression {
    fn default() -> Self {
        Self(FairSlots::new(MAX_CONCURRENT, 0))
    }
}

impl Compression {
    /// Compresses the answer in a coding that the client accepts, if that is useful and safe.
    pub(crate) fn apply(
        &self,
        accepted: &AcceptEncoding,
        requester: Requester,
        mut answer: Response,
    ) -> Response {
        if !is_worth_it(&answer) || !is_safe(answer.headers()) {
            return answer;
        }
        let vary = HeaderValue::from_static("accept-encoding");
        answer.headers_mut().append(header::VARY, vary);
        let Some(coding) = accepted.best() else {
            return answer;
        };
        let Ok(slot) = self.0.try_acquire(requester) else {
            return answer;
        };
        let headers = answer.headers_mut();
        headers.remove(header::CONTENT_LENGTH);
        let name = HeaderValue::from_static(coding.name());
        headers.insert(header::CONTENT_ENCODING, name);
        if let Some(tag) = headers.get(header::ETAG).and_then(|tag| coding.tag(tag)) {
            headers.insert(header::ETAG, tag);
        }
        answer.map(|body| Body::from_stream(compressed(coding, body, Some(slot))))
    }
}

fn is_worth_it(answer: &Response) -> bool {
    let length = answer.body().size_hint().exact();
    // Answers to HEAD have a length in the headers, but no body.
    length
        .filter(|length| *length > 0)
        .or_else(|| content_length(answer.headers()))
        .is_none_or(|length| length >= MIN_BYTES)
        && !answer.headers().contains_key(header::CONTENT_ENCODING)
        && is_text(answer.headers())
}

/// The `Content-Length`.
fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// Images and fonts are compressed already.
fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("text/") || kind.contains("json") || kind.contains("javascript")
}

fn is_safe(headers: &HeaderMap) -> bool {
    let rules = headers.get_all(header::CACHE_CONTROL).iter();
    let mut rules = rules.filter_map(|rule| rule.to_str().ok());
    !rules.any(|rule| rule.contains("no-store"))
}

fn compressed(
    coding: Coding,
    body: Body,
    slot: Option<FairSlot>,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let reader = StreamReader::new(Box::pin(slices(body, slot)));
    let encoder: Pin<Box<dyn AsyncRead + Send>> = match coding {
        Coding::Gzip => Box::pin(GzipEncoder::with_quality(reader, Level::Precise(2))),
        Coding::Brotli => {
            let params = brotli::EncoderParams::default()
                .quality(Level::Precise(3))
                .window_size(i32::from(WINDOW))
                .text_mode();
            Box::pin(BrotliEncoder::with_params(reader, params))
        }
        Coding::Zstd => {
            let window = zstd::CParameter::window_log(u32::from(WINDOW));
            Box::pin(ZstdEncoder::with_quality_and_params(
                reader,
                Level::Precise(2),
                &[window],
            ))
        }
    };
    ReaderStream::with_capacity(encoder, OUTPUT)
}

/// The body in small slices, yielding the thread between them. Keeps its place until the end.
fn slices(body: Body, slot: Option<FairSlot>) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let slicing = Slicing {
        frames: body.into_data_stream(),
        rest: Bytes::new(),
        has_begun: false,
        _slot: slot,
    };
    stream::unfold(slicing, |mut slicing| async move {
        let slice = slicing.next().await?;
        Some((slice, slicing))
    })
}

struct Slicing {
    frames: BodyDataStream,
    /// Of a frame.
    rest: Bytes,
    has_begun: bool,
    _slot: Option<FairSlot>,
}

impl Slicing {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        if self.has_begun {
            tokio::task::yield_now().await;
        }
        self.has_begun = true;
        if self.rest.is_empty() {
            match self.frames.next().await? {
                Ok(frame) => self.rest = frame,
                Err(error) => return Some(Err(io::Error::other(error))),
            }
        }
        let slice = self.rest.split_to(self.rest.len().min(SLICE));
        if self.rest.is_empty() {
            self.rest = Bytes::new();
        }
        // A copy: the encoder keeps a slice until it has the next one. A part of an answer would
        // keep its reserved memory while the next part waits for some.
        Some(Ok(Bytes::copy_from_slice(&slice)))
    }
}
