//! Authorization: every kind of caller sends every operation of the OpenAPI document.

#[cfg(test)]
mod callers;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod unknown_parameters;
#[cfg(test)]
mod unknown_paths;
