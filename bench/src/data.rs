//! The data that is measured on: 20 types of 15 fields, and objects that are made one by one from
//! their number alone, so that any amount of them costs no memory and two runs measure the same.

mod object;
mod types;

use stockroom_service::load::Records;

pub(crate) use object::{
    ENVIRONMENTS, body, city, hostname, insert_body, references, ticket, type_of,
};

/// Raised whenever a body changes: data that an older generator made is made anew.
pub(crate) const VERSION: u32 = 1;

/// How many types there are; object `n` is of type `1 + n % TYPES`.
pub(crate) const TYPES: i64 = 20;

/// Objects from this one on have two references.
pub(crate) const FIRST_WITH_REFERENCES: i64 = 1_000;

/// The bodies of an inventory of so many objects, with the ids from 1 on.
pub(crate) fn records(objects: i64) -> Records {
    Records {
        types: types::bodies(),
        objects: Box::new((1..=objects).map(body)),
        ..Records::default()
    }
}
