//! Computes which keys can satisfy a condition on a single value.

mod set;

use crate::datum::Datum;
use crate::item::is_value;
use crate::key::{Key, Tag};
use crate::literal::Literal;
use crate::node::{Comparison, Node, Predicate};
use crate::pattern::Pattern;
use crate::types::{Share, Type, TypeSet};

pub use set::{KeyRange, Ranges};

/// The keys of the scalars that satisfy [`holds_for`](crate::holds_for), if the keys were made with
/// the same `text_bytes`. Says nothing about objects and arrays.
///
/// Conditions on paths other than `value` are ignored: any key may satisfy them.
#[must_use]
pub fn ranges(test: &Node, text_bytes: usize) -> Ranges {
    let keys = Keys { text_bytes };
    let members = |nodes: &[Node]| -> Vec<Ranges> {
        nodes.iter().map(|node| ranges(node, text_bytes)).collect()
    };
    match test {
        Node::And(nodes) => Ranges::in_all(members(nodes)),
        Node::Or(nodes) => Ranges::in_any(members(nodes)),
        Node::Nor(nodes) => Ranges::in_any(members(nodes)).complement(),
        // Values at a timestamp's path may also compare as the dates in their texts.
        Node::Field { path, predicate } if is_value(path) && !path.is_timestamp() => {
            keys.of(predicate)
        }
        Node::Field { .. } => Ranges::all().inexact(),
    }
}

struct Keys {
    text_bytes: usize,
}

impl Keys {
    fn of(&self, predicate: &Predicate) -> Ranges {
        match predicate {
            Predicate::Equal(literal) => self.equal(literal),
            Predicate::Compare(relation, literal) => self.compare(*relation, literal),
            Predicate::In(set) => {
                Ranges::in_any(set.as_slice().iter().map(|literal| self.equal(literal)))
            }
            Predicate::Exists => Ranges::all(),
            Predicate::Type(types) => of_types(*types),
            Predicate::Mod { .. } => Ranges::from(KeyRange::of_type(Tag::Number)).inexact(),
            Predicate::Regex(pattern) => self.regex(pattern),
            // A scalar is not an array.
            Predicate::Size(_) | Predicate::Element(_) => Ranges::none(),
            Predicate::Not(predicates) => {
                Ranges::in_all(predicates.iter().map(|predicate| self.of(predicate))).complement()
            }
        }
    }

    fn equal(&self, literal: &Literal) -> Ranges {
        self.scalar(literal).map_or(Ranges::none(), |key| {
            let exact = self.is_exact(&key);
            Ranges::from(KeyRange::point(key)).exact_if(exact)
        })
    }

    /// If the literal's text is cut, its own key is always included: values on both sides of the
    /// literal share it.
    fn compare(&self, relation: Comparison, literal: &Literal) -> Ranges {
        let Some(key) = self.scalar(literal) else {
            return Ranges::none();
        };
        let exact = self.is_exact(&key);
        let KeyRange { from, to } = KeyRange::of_type(Tag::of(literal.datum()));
        let point = KeyRange::point(key);
        let range = match relation {
            Comparison::Greater if exact => KeyRange { from: point.to, to },
            Comparison::Greater | Comparison::GreaterOrEqual => KeyRange {
                from: point.from,
                to,
            },
            Comparison::Less if exact => KeyRange {
                from,
                to: point.from,
            },
            Comparison::Less | Comparison::LessOrEqual => KeyRange { from, to: point.to },
        };
        Ranges::from(range).exact_if(exact)
    }

    fn regex(&self, pattern: &Pattern) -> Ranges {
        let Some(prefix) = pattern.prefix() else {
            return Ranges::from(KeyRange::of_type(Tag::Text)).inexact();
        };
        let key = Key::of(Datum::Text(&prefix.text), self.text_bytes).into_bytes();
        let exact = prefix.is_all && prefix.text.len() <= self.text_bytes;
        Ranges::from(KeyRange::beginning_with(key)).exact_if(exact)
    }

    fn scalar(&self, literal: &Literal) -> Option<Vec<u8>> {
        match literal.datum() {
            Datum::Object(_) | Datum::Array(_) => None,
            scalar => Some(Key::of(scalar, self.text_bytes).into_bytes()),
        }
    }

    fn is_exact(&self, key: &[u8]) -> bool {
        !Key::is_cut(key, self.text_bytes)
    }
}

/// A key tells numbers from other types, but not the forms of numbers apart.
fn of_types(types: TypeSet) -> Ranges {
    let tags = [
        (Type::Null, Tag::Null),
        (Type::String, Tag::Text),
        (Type::Object, Tag::Object),
        (Type::Array, Tag::Array),
        (Type::Bool, Tag::Bool),
        (Type::Date, Tag::Date),
    ];
    let tags = tags.into_iter().filter(|(kind, _)| types.contains(*kind));
    let others = tags.map(|(_, tag)| Ranges::from(KeyRange::of_type(tag)));
    let numbers = Ranges::from(KeyRange::of_type(Tag::Number));
    let numbers = match types.numbers() {
        Share::None => Ranges::none(),
        Share::Some => numbers.inexact(),
        Share::All => numbers,
    };
    Ranges::in_any(others.chain([numbers]))
}
