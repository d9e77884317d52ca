//! The server or its database is killed while clients write. What was acknowledged is there, what
//! was not is there whole or not at all.

#[cfg(test)]
mod batch;
#[cfg(test)]
mod client;
#[cfg(test)]
mod crowd;
#[cfg(test)]
mod database;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod model;
#[cfg(test)]
mod people;
#[cfg(test)]
mod repeats;
#[cfg(test)]
mod reverts;
#[cfg(test)]
mod views;
#[cfg(test)]
mod worker;
#[cfg(test)]
mod writes;

#[cfg(test)]
mod fsync;
#[cfg(test)]
mod imports;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod rounds;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod torn;
#[cfg(test)]
mod verify;

#[cfg(test)]
#[expect(dead_code, reason = "the tests of the command line use more of it")]
#[path = "../cli/process.rs"]
mod process;
