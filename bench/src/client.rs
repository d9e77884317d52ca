//! A connection that sends one request at a time, for timing each of them.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::ensure;

use crate::http;

/// A keep-alive connection.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::new(),
        })
    }

    /// Sends a request, reads its whole answer and returns the time that this took.
    ///
    /// # Errors
    ///
    /// The connection broke, or the status is not a success.
    pub(crate) fn send(&mut self, request: &[u8]) -> anyhow::Result<Duration> {
        let started = Instant::now();
        self.stream.write_all(request)?;
        self.receive()?;
        Ok(started.elapsed())
    }

    /// The last answer, head and body.
    pub(crate) fn answer(&self) -> &[u8] {
        &self.buffer
    }

    fn receive(&mut self) -> anyhow::Result<()> {
        self.buffer.clear();
        let mut length = None;
        let mut chunk = [0; 16 * 1024];
        loop {
            let read = self.stream.read(&mut chunk)?;
            ensure!(read > 0, "the server closed the connection");
            self.buffer.extend_from_slice(&chunk[..read]);
            if length.is_none() {
                length = http::answer_length(&self.buffer)?;
            }
            if length.is_some_and(|length| self.buffer.len() >= length) {
                return Ok(());
            }
        }
    }
}
