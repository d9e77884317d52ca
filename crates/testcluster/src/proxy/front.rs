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
enum Listening {
    Open(TcpListener),
    /// Bound without listening: connections are refused, and the port stays reserved.
    Refusing(TcpSocket),
    /// Only while switching between the others, or after that failed.
    Unbound,
}

/// The state of the proxy's thread.
pub(super) struct Front {
    address: SocketAddr,
    listening: Listening,
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
            listening: Listening::Open(TcpListener::from_std(listener)?),
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
                    let outcome = self.execute(order).await;
                    // The sender may have given up.
                    let _ = done.send(outcome);
                }
                client = accept(&self.listening) => self.forward(client),
                Some(_) = self.connections.join_next() => {}
            }
        }
    }

    async fn execute(&mut self, order: Order) -> io::Result<()> {
        match order {
            Order::Pass => {
                self.set_cut(None);
                self.rules.send_modify(|rules| rules.stalled = false);
                self.listen()
            }
            Order::Stall => {
                self.rules.send_modify(|rules| rules.stalled = true);
                self.listen()
            }
            Order::Refuse => self.refuse(),
            Order::Drop(ending) => {
                self.accept_pending().await;
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

    fn forward(&mut self, client: TcpStream) {
        let (rules, cut) = (self.rules.subscribe(), Arc::clone(&self.cut));
        self.connections.spawn(carry(client, rules, cut));
    }

    /// Accepts pending connections, as clients regard themselves as connected before `accept`.
    async fn accept_pending(&mut self) {
        // The runtime checks for I/O here.
        yield_now().await;
        loop {
            tokio::select! {
                biased;
                client = accept(&self.listening) => self.forward(client),
                () = ready(()) => return,
            }
        }
    }

    fn listen(&mut self) -> io::Result<()> {
        self.listening = match std::mem::replace(&mut self.listening, Listening::Unbound) {
            Listening::Open(listener) => Listening::Open(listener),
            Listening::Refusing(socket) => Listening::Open(socket.listen(BACKLOG)?),
            Listening::Unbound => Listening::Open(bind(self.address)?.listen(BACKLOG)?),
        };
        Ok(())
    }

    fn refuse(&mut self) -> io::Result<()> {
        if !matches!(self.listening, Listening::Refusing(_)) {
            // The port cannot be bound while another socket listens on it.
            self.listening = Listening::Unbound;
            self.listening = Listening::Refusing(bind(self.address)?);
        }
        Ok(())
    }

    fn set_cut(&self, cut: Option<Cut>) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = cut;
    }
}

/// Accepts the next client; pending forever while refusing.
async fn accept(listening: &Listening) -> TcpStream {
    let Listening::Open(listener) = listening else {
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
