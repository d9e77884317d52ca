//! The behaviour of the server towards clients, over real sockets.

#[cfg(test)]
mod connections;
#[cfg(test)]
mod deadlines;
#[cfg(test)]
mod http2;
#[cfg(test)]
mod service;
#[cfg(test)]
mod tls;
