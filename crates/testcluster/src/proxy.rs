//! A TCP proxy that breaks connections on demand.

mod connection;
mod front;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use front::Front;

/// Stands in front of a server. It passes everything on until it is told otherwise; when a method
/// returns, what it asks for holds.
///
/// It works on a thread of its own, so tests may be synchronous or not. Dropping it closes
/// everything.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    commands: Option<UnboundedSender<Command>>,
    thread: Option<JoinHandle<()>>,
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// In order (FIN): the other side reads what is under way, then the end.
    Finish,
    /// At once (RST): the other side gets an error.
    Reset,
}

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From clients to the server.
    ToServer,
    /// From the server to clients.
    ToClient,
}

/// What the thread of the proxy is to do, and where it tells that it has.
struct Command {
    order: Order,
    done: SyncSender<io::Result<()>>,
}

/// What can be asked of a proxy.
#[derive(Debug, Clone, Copy)]
enum Order {
    Pass,
    Refuse,
    Stall,
    Drop(Ending),
    Cut(Cut),
    PointAt(SocketAddr),
}

/// Where a connection is going to break.
#[derive(Debug, Clone, Copy)]
struct Cut {
    direction: Direction,
    /// How many bytes still go that way.
    left: usize,
}

impl Proxy {
    /// Begins to listen on a port of 127.0.0.1 and to pass everything on to `target`.
    ///
    /// # Errors
    ///
    /// There is no port or no thread to be had.
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
            // Nobody is left to tell: the inbox is closed, and every method says so.
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

    /// Where clients connect to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends refusing, stalling and a cut that was not reached. What a stall has held back goes on.
    ///
    /// # Errors
    ///
    /// Somebody else has taken the port while the proxy refused connections.
    pub fn pass(&self) -> io::Result<()> {
        self.order(Order::Pass)
    }

    /// Refuses new connections, as a server does that is not running. Those that exist go on.
    ///
    /// # Errors
    ///
    /// The port cannot be kept.
    pub fn refuse(&self) -> io::Result<()> {
        self.order(Order::Refuse)
    }

    /// Takes connections and what comes over them, but passes nothing on, as a network does that
    /// loses everything.
    ///
    /// # Errors
    ///
    /// Somebody else has taken the port while the proxy refused connections.
    pub fn stall(&self) -> io::Result<()> {
        self.order(Order::Stall)
    }

    /// Ends all connections, on both sides. New ones are as welcome as before.
    ///
    /// # Errors
    ///
    /// The thread of the proxy is gone.
    pub fn drop_connections(&self, ending: Ending) -> io::Result<()> {
        self.order(Order::Drop(ending))
    }

    /// Lets `bytes` more go that way, counted over all connections, and breaks the connection that
    /// brings the next one after them. That happens once: other connections and new ones go on.
    ///
    /// The receiver gets what went through, then the end (FIN); the sender is reset. With
    /// `ToClient` and 0 bytes, the server does what it is asked next, and its answer is lost.
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

    /// Passes new connections on to another server, as after a failover. Those that exist stay
    /// where they are.
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
        // The thread ends when nobody can send commands any more.
        drop(self.commands.take());
        if let Some(thread) = self.thread.take() {
            // A panic over there was reported over there.
            let _ = thread.join();
        }
    }
}
