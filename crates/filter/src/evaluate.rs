//! The evaluator, which defines what a filter means.

use serde_json::Value;
use stockroom_model::Timestamp;

use crate::datum::{Datum, object};
use crate::error::TooExpensive;
use crate::literal::Literal;
use crate::node::{Comparison, ElementTest, Node, Predicate};
use crate::order::compare;
use crate::path::{Path, Segment};
use crate::types::Type;
use crate::work::Work;

pub(crate) type Answer = Result<bool, TooExpensive>;

/// What the test of a value takes at most, without expressions.
pub(crate) const TEST_NANOSECONDS: u64 = 50;

/// Whether the condition holds for `document`.
pub(crate) fn matches(node: &Node, document: &Value, work: &Work) -> Answer {
    decide(node, &|path, predicate| {
        holds_at(predicate, path, document, work)
    })
}

/// Whether the condition holds, if `field` decides the conditions on fields.
pub(crate) fn decide(node: &Node, field: &impl Fn(&Path, &Predicate) -> Answer) -> Answer {
    match node {
        Node::And(nodes) => all(nodes, |node| decide(node, field)),
        Node::Or(nodes) => any(nodes, |node| decide(node, field)),
        Node::Nor(nodes) => Ok(!any(nodes, |node| decide(node, field))?),
        Node::Field { path, predicate } => field(path, predicate),
    }
}

/// Whether the predicate holds at a path with only this scalar, or with a missing value.
pub(crate) fn holds_for_scalar(
    predicate: &Predicate,
    path: &Path,
    found: Option<Datum<'_>>,
    work: &Work,
) -> Answer {
    match predicate {
        Predicate::Not(predicates) => Ok(!all(predicates, |predicate| {
            holds_for_scalar(predicate, path, found, work)
        })?),
        _ => holds_here(predicate, path, found, work),
    }
}

/// Whether a document without the path matches.
#[must_use]
pub fn holds_for_missing(predicate: &Predicate) -> bool {
    holds(predicate, None, &Work::default()).unwrap_or(false)
}

pub(crate) fn all<T, E>(
    items: &[T],
    mut test: impl FnMut(&T) -> Result<bool, E>,
) -> Result<bool, E> {
    Ok(!any(items, |item| Ok(!test(item)?))?)
}

pub(crate) fn any<T, E>(
    items: &[T],
    mut test: impl FnMut(&T) -> Result<bool, E>,
) -> Result<bool, E> {
    for item in items {
        if test(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn holds_at(predicate: &Predicate, path: &Path, document: &Value, work: &Work) -> Answer {
    if let Predicate::Not(predicates) = predicate {
        return Ok(!all(predicates, |predicate| {
            holds_at(predicate, path, document, work)
        })?);
    }
    let walk = Walk {
        into_arrays: predicate.looks_into_arrays(),
        test: |found: Option<&Value>| {
            work.add(TEST_NANOSECONDS)?;
            holds_here(predicate, path, found.map(Datum::of), work)
        },
    };
    match path.field() {
        Some(name) => walk.field(document, name),
        None => walk.document(document, path.segments()),
    }
}

fn holds_here(predicate: &Predicate, path: &Path, found: Option<Datum<'_>>, work: &Work) -> Answer {
    Ok(holds(predicate, found, work)?
        || path.is_timestamp() && holds_for_spelled_date(predicate, found, work)?)
}

/// A timestamp stored as text is compared with dates as the date in that text.
pub(crate) fn holds_for_spelled_date(
    predicate: &Predicate,
    found: Option<Datum<'_>>,
    work: &Work,
) -> Answer {
    match (predicate, found) {
        (
            Predicate::Equal(_) | Predicate::Compare(..) | Predicate::In(_),
            Some(Datum::Text(text)),
        ) => Timestamp::from_text(text).map_or(Ok(false), |time| {
            holds(predicate, Some(Datum::Date(time)), work)
        }),
        _ => Ok(false),
    }
}

/// Applies `test` to the values at a path (`None` for a missing one) until one passes.
struct Walk<F> {
    into_arrays: bool,
    test: F,
}

impl<F: Fn(Option<&Value>) -> Answer> Walk<F> {
    /// If an item of `$elemMatch` is an array, its positions are its keys.
    fn document(&self, document: &Value, path: &[Segment]) -> Answer {
        match (document, path) {
            (Value::Array(items), [first, rest @ ..]) => {
                match first.index().and_then(|index| items.get(index)) {
                    Some(item) => self.value(item, rest),
                    None => (self.test)(None),
                }
            }
            _ => self.value(document, path),
        }
    }

    /// Tests the value of the field with this name; without such a field the value is missing.
    fn field(&self, document: &Value, name: &str) -> Answer {
        let fields = document.get("fields").and_then(Value::as_array);
        let mut named = fields
            .into_iter()
            .flatten()
            .filter(|item| item.get("name").and_then(Value::as_str) == Some(name))
            .peekable();
        if named.peek().is_none() {
            return (self.test)(None);
        }
        for item in named {
            let holds = match item.get("value") {
                Some(value) => self.leaf(value)?,
                None => (self.test)(None)?,
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn value(&self, value: &Value, path: &[Segment]) -> Answer {
        let [first, rest @ ..] = path else {
            return self.leaf(value);
        };
        if let Value::Array(items) = value {
            return self.items(items, path);
        }
        match object(value).and_then(|entries| entries.get(first.name())) {
            Some(inner) => self.value(inner, rest),
            None => (self.test)(None),
        }
    }

    /// In an array, the path continues in every item that is an object and, if the segment is a
    /// position, in the item at that position. Other items have no value at the path, not even a
    /// missing one.
    fn items(&self, items: &[Value], path: &[Segment]) -> Answer {
        let [first, rest @ ..] = path else {
            return Ok(false);
        };
        if any(items, |item| {
            Ok(object(item).is_some() && self.value(item, path)?)
        })? {
            return Ok(true);
        }
        match first.index().and_then(|index| items.get(index)) {
            Some(item) => self.value(item, rest),
            None => Ok(false),
        }
    }

    fn leaf(&self, value: &Value) -> Answer {
        if let (true, Value::Array(items)) = (self.into_arrays, value)
            && any(items, |item| (self.test)(Some(item)))?
        {
            return Ok(true);
        }
        (self.test)(Some(value))
    }
}

/// Whether the predicate holds for a single value.
pub(crate) fn holds(predicate: &Predicate, found: Option<Datum<'_>>, work: &Work) -> Answer {
    let or_null = found.unwrap_or(Datum::Null);
    Ok(match predicate {
        Predicate::Equal(literal) => compare(or_null, literal.datum()).is_eq(),
        Predicate::Compare(relation, literal) => compares(or_null, *relation, literal),
        Predicate::In(set) => set.contains(or_null),
        Predicate::Exists => found.is_some(),
        Predicate::Type(types) => found.is_some_and(|datum| types.contains(Type::of(datum))),
        Predicate::Mod { divisor, remainder } => has_remainder(found, *divisor, *remainder),
        Predicate::Regex(pattern) => match found {
            Some(Datum::Text(text)) => pattern.is_match(text, work)?,
            _ => false,
        },
        Predicate::Size(size) => match found {
            Some(Datum::Array(items)) => u64::try_from(items.len()) == Ok(*size),
            _ => false,
        },
        Predicate::Element(test) => match found {
            Some(Datum::Array(items)) => any(items, |item| element(test, item, work))?,
            _ => false,
        },
        Predicate::Not(predicates) => !all(predicates, |predicate| holds(predicate, found, work))?,
    })
}

fn compares(datum: Datum<'_>, relation: Comparison, literal: &Literal) -> bool {
    let literal = literal.datum();
    datum.rank() == literal.rank() && relation.holds(compare(datum, literal))
}

fn has_remainder(found: Option<Datum<'_>>, divisor: i64, remainder: i64) -> bool {
    let Some(Datum::Number(number)) = found else {
        return false;
    };
    number
        .truncated()
        .and_then(|dividend| dividend.checked_rem(divisor.into()))
        == Some(remainder.into())
}

fn element(test: &ElementTest, item: &Value, work: &Work) -> Answer {
    work.add(TEST_NANOSECONDS)?;
    match test {
        ElementTest::Value(predicates) => {
            let found = Some(Datum::of(item));
            all(predicates, |predicate| holds(predicate, found, work))
        }
        ElementTest::Document(node) => {
            Ok((item.is_array() || object(item).is_some()) && matches(node, item, work)?)
        }
    }
}
