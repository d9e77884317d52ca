//! The guide for users of the API, `docs/guide`: every request in it is sent, and every answer in
//! it must be the real one.
//!
//! `STOCKROOM_UPDATE_GOLDEN=1` writes the answers into the chapters; parts that `…` replaces stay
//! out.

#[cfg(test)]
mod chapter;
#[cfg(test)]
mod completeness;
#[cfg(test)]
mod elision;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod exchange;
#[cfg(test)]
mod links;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod runner;
