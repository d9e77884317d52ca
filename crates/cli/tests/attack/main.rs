//! Attacks on a real process, with bare sockets and with a login: the process keeps answering other
//! clients and stays within its memory limit. `make soak` attacks for longer and also checks how
//! long other clients wait.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod filters;
#[cfg(test)]
mod hogs;
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
