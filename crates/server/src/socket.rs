//! The socket of a connection. Reports reads and writes to its [`Activity`].

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep_until};

use crate::activity::Activity;
use crate::flood::Frames;
use crate::refusal;

/// Bytes of frames that are no requests before others have their turn. Those of requests and bodies
/// are not counted: they take less time, and uploads would take more.
const TURN: u64 = 4 * 1_024;

/// A plain socket, or a TLS stream.
pub(crate) struct Socket<I> {
    inner: I,
    activity: Arc<Activity>,
    frames: Frames,
    /// Bytes of frames that are no requests, in this turn.
    turn: u64,
    /// The end of the time in which nothing is read.
    rest: Option<Pin<Box<Sleep>>>,
    /// The rest of the refusal that is written instead of hyper's own.
    refusal: Option<Bytes>,
}

impl<I> Socket<I> {
    pub(crate) fn new(inner: I, activity: Arc<Activity>) -> Self {
        Self {
            inner,
            activity,
            frames: Frames::new(),
            turn: 0,
            rest: None,
            refusal: None,
        }
    }

    /// Replaces `bytes` by our own refusal if they are a bare status.
    fn poll_refusal(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Option<Poll<io::Result<usize>>>
    where
        I: AsyncWrite + Unpin,
    {
        if self.refusal.is_none() {
            self.refusal = Some(refusal::instead_of(bytes)?.into());
        }
        let rest = self.refusal.as_mut()?;
        while !rest.is_empty() {
            match Pin::new(&mut self.inner).poll_write(cx, rest) {
                Poll::Ready(Ok(written)) if written > 0 => rest.advance(written),
                other => return Some(other),
            }
        }
        Some(Poll::Ready(Ok(bytes.len())))
    }

    /// Ends the turn after too many of these bytes. The task goes on when others have had theirs.
    fn poll_turn(&mut self, cx: &Context<'_>) -> Poll<()> {
        if self.turn < TURN {
            return Poll::Ready(());
        }
        self.turn = 0;
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Waits while the connection rests from long heads.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if matches!(self.frames, Frames::Http1) {
            return Poll::Ready(());
        }
        if self.rest.is_none() {
            self.rest = self.activity.rest().map(|end| Box::pin(sleep_until(end)));
        }
        if let Some(rest) = &mut self.rest {
            ready!(rest.as_mut().poll(cx));
            self.rest = None;
        }
        Poll::Ready(())
    }

    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => self.activity.wrote(bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.activity.blocked(),
        }
        written
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Socket<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(cx));
        ready!(self.poll_turn(cx));
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let bytes = &buffer.filled()[before..];
        if bytes.is_empty() {
            self.turn = 0;
            return polled;
        }
        let frames = self.frames.read(bytes);
        self.turn += frames;
        Poll::Ready(self.activity.read(bytes.len(), frames))
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Socket<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match self.poll_refusal(cx, bytes) {
            Some(refused) => refused,
            None => Pin::new(&mut self.inner).poll_write(cx, bytes),
        };
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        if let (Some(only), None) = (filled.next(), filled.next()) {
            return self.poll_write(cx, only);
        }
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, slices);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        match flushed {
            Poll::Ready(_) => self.activity.flushed(),
            Poll::Pending => self.activity.blocked(),
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.inner).poll_shutdown(cx);
        if shut.is_pending() {
            self.activity.blocked();
        }
        shut
    }
}
