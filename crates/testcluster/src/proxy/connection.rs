//! A connection through the proxy.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::{Cut, Direction, Ending};

/// The current rules for all connections.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The target of new connections.
    pub(super) target: SocketAddr,
    /// Whether forwarding is stopped.
    pub(super) stalled: bool,
    /// How many times all connections were closed.
    pub(super) dropped: usize,
    /// How they were closed last.
    pub(super) ending: Ending,
}

/// Why a connection was broken.
enum Broken {
    Dropped(Ending),
    Cut(Direction),
    /// One side failed, so the other is closed, too.
    Failed,
}

/// Forwards bytes both ways until the connection ends or is broken.
pub(super) fn carry(
    mut client: TcpStream,
    rules: watch::Receiver<Rules>,
    cut: Arc<Mutex<Option<Cut>>>,
) -> impl Future<Output = ()> {
    // Read this here, because the future may start only after the next command.
    let dropped = rules.borrow().dropped;
    async move {
        let mut server = None;
        let outcome = tokio::select! {
            biased;
            ending = end_of(rules.clone(), dropped) => Err(Broken::Dropped(ending)),
            outcome = relay(&mut client, &mut server, &rules, &cut) => outcome,
        };
        let (reset_client, reset_server) = match outcome {
            Ok(()) | Err(Broken::Dropped(Ending::Finish)) => (false, false),
            Err(Broken::Dropped(Ending::Reset) | Broken::Failed) => (true, true),
            Err(Broken::Cut(Direction::ToServer)) => (true, false),
            Err(Broken::Cut(Direction::ToClient)) => (false, true),
        };
        end(client, reset_client).await;
        if let Some(server) = server {
            end(server, reset_server).await;
        }
    }
}

async fn end_of(mut rules: watch::Receiver<Rules>, dropped: usize) -> Ending {
    let now = rules.wait_for(|rules| rules.dropped != dropped).await;
    now.map_or(Ending::Finish, |rules| rules.ending)
}

async fn relay(
    client: &mut TcpStream,
    server: &mut Option<TcpStream>,
    rules: &watch::Receiver<Rules>,
    cut: &Mutex<Option<Cut>>,
) -> Result<(), Broken> {
    flowing(rules).await?;
    let target = rules.borrow().target;
    let connected = TcpStream::connect(target)
        .await
        .map_err(|_| Broken::Failed)?;
    let server = server.insert(connected);
    // As fast as without a proxy.
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::try_join!(
        pump(from_client, to_server, Direction::ToServer, rules, cut),
        pump(from_server, to_client, Direction::ToClient, rules, cut),
    )?;
    Ok(())
}

/// Forwards one direction until the sender closes it.
async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    direction: Direction,
    rules: &watch::Receiver<Rules>,
    cut: &Mutex<Option<Cut>>,
) -> Result<(), Broken> {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut buffer).await.map_err(|_| Broken::Failed)?;
        // A stall holds back bytes read before it; later ones stay with the sender.
        flowing(rules).await?;
        if read == 0 {
            return to.shutdown().await.map_err(|_| Broken::Failed);
        }
        let allowed = allowance(cut, direction, read);
        let written = to.write_all(&buffer[..allowed]).await;
        written.map_err(|_| Broken::Failed)?;
        if allowed < read {
            return Err(Broken::Cut(direction));
        }
    }
}

/// Waits until forwarding is not stopped.
async fn flowing(rules: &watch::Receiver<Rules>) -> Result<(), Broken> {
    let mut rules = rules.clone();
    let now = rules.wait_for(|rules| !rules.stalled).await;
    now.map(drop).map_err(|_| Broken::Dropped(Ending::Finish))
}

/// How many of the bytes to forward. If fewer than all, break the connection after them.
fn allowance(cut: &Mutex<Option<Cut>>, direction: Direction, wanted: usize) -> usize {
    let mut cut = cut.lock().unwrap_or_else(PoisonError::into_inner);
    match cut.as_mut() {
        Some(set) if set.direction == direction && set.left < wanted => {
            let left = set.left;
            *cut = None;
            left
        }
        Some(set) if set.direction == direction => {
            set.left -= wanted;
            wanted
        }
        _ => wanted,
    }
}

async fn end(mut stream: TcpStream, reset: bool) {
    // If these fail, the connection has ended already.
    if reset {
        let _ = stream.set_zero_linger();
    } else {
        let _ = stream.shutdown().await;
    }
}
