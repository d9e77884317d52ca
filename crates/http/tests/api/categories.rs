//! Categories (`docs/guide/src/categories.md`).

mod conditions;
mod delete;
mod insert;
mod read;
mod tree;
mod update;

/// Where categories stand.
const PATH: &str = "/rest/categories";
