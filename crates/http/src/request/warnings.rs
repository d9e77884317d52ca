//! What is legal in a filter, but looks like a mistake.

use std::fmt::Write as _;

use stockroom_model::json::Value;

/// Operators without their sign, which compare with an object. Those that records have as names of
/// members (`type`, `size`, `all`) are not doubted.
const UNSIGNED: [&str; 11] = [
    "eq",
    "ne",
    "gt",
    "gte",
    "lt",
    "lte",
    "in",
    "nin",
    "regex",
    "exists",
    "elemMatch",
];

/// The pointer of the first operator without its sign, and what is meant.
pub(super) fn unsigned_operator(filter: &Value) -> Option<(String, String)> {
    let mut pointer = "filter".to_owned();
    let operator = find(filter, &mut pointer)?;
    Some((
        pointer,
        format!("compares with an object; the operator is ${operator}"),
    ))
}

/// Finds the operator in a condition, and extends `pointer` by the way to it.
fn find<'v>(value: &'v Value, pointer: &mut String) -> Option<&'v str> {
    let length = pointer.len();
    let members = value.as_object().into_iter().flatten();
    for (name, member) in members {
        pointer.push('/');
        pointer.push_str(name);
        let unsigned = member.as_object().filter(|_| !name.starts_with('$'));
        let unsigned = unsigned.and_then(|members| members.keys().next());
        let found = unsigned
            .map(String::as_str)
            .filter(|name| UNSIGNED.contains(name));
        if let Some(operator) = found.or_else(|| find(member, pointer)) {
            return Some(operator);
        }
        pointer.truncate(length);
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        let _ = write!(pointer, "/{number}");
        if let Some(operator) = find(item, pointer) {
            return Some(operator);
        }
        pointer.truncate(length);
    }
    None
}
