//! The body of a request, with deadlines.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::Limits;
use crate::activity::{Activity, AwaitedBody};

/// The body of a request. It fails if it arrives too slowly or takes too long.
pub struct RequestBody {
    incoming: Incoming,
    activity: Arc<Activity>,
    /// Created when the body is awaited, as most bodies arrive with their heads.
    deadlines: Option<Deadlines>,
}

struct Deadlines {
    /// When the whole body must have arrived.
    last: Instant,
    /// The end of the period in which `missing` bytes must arrive.
    period: Pin<Box<Sleep>>,
    missing: u64,
    _awaited: AwaitedBody,
}

/// Why a body could not be read.
#[derive(Debug)]
pub enum BodyError {
    /// It arrived below the minimum rate.
    TooSlow {
        /// The minimum rate in bytes per second.
        min_rate: u32,
    },
    /// It took longer than the limit.
    TooLong {
        /// The limit in seconds.
        limit: u64,
    },
    /// The connection broke, or the framing is invalid.
    Broken(hyper::Error),
}

impl RequestBody {
    pub(crate) fn new(incoming: Incoming, activity: Arc<Activity>) -> Self {
        Self {
            incoming,
            activity,
            deadlines: None,
        }
    }

    /// Fails if a deadline has passed; otherwise wakes the task at the next one.
    fn poll_deadlines(&mut self, cx: &mut Context<'_>) -> Result<(), BodyError> {
        let activity = &self.activity;
        let limits = activity.limits();
        let new = || Deadlines::new(limits, activity.await_body());
        let deadlines = self.deadlines.get_or_insert_with(new);
        while deadlines.period.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            if now >= deadlines.last {
                return Err(BodyError::TooLong {
                    limit: limits.body_timeout.as_secs(),
                });
            }
            if deadlines.missing > 0 {
                return Err(BodyError::TooSlow {
                    min_rate: limits.min_rate,
                });
            }
            deadlines.missing = limits.bytes_per_period();
            let next = deadlines.last.min(now + limits.stall_timeout);
            deadlines.period.as_mut().reset(next);
        }
        Ok(())
    }
}

impl Deadlines {
    fn new(limits: &Limits, awaited: AwaitedBody) -> Self {
        let now = Instant::now();
        let last = now + limits.body_timeout;
        Self {
            last,
            period: Box::pin(sleep_until(last.min(now + limits.stall_timeout))),
            missing: limits.bytes_per_period(),
            _awaited: awaited,
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        match Pin::new(&mut self.incoming).poll_frame(cx) {
            Poll::Pending => match self.poll_deadlines(cx) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Some(Err(error))),
            },
            Poll::Ready(Some(Ok(frame))) => {
                if let (Some(deadlines), Some(data)) = (&mut self.deadlines, frame.data_ref()) {
                    deadlines.missing = deadlines.missing.saturating_sub(data.len() as u64);
                }
                if self.incoming.is_end_stream() {
                    self.deadlines = None;
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(BodyError::Broken(error)))),
            Poll::Ready(None) => {
                self.deadlines = None;
                Poll::Ready(None)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSlow { min_rate } => write!(
                formatter,
                "the body came too slowly: at least {min_rate} bytes per second are needed"
            ),
            Self::TooLong { limit } => write!(
                formatter,
                "the body took too long: it must be complete within {limit} seconds"
            ),
            Self::Broken(_) => formatter.write_str("the body broke off"),
        }
    }
}

impl From<BodyError> for io::Error {
    fn from(error: BodyError) -> Self {
        let kind = match &error {
            BodyError::TooSlow { .. } | BodyError::TooLong { .. } => io::ErrorKind::TimedOut,
            BodyError::Broken(_) => io::ErrorKind::ConnectionAborted,
        };
        Self::new(kind, error)
    }
}

impl std::error::Error for BodyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Broken(error) => Some(error),
            Self::TooSlow { .. } | Self::TooLong { .. } => None,
        }
    }
}
