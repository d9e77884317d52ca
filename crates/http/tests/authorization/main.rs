//! Who may do what: every operation of the OpenAPI document asked by every kind of caller.

#[cfg(test)]
mod callers;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod unknown_paths;
