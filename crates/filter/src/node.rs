//! The tree of a filter, which the evaluator runs and a store lowers to SQL.

use std::cmp::Ordering;

use crate::literal::{Literal, LiteralSet};
use crate::path::Path;
use crate::pattern::Pattern;
use crate::types::TypeSet;

/// A condition on a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// All hold; without members it holds always.
    And(Vec<Node>),
    /// At least one holds; without members it never holds.
    Or(Vec<Node>),
    /// None holds.
    Nor(Vec<Node>),
    /// A value at `path` satisfies `predicate`.
    Field {
        /// Where to look; one path can lead to several values through arrays, and one that
        /// satisfies is enough.
        path: Path,
        /// What to look for.
        predicate: Predicate,
    },
}

/// A condition on the values at a path.
///
/// The negative operators are [`Predicate::Not`] of their positive ones and `$all` is the
/// conjunction of its members, as MongoDB defines them; so there is nothing here for `$ne`, `$nin`,
/// `$all` and `{"$exists": false}`.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// Equal, by [`compare`](crate::compare); [`Literal::Null`] also matches a missing value.
    Equal(Literal),
    /// In this relation to the literal *and* of its type.
    Compare(Comparison, Literal),
    /// Equal to one of the literals, as by [`Predicate::Equal`].
    In(LiteralSet),
    /// Present, be it `null`.
    Exists,
    /// Of one of these types.
    Type(TypeSet),
    /// A number whose integer part leaves `remainder` (of the dividend's sign) when divided by
    /// `divisor`.
    Mod {
        /// Not zero.
        divisor: i64,
        /// What must be left.
        remainder: i64,
    },
    /// A text in which the expression finds a match.
    Regex(Pattern),
    /// An array of this many items. Looks at the value at the path only, never at the items of an
    /// array found there.
    Size(u64),
    /// An array with an item that satisfies the test. Looks at the value at the path only, as
    /// [`Predicate::Size`].
    Element(ElementTest),
    /// Not all of these hold *at the path*: the complement, so documents without the path are among
    /// the matches.
    Not(Vec<Predicate>),
}

/// The relations of `$gt`, `$gte`, `$lt` and `$lte`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `$gt`
    Greater,
    /// `$gte`
    GreaterOrEqual,
    /// `$lt`
    Less,
    /// `$lte`
    LessOrEqual,
}

impl Comparison {
    /// Whether a value that stands in this order to the operand is in the relation.
    #[must_use]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
        }
    }
}

/// The operand of `$elemMatch`.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementTest {
    /// `{"$elemMatch": {"name": …}}`: the item is an object (or an array, whose positions are then
    /// its keys) for which the condition holds; its paths start at the item.
    Document(Box<Node>),
    /// `{"$elemMatch": {"$gt": …}}`: all of these hold for the item itself; an item that is an
    /// array is not looked into.
    Value(Vec<Predicate>),
}

impl Node {
    /// The conjunction, flat: conjunctions among the members give up their own members, and one
    /// member stands alone.
    #[must_use]
    pub fn and(nodes: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Self::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.pop() {
            Some(only) if flat.is_empty() => only,
            Some(last) => {
                flat.push(last);
                Self::And(flat)
            }
            None => Self::And(flat),
        }
    }

    /// Shows the paths that begin at the document; those below `$elemMatch` begin at an item.
    pub(crate) fn each_path(&self, see: &mut impl FnMut(&Path)) {
        match self {
            Self::And(nodes) | Self::Or(nodes) | Self::Nor(nodes) => {
                for node in nodes {
                    node.each_path(see);
                }
            }
            Self::Field { path, .. } => see(path),
        }
    }

    /// The same, to change them.
    pub(crate) fn each_path_mut(&mut self, change: &mut impl FnMut(&mut Path)) {
        match self {
            Self::And(nodes) | Self::Or(nodes) | Self::Nor(nodes) => {
                for node in nodes {
                    node.each_path_mut(change);
                }
            }
            Self::Field { path, .. } => change(path),
        }
    }

    /// A condition that is always or never true.
    #[must_use]
    pub fn constant(truth: bool) -> Self {
        if truth {
            Self::And(Vec::new())
        } else {
            Self::Or(Vec::new())
        }
    }
}

impl Predicate {
    /// Whether the items of an array found at the path are looked at besides the array itself.
    #[must_use]
    pub fn looks_into_arrays(&self) -> bool {
        !matches!(self, Self::Size(_) | Self::Element(_))
    }
}
