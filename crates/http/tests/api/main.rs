//! The API as clients see it, one module per topic. The name of every test states the expectation.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod categories;
#[cfg(test)]
mod compression;
#[cfg(test)]
mod conditions;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod origin;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod transport;
#[cfg(test)]
mod warnings;
#[cfg(test)]
mod web;
