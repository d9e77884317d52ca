//! A client's mistake is a 4xx with a problem document, never a 500, and changes nothing. A
//! generator with a fixed seed makes requests from legal ones by changes that are certainly
//! illegal.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod fragments;
#[cfg(test)]
mod inventory;
#[cfg(test)]
mod paths;
#[cfg(test)]
mod positions;
#[cfg(test)]
mod queries;
#[cfg(test)]
mod records;
#[cfg(test)]
mod targets;
