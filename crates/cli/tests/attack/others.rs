//! Other clients, from another address, during an attack.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::interval;

use crate::raw::{Target, status};

pub(crate) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
const PAUSE: Duration = Duration::from_millis(50);
const PATHS: [&str; 2] = ["/healthz", "/rest/objects?limit=10"];

/// Sends requests in a loop.
pub(crate) struct Others {
    stop: oneshot::Sender<()>,
    asking: JoinHandle<Waits>,
}

/// Response times.
#[derive(Default)]
pub(crate) struct Waits {
    all: Vec<Duration>,
    pub(crate) failures: Vec<String>,
}

impl Others {
    pub(crate) fn start(target: Target) -> Self {
        let (stop, mut stopped) = oneshot::channel();
        let asking = tokio::spawn(async move {
            let mut waits = Waits::default();
            let mut pauses = interval(PAUSE);
            while stopped.try_recv() == Err(oneshot::error::TryRecvError::Empty) {
                pauses.tick().await;
                for path in PATHS {
                    let began = Instant::now();
                    match ask(&target, path).await {
                        Some(200) => waits.all.push(began.elapsed()),
                        other => waits.failures.push(format!("{path}: {other:?}")),
                    }
                }
            }
            waits
        });
        Self { stop, asking }
    }

    pub(crate) async fn stopped(self) -> Waits {
        let _ = self.stop.send(());
        self.asking.await.unwrap()
    }
}

async fn ask(target: &Target, path: &str) -> Option<u16> {
    let mut stream = target.connect_from(ADDRESS).await.ok()?;
    let head = target.head("GET", path, "Connection: close\r\n");
    stream.write_all(head.as_bytes()).await.ok()?;
    status(&mut stream).await
}

impl Waits {
    pub(crate) fn note(&mut self, wait: Duration) {
        self.all.push(wait);
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.all.clone();
        sorted.sort();
        let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or_default()
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "others: {} answers, p50 {:?}, p99 {:?}, longest {:?}",
            self.count(),
            self.percentile(50),
            self.percentile(99),
            self.percentile(100)
        )
    }
}
