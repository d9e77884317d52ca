//! Predicates on regular objects, decided by rows of the tables.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use stockroom_filter::{KeyRange, Node, Ranges};
use stockroom_model::{ObjectId, TypeId};

/// A predicate on a regular object, decided by rows of the tables.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum IndexPredicate {
    /// All members hold; true without members.
    All(Vec<IndexPredicate>),
    /// At least one member holds; false without members.
    Any(Vec<IndexPredicate>),
    /// The inner predicate does not hold.
    Not(Box<IndexPredicate>),
    /// The object has one of these index rows.
    Rows(IndexRows),
    /// The object has one of these index rows, with a value that passes the test.
    KeyScan(KeyScan),
    /// The object has one of these ids, ascending.
    Ids(Vec<ObjectId>),
    /// Like [`Self::Ids`], found by a key scan. All these objects are of types that the query can
    /// find.
    Scanned(Vec<ObjectId>),
    /// The id is within these bounds, both inclusive.
    IdRange(i64, i64),
    /// The object is of one of these types.
    Types(Vec<TypeId>),
    /// Like [`Self::Types`], for common types and rows that are not in the order of types.
    CommonTypes(Vec<TypeId>),
    /// The object is not active.
    Inactive,
    /// The object is irregular.
    Irregular,
    /// Nothing of the object is indexed yet.
    Unindexed,
}

/// Index rows: all key ranges in all columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IndexRows {
    /// The columns; there is at least one.
    pub(super) columns: Vec<i64>,
    /// Whether one object may have several of these rows.
    pub(super) may_repeat_objects: bool,
    /// The key ranges; `None` for all keys.
    pub(super) ranges: Option<Vec<KeyRange>>,
    /// Whether to exclude rows of fields that the object lacks, which have the key of null.
    pub(super) exclude_missing: bool,
}

/// Index rows whose values are tested one by one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyScan {
    /// The rows that may match.
    pub(super) rows: IndexRows,
    /// The test of the value.
    pub(super) test: Node,
    /// Bytes of a text that their keys hold.
    pub(super) text_bytes: usize,
}

impl IndexPredicate {
    pub(super) const fn always() -> Self {
        Self::All(Vec::new())
    }

    pub(super) const fn never() -> Self {
        Self::Any(Vec::new())
    }

    pub(super) const fn is_always(&self) -> bool {
        matches!(self, Self::All(members) if members.is_empty())
    }

    pub(super) const fn is_never(&self) -> bool {
        matches!(self, Self::Any(members) if members.is_empty())
    }

    /// The flattened conjunction.
    pub(super) fn all(members: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match member {
                Self::All(inner) => flat.extend(inner),
                never if never.is_never() => return never,
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Self::All(flat),
        }
    }

    /// The flattened disjunction. Rows of the same columns become one set of keys.
    pub(super) fn any(members: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match member {
                Self::Any(inner) => flat.extend(inner),
                always if always.is_always() => return always,
                other => flat.push(other),
            }
        }
        if flat.len() > 1 {
            flat = united(flat);
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Self::Any(flat),
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::All(members) if members.is_empty() => Self::never(),
            Self::Any(members) if members.is_empty() => Self::always(),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// A weaker predicate without tests of values: everything that satisfies this one also
    /// satisfies it. The rows of a key scan include some that fail its test, so their negation
    /// would exclude too much.
    pub(super) fn widened(self) -> Self {
        let each = |members: Vec<Self>| members.into_iter().map(Self::widened).collect();
        match self {
            Self::All(members) => Self::all(each(members)),
            Self::Any(members) => Self::any(each(members)),
            Self::Not(inner) if inner.has_key_scans() => Self::always(),
            other => other,
        }
    }

    /// How many terms its statement has: sets of ids, key ranges and comparisons.
    pub(super) fn terms(&self) -> usize {
        match self {
            Self::All(members) | Self::Any(members) => members.iter().map(Self::terms).sum(),
            Self::Not(inner) => inner.terms(),
            Self::Rows(rows) | Self::KeyScan(KeyScan { rows, .. }) => {
                let ranges = rows.ranges.iter().flatten();
                ranges.filter(|range| !range.is_point()).count().max(1)
            }
            _ => 1,
        }
    }

    fn has_key_scans(&self) -> bool {
        match self {
            Self::All(members) | Self::Any(members) => members.iter().any(Self::has_key_scans),
            Self::Not(inner) => inner.has_key_scans(),
            Self::KeyScan(_) => true,
            _ => false,
        }
    }

    /// The members of a conjunction, or the predicate itself.
    pub(super) fn conjuncts(&self) -> &[Self] {
        match self {
            Self::All(members) => members,
            other => std::slice::from_ref(other),
        }
    }
}

/// The members of a disjunction, with one set of keys for the same columns.
fn united(members: Vec<IndexPredicate>) -> Vec<IndexPredicate> {
    let mut united = Vec::with_capacity(members.len());
    let mut known = BTreeMap::new();
    let mut sets: Vec<(usize, Vec<Ranges>)> = Vec::new();
    for member in members {
        match member {
            IndexPredicate::Rows(IndexRows {
                ranges: Some(ranges),
                columns,
                may_repeat_objects,
                exclude_missing,
            }) => {
                let same = (columns, may_repeat_objects, exclude_missing);
                let set = *known.entry(same).or_insert(sets.len());
                if set == sets.len() {
                    sets.push((united.len(), Vec::new()));
                    united.push(IndexPredicate::never());
                }
                let exact = true;
                sets[set].1.push(Ranges { ranges, exact });
            }
            other => united.push(other),
        }
    }
    for ((columns, may_repeat_objects, exclude_missing), set) in known {
        let (index, ranges) = std::mem::take(&mut sets[set]);
        united[index] = IndexPredicate::Rows(IndexRows {
            columns,
            may_repeat_objects,
            ranges: Some(Ranges::in_any(ranges).ranges),
            exclude_missing,
        });
    }
    united
}

impl IndexRows {
    /// Whether the rows come in the order of the ids of their objects.
    pub(super) fn is_ordered_by_id(&self) -> bool {
        self.columns.len() == 1 && self.is_point()
    }

    /// Whether these are rows of several single keys, of which an object has one at most.
    pub(super) fn has_distinct_points(&self) -> bool {
        let ranges = self.ranges.as_deref().unwrap_or_default();
        let are_points = ranges.len() > 1 && ranges.iter().all(KeyRange::is_point);
        are_points && !self.may_repeat_objects && !self.exclude_missing
    }

    /// Whether all rows have the same key.
    pub(super) fn is_point(&self) -> bool {
        matches!(self.ranges.as_deref(), Some([range]) if range.is_point())
    }

    /// The columns and the only key, if there is only one.
    pub(super) fn point(&self) -> Option<(&[i64], &[u8])> {
        match self.ranges.as_deref() {
            Some([range]) if range.is_point() => Some((&self.columns, &range.from)),
            _ => None,
        }
    }
}

impl Display for IndexPredicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(members) if members.is_empty() => formatter.write_str("always"),
            Self::Any(members) if members.is_empty() => formatter.write_str("never"),
            Self::All(members) => joined(formatter, members, " and "),
            Self::Any(members) => joined(formatter, members, " or "),
            Self::Not(inner) => write!(formatter, "not {inner}"),
            Self::Rows(rows) => rows.fmt(formatter),
            Self::KeyScan(scan) => write!(formatter, "tested {}", scan.rows),
            Self::Ids(ids) => write!(formatter, "{} ids", ids.len()),
            Self::Scanned(ids) => write!(formatter, "{} ids of a key scan", ids.len()),
            Self::IdRange(from, to) => write!(formatter, "ids {from} to {to}"),
            Self::Types(types) | Self::CommonTypes(types) => {
                write!(formatter, "{} types", types.len())
            }
            Self::Inactive => formatter.write_str("inactive"),
            Self::Irregular => formatter.write_str("irregular"),
            Self::Unindexed => formatter.write_str("unindexed"),
        }
    }
}

fn joined(
    formatter: &mut fmt::Formatter<'_>,
    members: &[IndexPredicate],
    word: &str,
) -> fmt::Result {
    formatter.write_str("(")?;
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            formatter.write_str(word)?;
        }
        member.fmt(formatter)?;
    }
    formatter.write_str(")")
}

impl Display for IndexRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let present = if self.exclude_missing { "present " } else { "" };
        write!(formatter, "{present}rows of {} columns", self.columns.len())?;
        match &self.ranges {
            None => Ok(()),
            Some(ranges) => write!(formatter, " in {} key ranges", ranges.len()),
        }
    }
}
