//! A demo inventory: what a newcomer sees first. Pure and deterministic: the same `now` always
//! gives the same bodies.
//!
//! A fictional company with six sites on three continents. Every body is one that the insert route
//! of its resource takes; inserted in the order groups, users, types, categories, objects, each
//! finds all that it refers to.

mod categories;
mod data;
mod dice;
mod groups;
mod objects;
#[cfg(test)]
mod tests;
mod types;
mod users;

use serde_json::Value;
use stockroom_model::Timestamp;

pub use users::PASSWORD;

/// Bodies for the insert routes, each with its `public_id`, in an order in which references find
/// their targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Inventory {
    /// Groups from id 3 on: 1 and 2 exist from the first start.
    pub groups: Vec<Value>,
    /// Users from id 2 on: 1 exists from the first start. All have the password [`PASSWORD`].
    pub users: Vec<Value>,
    /// Types from id 1 on; one is inactive and therefore has no objects.
    pub types: Vec<Value>,
    /// Categories from id 1 on, parents before their children.
    pub categories: Vec<Value>,
    /// Objects from id 1 on, what is referenced before what references it.
    pub objects: Vec<Value>,
}

/// The demo inventory as it stands at `now`: purchases lie before it, warranties and contracts end
/// around it.
#[must_use]
pub fn inventory(now: Timestamp) -> Inventory {
    Inventory {
        groups: groups::all(),
        users: users::all(),
        types: types::all(),
        categories: categories::all(),
        objects: objects::all(now),
    }
}
