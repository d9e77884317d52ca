//! The body of an answer, with deadlines for the client.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::activity::Exchange;

pin_project! {
    /// Tracks how long the client takes for each part.
    pub(crate) struct ResponseBody<B> {
        #[pin]
        inner: B,
        exchange: Exchange,
    }
}

impl<B> ResponseBody<B> {
    pub(crate) const fn new(inner: B, exchange: Exchange) -> Self {
        Self { inner, exchange }
    }
}

impl<B: Body<Data = Bytes>> Body for ResponseBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let mut this = self.project();
        this.exchange.part_taken();
        let polled = this.inner.as_mut().poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && !this.inner.is_end_stream()
        {
            let bytes = frame.data_ref().map_or(0, Bytes::len);
            this.exchange.handed_over(bytes);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
