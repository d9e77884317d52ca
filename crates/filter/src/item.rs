//! Conditions on an item `{"name": …, "value": …}` with a scalar value, such as a field of an
//! object.

use crate::datum::Datum;
use crate::error::TooExpensive;
use crate::evaluate::{decide, holds_for_scalar};
use crate::node::{Node, Predicate};
use crate::path::Path;
use crate::types::Share;
use crate::work::Work;

/// Reduces a condition on an item whose `name` is known to a condition on its `value`: all paths of
/// the result are `value`, or the result is a [constant](Node::constant). Every other path leads to
/// a missing value, because an item has only these two keys and its value is a scalar.
///
/// # Errors
///
/// [`TooExpensive`] when a regular expression passes its limit on the name, even if evaluating the
/// whole condition might not reach that expression.
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
            Node::constant(holds_for_scalar(predicate, path, found, &Work::default())?)
        }
    })
}

/// Whether [`specialize`] may give another result for another name.
#[must_use]
pub fn depends_on_name(test: &Node) -> bool {
    match test {
        Node::And(nodes) | Node::Or(nodes) | Node::Nor(nodes) => nodes.iter().any(depends_on_name),
        Node::Field { path, .. } => is_single(path, "name"),
    }
}

/// Whether the condition holds for the document `{"value": value}`. `value` must be a scalar.
///
/// # Errors
///
/// [`TooExpensive`] when a regular expression passes its limit.
pub fn holds_for(test: &Node, value: Datum<'_>) -> Result<bool, TooExpensive> {
    let work = Work::default();
    decide(test, &|path, predicate| {
        holds_for_scalar(predicate, path, is_value(path).then_some(value), &work)
    })
}

/// Whether [`holds_for`] gives the same result for the value from
/// [`Key::decode`](crate::Key::decode) as for the original value, unless the key [is
/// cut](crate::Key::is_cut). It does not if `$type` distinguishes forms of numbers, because `3` and
/// `3.0` have the same key.
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

/// Whether the path is exactly `value`.
pub(crate) fn is_value(path: &Path) -> bool {
    is_single(path, "value")
}

fn is_single(path: &Path, name: &str) -> bool {
    matches!(path.segments(), [only] if only.name() == name)
}

/// The non-constant members; `None` if one member is the constant that decides the result.
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
