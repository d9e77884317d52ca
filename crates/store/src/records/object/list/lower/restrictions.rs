//! Lowers the restrictions of routes to predicates on the index.

use std::sync::Arc;

use stockroom_filter::{Literal, Numeric, Predicate, ranges};
use stockroom_model::ObjectId;

use super::fields::rows;
use super::part::value;
use super::unknown_fields::UnknownFields;
use crate::records::catalog::TypeEntry;
use crate::records::object::index::{Column, TARGETS};
use crate::records::object::list::predicate::IndexPredicate;

/// The objects of these types with a reference field that names one of `targets`.
pub(in crate::records::object) fn references(
    types: &[Arc<TypeEntry>],
    targets: &[ObjectId],
) -> IndexPredicate {
    let columns: Vec<i64> = types
        .iter()
        .flat_map(|entry| {
            let fields = entry.record.fields().iter();
            fields
                .filter(|field| field.kind.is_reference())
                .filter_map(|field| entry.layout.field(&field.name))
        })
        .map(|column| column.id)
        .collect();
    let keys = targets.iter().flat_map(|target| {
        let number = Literal::Number(Numeric::Integer(target.get().into()));
        [number, Literal::Text(target.to_string())]
    });
    let test = value(Predicate::In(keys.collect()));
    rows(columns, true, Some(ranges(&test, usize::MAX)))
}

/// The irregular objects that may reference one of `targets`.
pub(in crate::records::object) fn irregular_references(targets: &[ObjectId]) -> IndexPredicate {
    let number = |target: &ObjectId| Literal::Number(Numeric::Integer(target.get().into()));
    let test = value(Predicate::In(targets.iter().map(number).collect()));
    let named = rows(vec![TARGETS], true, Some(ranges(&test, usize::MAX)));
    IndexPredicate::any(vec![named, IndexPredicate::Unindexed])
}

/// The regular objects of a type whose set of field names differs from the type's.
pub(super) fn unclean(entry: &TypeEntry) -> IndexPredicate {
    let (known, gone): (Vec<_>, Vec<_>) = entry
        .layout
        .fields()
        .partition(|(name, _)| entry.record.field(name).is_some());
    let absent =
        |columns: &[(&str, Column)]| columns.iter().map(|(_, column)| column.absent()).collect();
    let lacks_one = rows(absent(&known), true, None);
    let still_has = gone.into_iter().map(|(_, column)| {
        let any = rows(vec![column.id], false, None);
        let lacks = rows(vec![column.absent()], false, None);
        IndexPredicate::all(vec![any, lacks.negated()])
    });
    let has_unknown = IndexPredicate::all(vec![
        IndexPredicate::Types(vec![entry.record.public_id]),
        UnknownFields::Any.objects(),
    ]);
    let first = [lacks_one, has_unknown].into_iter();
    IndexPredicate::any(first.chain(still_has).collect())
}
