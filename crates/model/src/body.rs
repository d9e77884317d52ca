//! Reads JSON bodies and reports all problems at once, each with its JSON Pointer.

mod report;

use crate::Timestamp;
use crate::id::RecordId;
use crate::json::{Map, Value, pointer};

pub use report::Report;

/// How many unknown members of an object are named.
const MOST_UNKNOWN: usize = 10;

/// One JSON object of a body, and its JSON Pointer there.
#[derive(Clone)]
pub struct Body<'a> {
    members: &'a Map<String, Value>,
    at: String,
    report: &'a Report,
}

impl<'a> Body<'a> {
    /// The object at `at`; any other value is a problem.
    pub fn open(value: &'a Value, at: impl Into<String>, report: &'a Report) -> Option<Self> {
        let at = at.into();
        let Value::Object(members) = value else {
            report.problem(at, format!("must be an object, not {}", kind(value)));
            return None;
        };
        Some(Self {
            members,
            at,
            report,
        })
    }

    /// All members, as sent.
    #[must_use]
    pub const fn members(&self) -> &'a Map<String, Value> {
        self.members
    }

    /// The JSON Pointer of a member.
    #[must_use]
    pub fn at(&self, key: &str) -> String {
        pointer(&self.at, key)
    }

    /// Notes a problem with a member.
    pub fn problem(&self, key: &str, detail: impl Into<String>) {
        self.report.problem(self.at(key), detail);
    }

    /// Notes a problem with a nested value; `pointer` starts at the body's root.
    pub fn problem_at(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.report.problem(pointer, detail);
    }

    /// Notes a warning about a member.
    pub fn warn(&self, key: &str, detail: impl Into<String>) {
        self.report.warning(self.at(key), detail);
    }

    /// Notes a warning at a pointer.
    pub fn warn_at(&self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.report.warning(pointer, detail);
    }

    /// Warns about members that `known` does not name: they are ignored.
    pub fn warn_unknown(&self, known: &[&str]) {
        for name in self.unknown(known).take(MOST_UNKNOWN) {
            let detail = format!("is unknown and ignored; known are {}", known.join(", "));
            self.warn(name, detail);
        }
    }

    /// Refuses members that `known` does not name, where a misspelt one could do harm.
    pub fn refuse_unknown(&self, known: &[&str]) {
        for name in self.unknown(known).take(MOST_UNKNOWN) {
            let detail = format!("is unknown; known are {}", known.join(", "));
            self.problem(name, detail);
        }
    }

    fn unknown(&self, known: &[&str]) -> impl Iterator<Item = &'a str> {
        let names = self.members.keys().map(String::as_str);
        names.filter(|name| !known.contains(name))
    }

    /// A member that is present and not null. Null always means the default.
    #[must_use]
    pub fn given(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    /// For a key that PUT keeps when the body omits it: the stored value if the key is absent, else
    /// `default`. Null asks for the default.
    pub fn keep_if_absent<T>(&self, key: &str, stored: Option<T>, default: T) -> T {
        stored
            .filter(|_| !self.members.contains_key(key))
            .unwrap_or(default)
    }

    /// Runs `read` on a given member; absent or null gives `default`.
    fn read_or<T>(
        &self,
        key: &str,
        default: Option<T>,
        expected: &str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let Some(value) = self.given(key) else {
            return default;
        };
        let result = read(value);
        if result.is_none() {
            self.problem(key, format!("must be {expected}, not {}", kind(value)));
        }
        result
    }

    /// Whether the member is given; notes a problem if it is not.
    #[must_use]
    pub fn require(&self, key: &str) -> bool {
        let given = self.given(key).is_some();
        if !given {
            self.problem(
                key,
                if self.members.contains_key(key) {
                    "is required and cannot be null"
                } else {
                    "is required"
                },
            );
        }
        given
    }

    /// A text; `None` when absent, null or wrong.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.read_or(key, None, "a text", Value::as_str)
    }

    /// A required text that must not be empty.
    #[must_use]
    pub fn required_text(&self, key: &str) -> Option<&'a str> {
        let text = self.require(key).then(|| self.text(key))??;
        if text.is_empty() {
            self.problem(key, "must not be empty");
            return None;
        }
        Some(text)
    }

    /// A required text; may be empty.
    #[must_use]
    pub fn required_text_or_empty(&self, key: &str) -> Option<&'a str> {
        self.require(key).then(|| self.text(key))?
    }

    /// A whole number of 64 bits.
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.read_or(key, None, "a whole number", integer)
    }

    /// A record id.
    #[must_use]
    pub fn id<T: RecordId>(&self, key: &str) -> Option<T> {
        let number = self.integer(key)?;
        T::try_from(number)
            .map_err(|error| self.problem(key, error.to_string()))
            .ok()
    }

    /// A boolean; `default` when absent or null.
    #[must_use]
    pub fn boolean(&self, key: &str, default: bool) -> Option<bool> {
        self.read_or(key, Some(default), "true or false", Value::as_bool)
    }

    /// A point in time in any accepted form.
    #[must_use]
    pub fn time(&self, key: &str) -> Option<Timestamp> {
        self.read_or(
            key,
            None,
            "a time: {\"$date\": milliseconds} or ISO 8601",
            Timestamp::from_input,
        )
    }

    /// An array; empty when absent or null.
    #[must_use]
    pub fn list(&self, key: &str) -> Option<&'a [Value]> {
        self.read_or(key, Some(&[][..]), "a list", |value| {
            value.as_array().map(Vec::as_slice)
        })
    }

    /// Notes a problem if an array has more than `limit` items; `things` names the items.
    #[must_use]
    pub fn at_most(&self, key: &str, limit: usize, things: &str) -> Option<()> {
        let count = self.list(key)?.len();
        if count > limit {
            self.problem(
                key,
                format!("has {count} items; the limit is {limit} {things}"),
            );
            return None;
        }
        Some(())
    }

    /// An array whose items `read` understands; `expected` describes one item.
    pub fn items<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let list = self.list(key)?;
        let items: Vec<T> = list
            .iter()
            .enumerate()
            .filter_map(|(index, item)| {
                let result = read(item);
                if result.is_none() {
                    self.report.problem(
                        pointer(&self.at(key), index),
                        format!("must be {expected}, not {}", kind(item)),
                    );
                }
                result
            })
            .collect();
        (items.len() == list.len()).then_some(items)
    }

    /// An array of texts.
    #[must_use]
    pub fn texts(&self, key: &str) -> Option<Vec<String>> {
        self.items(key, "a text", |item| item.as_str().map(str::to_owned))
    }

    /// An array of whole numbers.
    #[must_use]
    pub fn integers(&self, key: &str) -> Option<Vec<i64>> {
        self.items(key, "a whole number", integer)
    }

    /// An array of objects. `read` reads each of them and notes its own problems.
    pub fn objects<T>(&self, key: &str, read: impl Fn(&Body<'a>) -> Option<T>) -> Option<Vec<T>> {
        let list = self.list(key)?;
        let at = self.at(key);
        let items: Vec<T> = list
            .iter()
            .enumerate()
            .filter_map(|(index, item)| read(&Body::open(item, pointer(&at, index), self.report)?))
            .collect();
        (items.len() == list.len()).then_some(items)
    }

    /// A nested object; absent or null gives `None` without a problem.
    #[must_use]
    pub fn inside(&self, key: &str) -> Option<Body<'a>> {
        Body::open(self.given(key)?, self.at(key), self.report)
    }

    /// Notes a problem if the body names another id than the path (`docs/guide/src/objects.md`).
    pub fn must_be<T: RecordId>(&self, key: &str, expected: T) {
        if let Some(id) = self.id::<T>(key)
            && id != expected
        {
            self.problem(key, format!("must be {expected}, as in the path"));
        }
    }
}

/// A whole number of 64 bits; `2.0` counts, as in JSON Schema.
#[must_use]
pub fn integer(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value
        .as_f64()
        .filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number within 2^53"
    )]
    Some(number as i64)
}

/// The kind of a value, as words for a message.
#[must_use]
pub const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Applies an RFC 7396 merge patch to `target`.
pub fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(members) = target.as_object_mut() else {
        return;
    };
    // In one pass: each single removal would shift the members behind it.
    if changes.values().any(Value::is_null) {
        members.retain(|key, _| !changes.get(key).is_some_and(Value::is_null));
    }
    for (key, change) in changes {
        if !change.is_null() {
            merge_patch(members.entry(key).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn merge_patch_follows_the_table_of_rfc_7396() {
        for (target, patch, expected) in [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
            (
                json!({"a":"b","b":"c"}),
                json!({"a":null}),
                json!({"b":"c"}),
            ),
            (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
            (
                json!({"a":{"b":"c"}}),
                json!({"a":{"b":"d","c":null}}),
                json!({"a":{"b":"d"}}),
            ),
            (json!(["a", "b"]), json!(["c"]), json!(["c"])),
            (
                json!({}),
                json!({"a":{"bb":{"ccc":null}}}),
                json!({"a":{"bb":{}}}),
            ),
        ] {
            let mut result = target;
            merge_patch(&mut result, &patch);
            assert_eq!(result, expected);
        }
    }

    #[test]
    fn reports_everything_at_once() {
        let report = Report::default();
        let value = json!({"a": 1, "b": "x", "list": [1, "y", null]});
        let body = Body::open(&value, "", &report).unwrap();
        assert_eq!(body.text("a"), None);
        assert_eq!(body.integer("b"), None);
        assert_eq!(body.integers("list"), None);
        assert!(!body.require("missing"));
        let problems = report.finish(Some(())).unwrap_err();
        let pointers: Vec<&str> = problems
            .as_slice()
            .iter()
            .map(|problem| problem.pointer.as_str())
            .collect();
        assert_eq!(pointers, ["/a", "/b", "/list/1", "/list/2", "/missing"]);
    }
}
