//! MongoDB's order over all values.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::datum::Datum;

/// The total order: null < numbers < texts < objects < arrays < booleans < dates. Texts compare by
/// their bytes, objects by their entries in document order, arrays by their items. Equal means
/// equal for `$eq`.
#[must_use]
pub fn compare(left: Datum<'_>, right: Datum<'_>) -> Ordering {
    match (left, right) {
        (Datum::Number(left), Datum::Number(right)) => left.cmp(&right),
        (Datum::Text(left), Datum::Text(right)) => left.cmp(right),
        (Datum::Object(left), Datum::Object(right)) => compare_objects(left, right),
        (Datum::Array(left), Datum::Array(right)) => compare_arrays(left, right),
        (Datum::Bool(left), Datum::Bool(right)) => left.cmp(&right),
        (Datum::Date(left), Datum::Date(right)) => left.cmp(&right),
        _ => left.rank().cmp(&right.rank()),
    }
}

/// Entry by entry, as MongoDB documents it: first the type of the value, then the key, then the
/// value.
fn compare_objects(left: &Map<String, Value>, right: &Map<String, Value>) -> Ordering {
    for ((left_key, left), (right_key, right)) in left.iter().zip(right) {
        let (left, right) = (Datum::of(left), Datum::of(right));
        let order = left
            .rank()
            .cmp(&right.rank())
            .then_with(|| left_key.cmp(right_key))
            .then_with(|| compare(left, right));
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len())
}

fn compare_arrays(left: &[Value], right: &[Value]) -> Ordering {
    for (left, right) in left.iter().zip(right) {
        let order = compare(Datum::of(left), Datum::of(right));
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len())
}
