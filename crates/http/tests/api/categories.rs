//! Categories (`docs/guide/src/categories.md`).

mod conditions;
mod delete;
mod insert;
mod read;
mod tree;
mod update;

/// The collection of categories.
const PATH: &str = "/rest/categories";
