//! References to the ids that earlier operations gave: `{"$result": 0}` in a body, `{$result:0}`
//! in a path.

use std::convert::Infallible;

use stockroom_model::body::Report;
use stockroom_model::json::{Value, pointer};

use super::operation::Operation;
use crate::answer::Problem;

const KEY: &str = "$result";
const OPEN: &str = "{$result:";

/// Reports references that cannot have an id. `gives_id` says whether an operation before this one
/// gives an id.
pub(super) fn check(
    operation: &Operation,
    at: &str,
    gives_id: impl Fn(usize) -> bool,
    report: &Report,
) {
    let detail = "must name an earlier operation that inserts a record";
    let is_good = |number: Option<usize>| number.is_some_and(&gives_id);
    for part in operation.path.split(OPEN).skip(1) {
        let number = part
            .split_once('}')
            .and_then(|(number, _)| number.parse().ok());
        if !is_good(number) {
            report.problem(format!("{at}/path"), detail.to_owned());
        }
    }
    if let Some(body) = &operation.body {
        each_in(body, &format!("{at}/body"), &mut |pointer, number| {
            if !is_good(number) {
                report.problem(pointer.to_owned(), detail.to_owned());
            }
        });
    }
}

/// Passes on every reference in a body: its pointer, and its number if it is one.
fn each_in(value: &Value, at: &str, each: &mut impl FnMut(&str, Option<usize>)) {
    if let Some(named) = reference(value) {
        return each(at, number(named));
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                each_in(member, &pointer(at, name), each);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each_in(item, &pointer(at, index), each);
            }
        }
        _ => {}
    }
}

/// What a reference names, if it is one.
fn reference(value: &Value) -> Option<&Value> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get(KEY)
}

/// The index of an operation.
fn number(named: &Value) -> Option<usize> {
    usize::try_from(named.as_u64()?).ok()
}

/// The body with the ids.
pub(super) fn in_body(body: &Value, ids: &[Option<u64>]) -> Result<Value, Problem> {
    if let Some(named) = reference(body) {
        return id(number(named), ids).map(Value::from);
    }
    Ok(match body {
        Value::Object(members) => {
            let members = members.iter();
            let filled = members.map(|(name, member)| Ok((name.clone(), in_body(member, ids)?)));
            Value::Object(filled.collect::<Result<_, Problem>>()?)
        }
        Value::Array(items) => {
            let filled = items.iter().map(|item| in_body(item, ids));
            Value::Array(filled.collect::<Result<_, Problem>>()?)
        }
        other => other.clone(),
    })
}

/// The path with the ids.
pub(super) fn in_path(path: &str, ids: &[Option<u64>]) -> Result<String, Problem> {
    filled(path, |number| id(number, ids))
}

/// The path with some id in place of each reference.
pub(super) fn with_any_ids(path: &str) -> String {
    filled(path, |_| Ok::<u64, Infallible>(1)).unwrap_or_else(|never| match never {})
}

fn filled<E>(path: &str, id: impl Fn(Option<usize>) -> Result<u64, E>) -> Result<String, E> {
    let mut parts = path.split(OPEN);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('}').unwrap_or((part, ""));
        filled.push_str(&id(number.parse().ok())?.to_string());
        filled.push_str(rest);
    }
    Ok(filled)
}

fn id(number: Option<usize>, ids: &[Option<u64>]) -> Result<u64, Problem> {
    let id = number.and_then(|number| *ids.get(number)?);
    id.ok_or_else(|| {
        Problem::invalid(
            "",
            "the operation that it names gave no id, which is a number",
        )
    })
}
