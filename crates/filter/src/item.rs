//! Conditions on an item `{"name": …, "value": …}` whose value is a scalar, as fields of objects
//! are.

use crate::datum::Datum;
use crate::error::TooExpensive;
use crate::evaluate::{decide, holds_for_scalar};
use crate::node::{Node, Predicate};
use crate::path::Path;
use crate::types::Share;

/// Of a condition on an item what is left to ask of the item's `value` when its `name` is known: a
/// condition whose paths all are `value`, or a [constant](Node::constant). An item has these two
/// keys and no other, and its value is a scalar, so that every other path leads to a missing value.
///
/// # Errors
///
/// [`TooExpensive`] when a regular expression passes its limit on the name, even where an
/// evaluation of the whole condition might not get as far as to that expression.
pub fn specialize(test: &Node, name: &str) -> Result<Node, TooExpensive> {
    Ok(match test {
        Node::And(nodes) => match members(nodes, name, false)? {
            Some(left) => Node::and(left),
            None => Node::constant(false),
        },
        Node::Or(nodes) => match members(nodes, name, true)? {
            Some(left) => or(left),
            None => Node::constant(true),
        },
        Node::Nor(nodes) => match members(nodes, name, true)? {
            Some(left) if left.is_empty() => Node::constant(true),
            Some(left) => Node::Nor(left),
            None => Node::constant(false),
        },
        Node::Field { path, .. } if is_value(path) => test.clone(),
        Node::Field { path, predicate } => {
            let found = is_single(path, "name").then_some(Datum::Text(name));
            Node::constant(holds_for_scalar(predicate, path, found)?)
        }
    })
}

/// Whether the condition holds for the document `{"value": value}`, where `value` is no object and
/// no array.
///
/// # Errors
///
/// [`TooExpensive`] when a regular expression passes its limit.
pub fn holds_for(test: &Node, value: Datum<'_>) -> Result<bool, TooExpensive> {
    decide(test, &|path, predicate| {
        holds_for_scalar(predicate, path, is_value(path).then_some(value))
    })
}

/// Whether [`holds_for`] says of the value that [`Key::decode`](crate::Key::decode) finds what it
/// says of the value that went into the key, unless the key [is cut](crate::Key::is_cut). It does
/// not where `$type` tells forms of numbers apart, because `3` and `3.0` have the same key.
#[must_use]
pub fn key_suffices(test: &Node) -> bool {
    match test {
        Node::And(nodes) | Node::Or(nodes) | Node::Nor(nodes) => nodes.iter().all(key_suffices),
        Node::Field { predicate, .. } => !tells_forms_apart(predicate),
    }
}

fn tells_forms_apart(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Type(types) => types.numbers() == Share::Some,
        Predicate::Not(predicates) => predicates.iter().any(tells_forms_apart),
        _ => false,
    }
}

/// Whether the path is `value` and nothing more.
pub(crate) fn is_value(path: &Path) -> bool {
    is_single(path, "value")
}

fn is_single(path: &Path, name: &str) -> bool {
    matches!(path.segments(), [only] if only.name() == name)
}

/// The members that are not constant; `None` when one of them is the constant that decides over
/// all.
fn members(nodes: &[Node], name: &str, decisive: bool) -> Result<Option<Vec<Node>>, TooExpensive> {
    let mut left = Vec::with_capacity(nodes.len());
    for node in nodes {
        let node = specialize(node, name)?;
        match constant(&node) {
            Some(truth) if truth == decisive => return Ok(None),
            Some(_) => {}
            None => left.push(node),
        }
    }
    Ok(Some(left))
}

fn constant(node: &Node) -> Option<bool> {
    match node {
        Node::And(nodes) if nodes.is_empty() => Some(true),
        Node::Or(nodes) if nodes.is_empty() => Some(false),
        _ => None,
    }
}

fn or(mut nodes: Vec<Node>) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        Some(last) => {
            nodes.push(last);
            Node::Or(nodes)
        }
        None => Node::Or(nodes),
    }
}
