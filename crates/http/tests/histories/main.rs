//! Random writes of all kinds against a model: the past of every record can be read and restored,
//! exactly (`docs/guide/src/history.md`).
//!
//! Everything is written to two servers: together, in batches and jobs, to the one that is tested;
//! one write at a time to its twin, which shows the states in between.

#[cfg(test)]
mod change;
#[cfg(test)]
mod filter;
#[cfg(test)]
mod histories;
#[cfg(test)]
mod model;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod past;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod records;
#[cfg(test)]
mod restore;
#[cfg(test)]
mod side;
#[cfg(test)]
mod together;
#[cfg(test)]
mod world;
