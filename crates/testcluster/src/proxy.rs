//! A TCP proxy that breaks connections on demand.

mod connection;
mod front;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use front::Front;

/// A proxy in front of a server. By default it forwards everything. Each method takes effect before
/// it returns.
///
/// It runs on its own thread, so tests may be synchronous or not. Dropping it closes all
/// connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    commands: Option<UnboundedSender<Command>>,
    thread: Option<JoinHandle<()>>,
}

/// How to close a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Orderly (FIN): the other side reads the pending bytes, then the end.
    Finish,
    /// At once (RST): the other side gets an error.
    Reset,
}

/// The direction of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From clients to the server.
    ToServer,
    /// From the server to clients.
    ToClient,
}

/// A command to the proxy's thread, and the channel for its result.
struct Command {
    order: Order,
    done: SyncSender<io::Result<()>>,
}

/// The actions of a proxy.
#[derive(Debug, Clone, Copy)]
enum Order {
    Pass,
    Refuse,
    Stall,
    Drop(Ending),
    Cut(Cut),
    PointAt(SocketAddr),
}

/// Where to break a connection.
#[derive(Debug, Clone, Copy)]
struct Cut {
    direction: Direction,
    /// How many more bytes are forwarded.
    left: usize,
}

impl Proxy {
    /// Listens on a port of 127.0.0.1 and forwards to `target`.
    ///
    /// # Errors
    ///
    /// No port or thread is available.
    pub fn start(target: SocketAddr) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let (commands, inbox) = unbounded_channel();
        let work = move || match runtime.block_on(async { Front::new(listener, target) }) {
            Ok(front) => runtime.block_on(front.serve(inbox)),
            // Dropping the inbox makes every method return an error.
            Err(_) => drop(inbox),
        };
        let thread = std::thread::Builder::new()
            .name("proxy".to_owned())
            .spawn(work)?;
        Ok(Self {
            address,
            commands: Some(commands),
            thread: Some(thread),
        })
    }

    /// The address for clients.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends refusing and stalling, and cancels a pending cut. Bytes held back by a stall are
    /// forwarded.
    ///
    /// # Errors
    ///
    /// Another process has taken the port while the proxy refused connections.
    pub fn pass(&self) -> io::Result<()> {
        self.order(Order::Pass)
    }

    /// Refuses new connections, like a stopped server. Existing connections continue.
    ///
    /// # Errors
    ///
    /// The port cannot be kept.
    pub fn refuse(&self) -> io::Result<()> {
        self.order(Order::Refuse)
    }

    /// Accepts connections and bytes but forwards nothing, like a network that loses all packets.
    ///
    /// # Errors
    ///
    /// Another process has taken the port while the proxy refused connections.
    pub fn stall(&self) -> io::Result<()> {
        self.order(Order::Stall)
    }

    /// Closes all connections on both sides. New connections are not affected.
    ///
    /// # Errors
    ///
    /// The thread of the proxy is gone.
    pub fn drop_connections(&self, ending: Ending) -> io::Result<()> {
        self.order(Order::Drop(ending))
    }

    /// Forwards this many more bytes in a direction, counted over all connections, and breaks the
    /// connection that sends the next byte. This happens once; other and new connections continue.
    ///
    /// The receiver gets the forwarded bytes, then the end (FIN); the sender is reset. With
    /// `ToClient` and 0 bytes, the server executes the next request and its answer is lost.
    ///
    /// # Errors
    ///
    /// The thread of the proxy is gone.
    pub fn cut_after(&self, direction: Direction, bytes: usize) -> io::Result<()> {
        self.order(Order::Cut(Cut {
            direction,
            left: bytes,
        }))
    }

    /// Forwards new connections to another server, as after a failover. Existing connections stay.
    ///
    /// # Errors
    ///
    /// The thread of the proxy is gone.
    pub fn point_at(&self, target: SocketAddr) -> io::Result<()> {
        self.order(Order::PointAt(target))
    }

    fn order(&self, order: Order) -> io::Result<()> {
        let gone = || io::Error::other("the thread of the proxy is gone");
        let (done, answer) = sync_channel(1);
        let commands = self.commands.as_ref().ok_or_else(gone)?;
        commands.send(Command { order, done }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // The thread ends when the command channel is closed.
        drop(self.commands.take());
        if let Some(thread) = self.thread.take() {
            // The thread has reported its own panic.
            let _ = thread.join();
        }
    }
}
