//! The load generator. In a closed load, every connection sends its next request after its answer.
//! In an open load, requests start at a fixed rate, and their time counts from the scheduled start.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, ready};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, ensure};
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::http;
use crate::process::Urgent;

/// Makes requests from unique numbers, so that no answer comes from a cache.
#[derive(Clone)]
pub(crate) struct Supply {
    next: Arc<AtomicU64>,
    make: Arc<dyn Fn(u64) -> Vec<u8> + Send + Sync>,
}

impl Supply {
    pub(crate) fn new(make: impl Fn(u64) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self {
            next: Arc::default(),
            make: Arc::new(make),
        }
    }

    pub(crate) fn request(&self) -> Vec<u8> {
        (self.make)(self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// Connections of an open load; a slow answer blocks only one of them.
const OPEN_CONNECTIONS: u32 = 8;
/// How long before the start of a request its thread stops sleeping and spins: a sleeping core wakes
/// late, and would add to the times of an idle server alone.
const AWAKE: Duration = Duration::from_micros(100);

/// A closed load.
pub(crate) struct Closed {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    pub(crate) duration: Duration,
    pub(crate) supply: Supply,
}

/// The result of a closed load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    pub(crate) requests: u64,
    pub(crate) elapsed: Duration,
}

impl Done {
    #[expect(clippy::cast_precision_loss, reason = "far fewer requests than 2^53")]
    pub(crate) fn per_second(self) -> f64 {
        self.requests as f64 / self.elapsed.as_secs_f64()
    }
}

impl Closed {
    /// Runs the load on this thread.
    ///
    /// # Errors
    ///
    /// A connection broke, or a status is not a success.
    pub(crate) fn run(&self) -> anyhow::Result<Done> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        runtime.block_on(self.converse())
    }

    async fn converse(&self) -> anyhow::Result<Done> {
        let started = Instant::now();
        let mut connections = JoinSet::new();
        for _ in 0..self.connections {
            let supply = self.supply.clone();
            let (address, end) = (self.address, started + self.duration);
            connections.spawn(async move {
                let mut connection = Connection::open(address).await?;
                let mut requests = 0;
                while Instant::now() < end {
                    connection.exchange(&supply.request()).await?;
                    requests += 1;
                }
                anyhow::Ok(requests)
            });
        }
        let mut requests = 0;
        while let Some(ended) = connections.join_next().await {
            requests += ended??;
        }
        Ok(Done {
            requests,
            elapsed: started.elapsed(),
        })
    }
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: vec![0; 64 * 1024],
        })
    }

    async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<()> {
        let mut sent = 0;
        while sent < request.len() {
            sent += std::future::poll_fn(|context| {
                Pin::new(&mut self.stream).poll_write(context, &request[sent..])
            })
            .await?;
        }
        let mut read = 0;
        let mut left = loop {
            read += self.read(read).await?;
            if let Some(length) = http::answer_length(&self.buffer[..read])? {
                break length.saturating_sub(read);
            }
        };
        // The rest of the body is read but not kept.
        while left > 0 {
            left = left.saturating_sub(self.read(0).await?);
        }
        Ok(())
    }

    /// Takes one system call per answer, instead of two with `readable` and `try_read`.
    async fn read(&mut self, from: usize) -> anyhow::Result<usize> {
        let Self { stream, buffer } = self;
        let read = std::future::poll_fn(|context| {
            let mut space = ReadBuf::new(&mut buffer[from..]);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut space))?;
            Poll::Ready(std::io::Result::Ok(space.filled().len()))
        });
        let read = read.await?;
        ensure!(read > 0, "the server closed the connection");
        Ok(read)
    }
}

/// An open load.
pub(crate) struct Open {
    pub(crate) address: SocketAddr,
    pub(crate) per_second: u32,
    pub(crate) duration: Duration,
    pub(crate) supply: Supply,
}

impl Open {
    /// Returns the time of each request, from its scheduled start.
    ///
    /// # Errors
    ///
    /// A connection broke, or a status is not a success.
    pub(crate) fn run(&self) -> anyhow::Result<Vec<Duration>> {
        let gap = Duration::from_secs(1) / self.per_second;
        let count = u32::try_from(self.duration.as_nanos() / gap.as_nanos())
            .context("too many requests")?;
        let connections: Vec<Client> = (0..OPEN_CONNECTIONS)
            .map(|_| Client::connect(self.address))
            .collect::<anyhow::Result<_>>()?;
        let _urgent = Urgent::begin();
        let started = Instant::now() + Duration::from_millis(10);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..)
                .zip(connections)
                .map(|(first, mut connection)| {
                    scope.spawn(move || {
                        let mut times = Vec::new();
                        for number in (first..count).step_by(OPEN_CONNECTIONS as usize) {
                            let request = self.supply.request();
                            let start = started + gap * number;
                            wait_until(start);
                            connection.send(&request)?;
                            times.push(start.elapsed());
                        }
                        anyhow::Ok(times)
                    })
                })
                .collect();
            let mut times = Vec::new();
            for thread in threads {
                times.extend(thread.join().map_err(|_| anyhow!("a client panicked"))??);
            }
            Ok(times)
        })
    }
}

/// Waits until a time, precise to microseconds.
pub(crate) fn wait_until(start: Instant) {
    loop {
        let left = start.saturating_duration_since(Instant::now());
        match left.checked_sub(AWAKE) {
            Some(sleep) if !sleep.is_zero() => thread::park_timeout(sleep),
            _ if left.is_zero() => return,
            _ => std::hint::spin_loop(),
        }
    }
}
