//! The benchmark data: 20 types with 15 fields, and objects generated one by one from their number.
//! So any number of them needs no memory, and two runs have the same data.

pub(crate) mod csv;
mod object;
mod types;

use serde_json::Value;
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

/// The type of nearly all objects of [`Spread::One`].
pub(crate) const ONE_TYPE: i64 = 3;

/// How the objects are spread over the types.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spread {
    Even,
    /// All but the first ones, which the others refer to, have the same type.
    One,
}

/// The bodies of an inventory with this many objects, with ids from 1 on.
pub(crate) fn records(objects: i64, spread: Spread) -> Records {
    let make = match spread {
        Spread::Even => body,
        Spread::One => body_of_one_type,
    };
    Records {
        types: types::bodies(),
        objects: Box::new((1..=objects).map(make)),
        ..Records::default()
    }
}

fn body_of_one_type(number: i64) -> Value {
    let mut body = insert_body(number, FIRST_WITH_REFERENCES);
    body["public_id"] = Value::from(number);
    if number > FIRST_WITH_REFERENCES {
        body["type_id"] = Value::from(ONE_TYPE);
    }
    body
}
