//! A demo inventory for newcomers. Pure and deterministic: equal `now` gives equal bodies.
//!
//! It describes a fictional company with six sites on three continents. Every body is accepted by
//! the insert route of its resource. Inserted in the order groups, users, types, categories,
//! views, tokens, objects, every reference finds its target.

mod categories;
mod data;
mod dice;
mod groups;
mod history;
mod imports;
mod objects;
#[cfg(test)]
mod tests;
mod tokens;
mod types;
mod users;
mod views;

use serde_json::Value;
use stockroom_model::Timestamp;

pub use history::Edit;
pub use imports::ImportFile;
pub use users::PASSWORD;

/// Bodies for the insert routes, most with their `public_id`, ordered so that references find their
/// targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Inventory {
    /// Groups from id 3 on: 1 and 2 exist from the first start.
    pub groups: Vec<Value>,
    /// Users from id 2 on: 1 exists from the first start. All have the password [`PASSWORD`], except
    /// service accounts, which have none.
    pub users: Vec<Value>,
    /// Types from id 1 on; one is inactive and has no objects.
    pub types: Vec<Value>,
    /// Categories from id 1 on, parents before their children.
    pub categories: Vec<Value>,
    /// Views from id 1 on.
    pub views: Vec<Value>,
    /// API tokens. They have no ids, and nobody learns their secrets.
    pub tokens: Vec<Value>,
    /// Objects from id 1 on, referenced objects first.
    pub objects: Vec<Value>,
    /// When all of these were inserted, some weeks ago.
    pub inserted_at: Timestamp,
    /// What was changed since then, oldest first.
    pub edits: Vec<Edit>,
    /// Files to upload and run when all objects are there.
    pub imports: Vec<ImportFile>,
}

/// The demo inventory at `now`: purchases are in the past, some warranties and contracts have ended
/// and others have not.
#[must_use]
pub fn inventory(now: Timestamp) -> Inventory {
    let mut objects = objects::all(now);
    let edits = history::take_edits(&mut objects, now);
    Inventory {
        inserted_at: history::beginning(now),
        edits,
        groups: groups::all(),
        users: users::all(),
        types: types::all(),
        categories: categories::all(),
        views: views::all(),
        tokens: tokens::all(),
        objects,
        imports: imports::all(),
    }
}
