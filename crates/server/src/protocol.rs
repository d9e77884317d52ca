//! Configures hyper for HTTP/1 and HTTP/2.

use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;

use crate::Limits;

/// The smallest buffer that hyper accepts.
const SMALLEST_BUFFER: usize = 8_192;
/// Bytes that a client may send ahead, for one request body and for all bodies of a connection.
const STREAM_WINDOW: u32 = 256 * 1_024;
const CONNECTION_WINDOW: u32 = 1_024 * 1_024;
/// Bytes of an answer that hyper buffers.
const SEND_BUFFER: usize = 256 * 1_024;
/// How many streams a client may reset before they are accepted (CVE-2023-44487), and how many the
/// server may reset for errors.
const RESETS: usize = 20;
const ERRORS: usize = 100;
/// Pings detect a peer that vanished without closing the connection.
const PING_INTERVAL: Duration = Duration::from_secs(20);

pub(crate) fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .max_buf_size((limits.head_bytes as usize).max(SMALLEST_BUFFER));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(limits.head_bytes / 2)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        .max_pending_accept_reset_streams(RESETS)
        .max_local_error_reset_streams(ERRORS)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(limits.stall_timeout);
    builder
}
