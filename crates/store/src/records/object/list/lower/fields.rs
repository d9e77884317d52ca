//! Lowers conditions on values of fields to index rows.

use stockroom_filter::{Datum, Literal, Node, Predicate, Ranges, TEXT_BYTES, holds_for, ranges};
use stockroom_model::TypeId;

use super::part::{Part, is_single};
use crate::records::object::index::Column;
use crate::records::object::list::predicate::{IndexPredicate, IndexRows, KeyScan};

/// Maximum key ranges in one statement; more of them become a scan of all keys.
const MAX_SPANS: usize = 64;
/// Maximum names that are looked up in each type.
const MAX_NAMES: usize = 64;

/// Objects with a field among `columns`, each given with its type, whose value passes the test.
/// Rows of missing fields have the key of null, but do not count.
pub(super) fn items(test: &Node, columns: &[(TypeId, Column)]) -> Part {
    if *test == Node::constant(false) {
        return Part::of_regular(IndexPredicate::never());
    }
    let mut types: Vec<TypeId> = columns.iter().map(|(id, _)| *id).collect();
    types.sort_unstable();
    let may_repeat_objects = types.windows(2).any(|pair| pair[0] == pair[1]);
    let columns: Vec<Column> = columns.iter().map(|(_, column)| *column).collect();
    let matches_null = holds_for(test, Datum::Null).unwrap_or(true);
    found(test, &columns, may_repeat_objects, matches_null)
}

/// Objects with a row among `columns` whose value passes the test. If `exclude_missing`, rows of
/// missing fields do not count.
pub(super) fn found(
    test: &Node,
    columns: &[Column],
    may_repeat_objects: bool,
    exclude_missing: bool,
) -> Part {
    let mut lengths: Vec<usize> = columns.iter().map(|column| column.text_bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let of_length = |text_bytes: usize| {
        let of_length = columns
            .iter()
            .filter(|column| column.text_bytes == text_bytes);
        let ids = of_length.map(|column| column.id).collect();
        found_alike(test, ids, text_bytes, may_repeat_objects, exclude_missing)
    };
    let parts = lengths.into_iter().map(of_length).collect();
    Part::joined(parts, IndexPredicate::any).of_regular_only()
}

/// Like [`found`], for columns with the same `text_bytes`.
fn found_alike(
    test: &Node,
    columns: Vec<i64>,
    text_bytes: usize,
    may_repeat_objects: bool,
    exclude_missing: bool,
) -> Part {
    let keys = ranges(test, text_bytes);
    let spans = keys.ranges.iter().filter(|range| !range.is_point()).count();
    let exact = keys.exact && spans <= MAX_SPANS;
    // Nearly every key would be cut, so nearly every document would be read.
    if !exact && text_bytes < TEXT_BYTES && spans > 0 {
        return Part::unknown();
    }
    let keys = if spans > MAX_SPANS {
        Ranges::all()
    } else {
        keys
    };
    let IndexPredicate::Rows(rows) = rows(columns, may_repeat_objects, Some(keys)) else {
        return Part::of_regular(IndexPredicate::never());
    };
    let rows = IndexRows {
        exclude_missing,
        ..rows
    };
    Part::of_regular(if exact {
        IndexPredicate::Rows(rows)
    } else {
        IndexPredicate::KeyScan(KeyScan {
            rows,
            test: test.clone(),
            text_bytes,
        })
    })
}

pub(super) fn rows(
    mut columns: Vec<i64>,
    may_repeat_objects: bool,
    keys: Option<Ranges>,
) -> IndexPredicate {
    let ranges = keys.map(|keys| keys.ranges);
    if columns.is_empty() || ranges.as_ref().is_some_and(Vec::is_empty) {
        return IndexPredicate::never();
    }
    columns.sort_unstable();
    IndexPredicate::Rows(IndexRows {
        columns,
        may_repeat_objects,
        ranges: ranges.filter(|ranges| *ranges != Ranges::all().ranges),
        exclude_missing: false,
    })
}

/// The only names that a test on items accepts, if a top-level conjunct requires them.
pub(super) fn names(test: &Node) -> Option<Vec<&str>> {
    let conjuncts = match test {
        Node::And(nodes) => nodes.as_slice(),
        other => std::slice::from_ref(other),
    };
    conjuncts.iter().find_map(|node| {
        let Node::Field { path, predicate } = node else {
            return None;
        };
        let names = match predicate {
            Predicate::Equal(name) => std::slice::from_ref(name),
            Predicate::In(names) => names.as_slice(),
            _ => return None,
        };
        let is_name = is_single(path, "name") && names.len() <= MAX_NAMES;
        is_name.then(|| names.iter().map(text).collect()).flatten()
    })
}

fn text(literal: &Literal) -> Option<&str> {
    match literal {
        Literal::Text(text) => Some(text),
        _ => None,
    }
}
