//! JSON as the guide formats it: on one line if it fits.

use serde_json::Value;

use crate::elision::{ELISION, is_elision};

/// Longer lines are wrapped.
const WIDTH: usize = 96;

/// Formats a value with elisions.
pub(crate) fn write(value: &Value) -> String {
    let mut text = String::new();
    put(&mut text, value, 0, 0);
    text
}

/// Formats a value at a depth, on a line where `taken` characters are before and behind it.
fn put(text: &mut String, value: &Value, depth: usize, taken: usize) {
    let line = on_one_line(value);
    if taken + line.chars().count() <= WIDTH {
        *text += &line;
        return;
    }
    let (open, close, parts): (_, _, Vec<(String, &Value)>) = match value {
        Value::Object(members) => {
            let members = members.iter();
            let named = members.map(|(name, value)| (key(name), value));
            ('{', '}', named.collect())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| (String::new(), item));
            ('[', ']', items.collect())
        }
        _ => return *text += &line,
    };
    text.push(open);
    let indent = "  ".repeat(depth + 1);
    for (index, (key, part)) in parts.iter().enumerate() {
        *text += if index == 0 { "\n" } else { ",\n" };
        *text += &indent;
        *text += key;
        put(
            text,
            part,
            depth + 1,
            indent.len() + key.chars().count() + 1,
        );
    }
    text.extend(["\n", &"  ".repeat(depth)]);
    text.push(close);
}

/// A member's name with the colon behind it. An elision has no name.
fn key(name: &str) -> String {
    if is_elision(name) {
        return String::new();
    }
    format!("{}: ", Value::from(name))
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| key(name) + &on_one_line(value));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(on_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if text == ELISION => ELISION.to_owned(),
        other => other.to_string(),
    }
}
