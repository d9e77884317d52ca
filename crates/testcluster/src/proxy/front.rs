//! The part of the proxy that accepts commands and connections.

use std::future::{pending, ready};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::{JoinSet, yield_now};

use super::connection::{Rules, carry};
use super::{Command, Cut, Ending, Order};

/// The backlog of listeners in the standard library.
const BACKLOG: u32 = 128;

/// The listening socket.
enum Door {
    Open(TcpListener),
    /// Bound without listening: connections are refused, and the port stays reserved.
    Shut(TcpSocket),
    /// Only while switching between the others, or after that failed.
    Missing,
}

/// The state of the proxy's thread.
pub(super) struct Front {
    address: SocketAddr,
    door: Door,
    rules: watch::Sender<Rules>,
    cut: Arc<Mutex<Option<Cut>>>,
    connections: JoinSet<()>,
}

impl Front {
    pub(super) fn new(listener: std::net::TcpListener, target: SocketAddr) -> io::Result<Self> {
        let rules = Rules {
            target,
            stalled: false,
            dropped: 0,
            ending: Ending::Finish,
        };
        Ok(Self {
            address: listener.local_addr()?,
            door: Door::Open(TcpListener::from_std(listener)?),
            rules: watch::Sender::new(rules),
            cut: Arc::default(),
            connections: JoinSet::new(),
        })
    }

    /// Serves until the command channel is closed.
    pub(super) async fn serve(mut self, mut inbox: UnboundedReceiver<Command>) {
        loop {
            tokio::select! {
                biased;
                command = inbox.recv() => {
                    let Some(Command { order, done }) = command else { return };
                    let outcome = self.obey(order).await;
                    // The sender may have given up.
                    let _ = done.send(outcome);
                }
                client = knock(&self.door) => self.welcome(client),
                Some(_) = self.connections.join_next() => {}
            }
        }
    }

    async fn obey(&mut self, order: Order) -> io::Result<()> {
        match order {
            Order::Pass => {
                self.set_cut(None);
                self.rules.send_modify(|rules| rules.stalled = false);
                self.open()
            }
            Order::Stall => {
                self.rules.send_modify(|rules| rules.stalled = true);
                self.open()
            }
            Order::Refuse => self.shut(),
            Order::Drop(ending) => {
                self.welcome_who_waits().await;
                self.rules.send_modify(|rules| {
                    rules.dropped += 1;
                    rules.ending = ending;
                });
                while self.connections.join_next().await.is_some() {}
                Ok(())
            }
            Order::Cut(cut) => {
                self.set_cut(Some(cut));
                Ok(())
            }
            Order::PointAt(target) => {
                self.rules.send_modify(|rules| rules.target = target);
                Ok(())
            }
        }
    }

    fn welcome(&mut self, client: TcpStream) {
        let (rules, cut) = (self.rules.subscribe(), Arc::clone(&self.cut));
        self.connections.spawn(carry(client, rules, cut));
    }

    /// Accepts pending connections, as clients regard themselves as connected before `accept`.
    async fn welcome_who_waits(&mut self) {
        // The runtime checks for I/O here.
        yield_now().await;
        loop {
            tokio::select! {
                biased;
                client = knock(&self.door) => self.welcome(client),
                () = ready(()) => return,
            }
        }
    }

    fn open(&mut self) -> io::Result<()> {
        self.door = match std::mem::replace(&mut self.door, Door::Missing) {
            Door::Open(listener) => Door::Open(listener),
            Door::Shut(socket) => Door::Open(socket.listen(BACKLOG)?),
            Door::Missing => Door::Open(bind(self.address)?.listen(BACKLOG)?),
        };
        Ok(())
    }

    fn shut(&mut self) -> io::Result<()> {
        if !matches!(self.door, Door::Shut(_)) {
            // The port cannot be bound while another socket listens on it.
            self.door = Door::Missing;
            self.door = Door::Shut(bind(self.address)?);
        }
        Ok(())
    }

    fn set_cut(&self, cut: Option<Cut>) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = cut;
    }
}

/// Accepts the next client; pending forever while refusing.
async fn knock(door: &Door) -> TcpStream {
    let Door::Open(listener) = door else {
        return pending().await;
    };
    loop {
        match listener.accept().await {
            Ok((client, _)) => return client,
            // The client is gone, or file descriptors are exhausted and may become free.
            Err(_) => yield_now().await,
        }
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    // Earlier connections still use the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}
