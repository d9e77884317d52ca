//! Many nodes on one PostgreSQL: each node sees the changes of the others, and faults of the
//! database lose no acknowledged write. Every test starts its own nodes and its own database
//! server.

#[cfg(test)]
mod checker;
#[cfg(test)]
mod client;
#[cfg(test)]
mod history;
#[cfg(test)]
mod inventory;
#[cfg(test)]
mod load;
#[cfg(test)]
mod log;
#[cfg(test)]
mod node;
#[cfg(test)]
mod pair;
#[cfg(test)]
#[expect(
    dead_code,
    reason = "tests of one process at a time use all of it, these only a part"
)]
#[path = "../cli/process.rs"]
mod process;
#[cfg(test)]
mod waiting;
#[cfg(test)]
mod worker;

#[cfg(test)]
mod neighbours;
#[cfg(test)]
mod outages;
#[cfg(test)]
mod start;
#[cfg(test)]
mod survival;
#[cfg(test)]
mod tls;
