//! The configurations of proxies in `docs/proxy`, as they are except for addresses and paths: the
//! real proxy in front of two nodes.

#[cfg(test)]
mod client;
#[cfg(test)]
mod front;
#[cfg(test)]
#[expect(
    dead_code,
    reason = "tests of one process at a time use all of it, these only a part"
)]
#[path = "../cli/process.rs"]
mod process;
#[cfg(test)]
#[path = "../cluster/waiting.rs"]
mod waiting;

#[cfg(test)]
mod checks;
