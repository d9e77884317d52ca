//! What clients may do to the server, over real sockets.

mod connections;
mod deadlines;
mod http2;
mod service;
mod tls;
