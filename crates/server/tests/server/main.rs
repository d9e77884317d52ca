//! What clients may do to the server, over real sockets.

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
