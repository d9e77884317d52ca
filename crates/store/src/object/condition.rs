//! Conditions on regular objects, which rows of the tables decide.

use stockroom_filter::{KeyRange, Node};

/// A condition on a regular object that rows of the tables decide.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// All hold; without members it holds always.
    All(Vec<Condition>),
    /// At least one holds; without members it never holds.
    Any(Vec<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// The object has one of these rows in the index.
    Rows(Rows),
    /// The object has one of these rows, and its value passes a test.
    Scan(Scan),
    /// The object has one of these ids, ascending.
    Ids(Vec<i64>),
    /// The object has one of these ids, ascending, of which all belong to types that the query can find.
    Passing(Vec<i64>),
    /// The id of the object lies between these, both included.
    IdRange(i64, i64),
    /// The object is of one of these types.
    Types(Vec<i64>),
    /// The same, for most objects: to be asked of rows that come in another order than that of the types.
    MostTypes(Vec<i64>),
    /// The object is not active.
    Inactive,
    /// The object is not regular; holds for those only.
    Irregular,
}

/// Rows of the index: every range of keys of every column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    /// The columns, at least one.
    pub(super) columns: Vec<i64>,
    /// Whether one object may have several of these rows.
    pub(super) repeats: bool,
    /// The keys; `None` for all.
    pub(super) ranges: Option<Vec<KeyRange>>,
    /// Leaves out the rows of fields that the object lacks, which have the key of null.
    pub(super) present: bool,
}

/// Rows of the index of which the value decides.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scan {
    /// The rows that may match.
    pub(super) rows: Rows,
    /// What the value must satisfy.
    pub(super) test: Node,
    /// How many bytes of a text their keys hold.
    pub(super) text_bytes: usize,
}

impl Condition {
    pub(super) const fn always() -> Self {
        Self::All(Vec::new())
    }

    pub(super) const fn never() -> Self {
        Self::Any(Vec::new())
    }

    pub(super) fn is_always(&self) -> bool {
        matches!(self, Self::All(members) if members.is_empty())
    }

    pub(super) fn is_never(&self) -> bool {
        matches!(self, Self::Any(members) if members.is_empty())
    }

    /// The conjunction, flat.
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

    /// The disjunction, flat.
    pub(super) fn any(members: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match member {
                Self::Any(inner) => flat.extend(inner),
                always if always.is_always() => return always,
                other => flat.push(other),
            }
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

    /// A condition that rows decide alone, and that everything satisfies which satisfies this one: a scan finds more than what passes
    /// its test, so its negation could leave out what does not.
    pub(super) fn widened(self) -> Self {
        let each = |members: Vec<Self>| members.into_iter().map(Self::widened).collect();
        match self {
            Self::All(members) => Self::all(each(members)),
            Self::Any(members) => Self::any(each(members)),
            Self::Not(inner) if inner.has_scans() => Self::always(),
            other => other,
        }
    }

    fn has_scans(&self) -> bool {
        match self {
            Self::All(members) | Self::Any(members) => members.iter().any(Self::has_scans),
            Self::Not(inner) => inner.has_scans(),
            Self::Scan(_) => true,
            _ => false,
        }
    }

    /// The members of a conjunction, or the condition itself.
    pub(super) fn conjuncts(&self) -> &[Self] {
        match self {
            Self::All(members) => members,
            other => std::slice::from_ref(other),
        }
    }
}

impl Rows {
    /// Whether the rows stand in the order of the ids of their objects.
    pub(super) fn is_ordered_by_id(&self) -> bool {
        self.columns.len() == 1 && self.is_point()
    }

    /// Whether all rows have the same key.
    pub(super) fn is_point(&self) -> bool {
        matches!(self.ranges.as_deref(), Some([range]) if range.is_point())
    }
}
