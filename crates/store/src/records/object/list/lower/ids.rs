//! Lowers conditions on the id of an object, which has a column of its own.

use stockroom_filter::{Comparison, Literal, Numeric, Predicate};
use stockroom_model::ObjectId;
use stockroom_model::id::MAX_ID;

use super::part::Part;
use crate::records::object::list::predicate::IndexPredicate;

/// Objects whose id satisfies the predicate.
pub(super) fn id(predicate: &Predicate) -> Part {
    match predicate {
        Predicate::Equal(literal) => {
            Part::decided_by_object_table(ids(std::slice::from_ref(literal)))
        }
        Predicate::In(set) => Part::decided_by_object_table(ids(set.as_slice())),
        Predicate::Compare(relation, literal) => {
            Part::decided_by_object_table(id_range(*relation, literal))
        }
        Predicate::Exists => Part::decided_by_object_table(IndexPredicate::always()),
        _ => Part::unknown(),
    }
}

fn ids(literals: &[Literal]) -> IndexPredicate {
    let mut ids: Vec<ObjectId> = literals
        .iter()
        .filter_map(|literal| match literal {
            Literal::Number(number) => ObjectId::new(i64::try_from(number.integral()?).ok()?),
            _ => None,
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        IndexPredicate::never()
    } else {
        IndexPredicate::Ids(ids)
    }
}

fn id_range(relation: Comparison, literal: &Literal) -> IndexPredicate {
    let Literal::Number(bound) = literal else {
        return IndexPredicate::never();
    };
    // The whole numbers next to the bound; a bound beyond 64 bits is above or below every id.
    let highest = i128::from(MAX_ID);
    let floor = if *bound < Numeric::Integer(0) {
        -1
    } else {
        bound
            .truncated()
            .map_or(highest, |whole| whole.min(highest))
    };
    let is_whole = Numeric::Integer(floor) == *bound;
    let (from, to) = match relation {
        Comparison::GreaterOrEqual if is_whole => (floor, highest),
        Comparison::Greater | Comparison::GreaterOrEqual => (floor + 1, highest),
        Comparison::Less if is_whole => (0, floor - 1),
        Comparison::Less | Comparison::LessOrEqual => (0, floor),
    };
    match (i64::try_from(from.max(0)), i64::try_from(to)) {
        (Ok(from), Ok(to)) if from <= to => IndexPredicate::IdRange(from, to),
        _ => IndexPredicate::never(),
    }
}
