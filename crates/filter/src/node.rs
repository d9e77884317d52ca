//! The tree of a filter, which the evaluator runs and a store lowers to SQL.

use std::cmp::Ordering;

use crate::literal::{Literal, LiteralSet};
use crate::path::Path;
use crate::pattern::Pattern;
use crate::types::TypeSet;

/// A filter with more conditions may take long on a large document.
const MANY_CONDITIONS: usize = 100;

/// A condition on a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// All members hold; true without members.
    And(Vec<Node>),
    /// At least one member holds; false without members.
    Or(Vec<Node>),
    /// No member holds.
    Nor(Vec<Node>),
    /// A value at `path` satisfies `predicate`.
    Field {
        /// The path to the values. It can lead to several through arrays; one match is enough.
        path: Path,
        /// The condition on a value.
        predicate: Predicate,
    },
}

/// A condition on the values at a path.
///
/// As MongoDB defines them, negative operators are [`Predicate::Not`] of the positive ones, and
/// `$all` is the conjunction of its members. So `$ne`, `$nin`, `$all` and `{"$exists": false}` have
/// no variants here.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// Equal, by [`compare`](crate::compare); [`Literal::Null`] also matches a missing value.
    Equal(Literal),
    /// In this relation to the literal *and* of the same type.
    Compare(Comparison, Literal),
    /// Equal to one of the literals, as by [`Predicate::Equal`].
    In(LiteralSet),
    /// Present, even if `null`.
    Exists,
    /// Of one of these types.
    Type(TypeSet),
    /// A number whose integer part, divided by `divisor`, leaves `remainder` (with the sign of the
    /// dividend).
    Mod {
        /// Not zero.
        divisor: i64,
        /// The expected remainder.
        remainder: i64,
    },
    /// A text in which the expression finds a match.
    Regex(Pattern),
    /// An array of this many items. Tests only the value at the path, not the items of an array
    /// there.
    Size(u64),
    /// An array with an item that satisfies the test. Tests only the value at the path, as
    /// [`Predicate::Size`].
    Element(ElementTest),
    /// Not all of these hold *at the path*. This is the complement, so documents without the path
    /// match.
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
    /// Whether a value whose order relative to the operand is `order` satisfies the relation.
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
    /// `{"$elemMatch": {"$gt": …}}`: all of these hold for the item itself. If the item is an
    /// array, its own items are not tested.
    Value(Vec<Predicate>),
}

impl Node {
    /// Whether a test of a document may take long, so that nobody else should wait for its thread.
    #[must_use]
    pub fn may_take_long(&self) -> bool {
        self.conditions() > MANY_CONDITIONS || self.has_heavy_pattern()
    }

    /// About how many bytes of memory it takes, which also says how long a copy takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let more = match self {
            Self::And(nodes) | Self::Or(nodes) | Self::Nor(nodes) => {
                nodes.iter().map(Self::bytes).sum()
            }
            Self::Field { predicate, .. } => predicate.bytes(),
        };
        size_of::<Self>() + more
    }

    fn conditions(&self) -> usize {
        match self {
            Self::And(nodes) | Self::Or(nodes) | Self::Nor(nodes) => {
                nodes.iter().map(Self::conditions).sum()
            }
            Self::Field { predicate, .. } => predicate.conditions(),
        }
    }

    fn has_heavy_pattern(&self) -> bool {
        match self {
            Self::And(nodes) | Self::Or(nodes) | Self::Nor(nodes) => {
                nodes.iter().any(Self::has_heavy_pattern)
            }
            Self::Field { predicate, .. } => predicate.has_heavy_pattern(),
        }
    }

    /// The flattened conjunction: nested conjunctions are merged, and a single member is returned
    /// as it is.
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

    /// Visits the paths that start at the document; those below `$elemMatch` start at an item.
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

    /// Like [`Node::each_path`], with mutable paths.
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

    /// A condition that is always true or always false.
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
    /// Whether the predicate also tests the items of an array at the path.
    #[must_use]
    pub fn looks_into_arrays(&self) -> bool {
        !matches!(self, Self::Size(_) | Self::Element(_))
    }

    fn bytes(&self) -> usize {
        let more = match self {
            Self::Equal(literal) | Self::Compare(_, literal) => literal.bytes(),
            Self::In(set) => set.as_slice().iter().map(Literal::bytes).sum(),
            Self::Not(predicates) | Self::Element(ElementTest::Value(predicates)) => {
                predicates.iter().map(Self::bytes).sum()
            }
            Self::Element(ElementTest::Document(node)) => node.bytes(),
            // Copies share what was compiled.
            Self::Regex(pattern) => pattern.source().len(),
            Self::Exists | Self::Type(_) | Self::Mod { .. } | Self::Size(_) => 0,
        };
        size_of::<Self>() + more
    }

    fn conditions(&self) -> usize {
        match self {
            Self::Not(predicates) | Self::Element(ElementTest::Value(predicates)) => {
                predicates.iter().map(Self::conditions).sum()
            }
            Self::Element(ElementTest::Document(node)) => node.conditions(),
            _ => 1,
        }
    }

    fn has_heavy_pattern(&self) -> bool {
        match self {
            Self::Regex(pattern) => pattern.may_take_long(),
            Self::Not(predicates) | Self::Element(ElementTest::Value(predicates)) => {
                predicates.iter().any(Self::has_heavy_pattern)
            }
            Self::Element(ElementTest::Document(node)) => node.has_heavy_pattern(),
            _ => false,
        }
    }
}
