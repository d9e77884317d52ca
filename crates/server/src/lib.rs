//! The HTTP server: accepts connections, speaks HTTP/1 and HTTP/2, and passes requests to a tower
//! service.
//!
//! Every connection and request is limited in number, bytes and time ([`Limits`]), so that no
//! client can hold memory or sockets indefinitely. The crate knows no routes and no problem types
//! of the API.

mod activity;
mod admission;
mod application;
mod connection;
mod connection_state;
mod exchange;
mod flood;
mod limits;
mod long_heads;
mod poll_when_woken;
mod protocol;
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

/// The address of the peer, as an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);
