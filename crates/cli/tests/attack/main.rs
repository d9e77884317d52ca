//! What an attacker with sockets, and one with a password, may try on a real process: it answers
//! others all the while, and stays within its memory. `make soak` attacks for longer and also holds
//! the time that the others wait.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod filters;
#[cfg(test)]
mod http2;
#[cfg(test)]
mod others;
#[cfg(test)]
mod raw;
#[cfg(test)]
mod rounds;
#[cfg(test)]
mod sockets;

#[cfg(test)]
#[path = "../cli/client.rs"]
#[expect(dead_code, reason = "the tests of the command line use more of it")]
mod client;
#[cfg(test)]
#[path = "../cli/process.rs"]
#[expect(dead_code, reason = "the tests of the command line use more of it")]
mod process;
