//! Texts that never change are compressed once in each coding: nobody can make the server do it over
//! and over.

use std::io;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::OnceCell;

use super::{AcceptEncoding, Coding, compressed};

/// A text that never changes, with its compressed forms as far as somebody has asked for them.
pub(crate) struct FixedText {
    content_type: HeaderValue,
    text: Bytes,
    zstd: OnceCell<Bytes>,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl FixedText {
    pub(crate) fn new(content_type: HeaderValue, text: impl Into<Bytes>) -> Self {
        Self {
            content_type,
            text: text.into(),
            zstd: OnceCell::new(),
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
        }
    }

    /// The text, in the coding that the client prefers.
    pub(crate) async fn answer(&self, headers: &HeaderMap) -> Response {
        let kind = [(header::CONTENT_TYPE, self.content_type.clone())];
        let coding = AcceptEncoding::of(headers).best();
        let Some((coding, text)) = self.compressed(coding).await else {
            return (kind, self.text.clone()).into_response();
        };
        let how = [
            (header::CONTENT_ENCODING, coding.name()),
            (header::VARY, "accept-encoding"),
        ];
        (kind, how, text).into_response()
    }

    async fn compressed(&self, coding: Option<Coding>) -> Option<(Coding, Bytes)> {
        let coding = coding?;
        let cell = match coding {
            Coding::Zstd => &self.zstd,
            Coding::Brotli => &self.brotli,
            Coding::Gzip => &self.gzip,
        };
        let text = cell.get_or_try_init(|| compress(coding, self.text.clone()));
        Some((coding, text.await.ok()?.clone()))
    }
}

async fn compress(coding: Coding, text: Bytes) -> io::Result<Bytes> {
    let slices = compressed(coding, Body::from(text), None);
    let all = to_bytes(Body::from_stream(slices), usize::MAX).await;
    all.map_err(io::Error::other)
}
