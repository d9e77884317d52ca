//! The benchmark data: 20 types with 15 fields, and objects generated one by one from their number.
//! So any number of them needs no memory, and two runs have the same data.

mod object;
mod types;

use stockroom_service::load::Records;

pub(crate) use object::{
    ENVIRONMENTS, body, city, hostname, insert_body, references, ticket, type_of,
};

/// Increase it whenever a body changes, so that data of older generators is replaced.
pub(crate) const VERSION: u32 = 1;

/// How many types there are. Object `n` has the type `1 + n % TYPES`.
pub(crate) const TYPES: i64 = 20;

/// Objects from this number on have two references.
pub(crate) const FIRST_WITH_REFERENCES: i64 = 1_000;

/// The bodies of an inventory with this many objects, with ids from 1 on.
pub(crate) fn records(objects: i64) -> Records {
    Records {
        types: types::bodies(),
        objects: Box::new((1..=objects).map(body)),
        ..Records::default()
    }
}
