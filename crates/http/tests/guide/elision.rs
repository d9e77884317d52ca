//! `…` stands for parts of an answer that the guide leaves out: members of an object, items of a
//! list, a value, or the rest of a text.

use serde_json::{Map, Value};

/// The sign in the guide and its placeholder in JSON.
pub(crate) const ELISION: &str = "…";

/// Parses JSON with elisions; `None` if it is malformed, and then no part of the answer is left
/// out.
pub(crate) fn parse(shown: &str) -> Option<Value> {
    serde_json::from_str(&as_json(shown)).ok()
}

/// Turns every elision outside of strings into a string, or into a member.
fn as_json(shown: &str) -> String {
    let mut json = String::new();
    // For each open bracket: whether it opens an object, and whether a value comes next.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut in_text = false;
    let mut is_escaped = false;
    let mut members = 0;
    for character in shown.chars() {
        if in_text {
            in_text = is_escaped || character != '"';
            is_escaped = character == '\\' && !is_escaped;
            json.push(character);
            continue;
        }
        match (character, open.last_mut()) {
            ('"', _) => in_text = true,
            ('{', _) => open.push((true, false)),
            ('[', _) => open.push((false, true)),
            ('}' | ']', _) => drop(open.pop()),
            (':', Some((_, is_value))) => *is_value = true,
            (',', Some((is_object, is_value))) => *is_value = !*is_object,
            _ => {}
        }
        match (character, open.last()) {
            ('…', Some((_, false))) => {
                // An object may have several elisions, each as a member with a unique name.
                members += 1;
                json.extend(["\"…", &members.to_string(), "\":\"…\""]);
            }
            ('…', _) => json += "\"…\"",
            (other, _) => json.push(other),
        }
    }
    json
}

/// The answer without the parts that `shown` leaves out.
pub(crate) fn merge(shown: Option<&Value>, answered: &Value) -> Value {
    match (shown, answered) {
        (Some(Value::String(shown)), _) if shown == ELISION => Value::from(ELISION),
        (Some(Value::String(shown)), Value::String(answered)) => {
            Value::from(merge_text(shown, answered))
        }
        (Some(Value::Object(shown)), Value::Object(answered)) => merge_members(shown, answered),
        (Some(Value::Array(shown)), Value::Array(answered)) => merge_items(shown, answered),
        _ => answered.clone(),
    }
}

/// A text without the part that `…` replaces in `shown`.
pub(crate) fn merge_text(shown: &str, answered: &str) -> String {
    let fits = shown.split_once(ELISION).is_some_and(|(start, end)| {
        answered.len() >= start.len() + end.len()
            && answered.starts_with(start)
            && answered.ends_with(end)
    });
    if fits { shown } else { answered }.to_owned()
}

/// Whether a member stands for members that are left out.
pub(crate) fn is_elision(name: &str) -> bool {
    name.starts_with(ELISION)
}

fn merge_members(shown: &Map<String, Value>, answered: &Map<String, Value>) -> Value {
    let merged = |name: &String, value| (name.clone(), merge(shown.get(name), value));
    if !shown.keys().any(|name| is_elision(name)) {
        let members = answered.iter();
        return members.map(|(name, value)| merged(name, value)).collect();
    }
    let is_whole = answered.keys().all(|name| shown.contains_key(name));
    let members = shown.keys().filter_map(|name| match answered.get(name) {
        Some(value) => Some(merged(name, value)),
        None if is_elision(name) && !is_whole => Some((name.clone(), Value::from(ELISION))),
        None => None,
    });
    members.collect()
}

fn merge_items(shown: &[Value], answered: &[Value]) -> Value {
    let elision = shown.iter().position(|item| item == ELISION);
    let kept = shown.len().saturating_sub(1);
    match elision {
        Some(start) if kept < answered.len() => {
            let end = answered.len() - (kept - start);
            let first = answered[..start].iter().zip(shown);
            let last = answered[end..].iter().zip(&shown[start + 1..]);
            let merge = |(item, shown)| merge(Some(shown), item);
            let mut items: Vec<Value> = first.map(merge).collect();
            items.push(Value::from(ELISION));
            items.extend(last.map(merge));
            Value::from(items)
        }
        Some(_) => Value::from(answered),
        // Items beyond the shown ones are shown like the last one.
        None => {
            let items = answered.iter().enumerate();
            let merge = |(index, item)| merge(shown.get(index).or(shown.last()), item);
            items.map(merge).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{merge, parse};
    use crate::notation::write;

    fn merged(shown: &str, answered: &Value) -> String {
        write(&merge(parse(shown).as_ref(), answered))
    }

    #[test]
    fn what_is_left_out_stays_left_out_and_the_rest_is_what_was_answered() {
        let answered = json!({"a": 1, "b": {"c": "eyJhbGci", "d": [1, 2, 3, 4]}, "e": null});
        let whole = write(&answered);
        for (shown, expected) in [
            ("", whole.as_str()),
            ("…", "…"),
            (r#"{"a": 2, …}"#, r#"{"a": 1, …}"#),
            (r#"{…, "e": …}"#, r#"{…, "e": …}"#),
            (
                r#"{"b": {"c": "eyJ…", "d": [9, …, 9]}, …}"#,
                r#"{"b": {"c": "eyJ…", "d": [1, …, 4]}, …}"#,
            ),
            (
                r#"{"b": {"c": "abc…", …}, …}"#,
                r#"{"b": {"c": "eyJhbGci", …}, …}"#,
            ),
            (
                r#"{"b": {"d": [1, …, 2, 3, 4], …}, …}"#,
                r#"{"b": {"d": [1, 2, 3, 4], …}, …}"#,
            ),
        ] {
            assert_eq!(merged(shown, &answered), expected, "{shown}");
        }
    }

    #[test]
    fn an_elision_that_leaves_nothing_out_goes() {
        assert_eq!(merged(r#"{"a": 1, …}"#, &json!({"a": 2})), r#"{"a": 2}"#);
        assert_eq!(merged("[…]", &json!([])), "[]");
    }
}
