//! The HTTP server: it accepts connections, speaks HTTP/1 and HTTP/2 on them, and passes requests
//! to a tower service.
//!
//! Every connection and every request has a bound in number, bytes and time ([`Limits`]), so that
//! no client can hold memory or sockets for as long as it likes. The crate knows nothing of routes
//! and problems.

mod activity;
mod admission;
mod application;
mod connection;
mod exchange;
mod limits;
mod protocol;
mod rarely;
mod refusal;
mod request_body;
mod response_body;
mod server;
mod socket;
mod stop;
mod tls;

pub use application::Application;
pub use limits::Limits;
pub use request_body::{BodyError, RequestBody};
pub use server::Server;
pub use stop::Stop;
pub use tls::{Tls, TlsError};

use std::net::SocketAddr;

/// The address at the other end of the connection, as an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);
