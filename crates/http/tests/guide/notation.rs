//! JSON as the guide writes it: on one line where that fits.

use serde_json::Value;

use crate::elision::{ELISION, is_elision};

/// Longer lines are broken.
const WIDTH: usize = 96;

/// A value with elisions as text.
pub(crate) fn write(value: &Value) -> String {
    let mut text = String::new();
    put(&mut text, value, 0, 0);
    text
}

/// Writes a value at a depth, on a line that has so many characters before and behind it.
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

/// A member's name and what stands between it and its value. An elision has no name.
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
