//! Reads nearly any text as JSON, so that most mutations of a body reach what is behind the parser.

use serde_json::{Map, Value};

/// Deeper values are left out.
const MOST_DEPTH: usize = 70;

/// What a text most likely means.
pub(crate) fn read(text: &str) -> Value {
    Loose { rest: text }.value(MOST_DEPTH)
}

struct Loose<'t> {
    rest: &'t str,
}

impl Loose<'_> {
    fn value(&mut self, depth: usize) -> Value {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t', ':']);
        if depth == 0 {
            self.rest = "";
        }
        if self.takes("{") {
            Value::Object(self.members(depth - 1))
        } else if self.takes("[") {
            Value::Array(self.items(depth - 1))
        } else {
            self.scalar()
        }
    }

    fn members(&mut self, depth: usize) -> Map<String, Value> {
        let mut members = Map::new();
        while self.goes_on() {
            let name = match self.scalar() {
                Value::String(name) => name,
                other => other.to_string(),
            };
            members.insert(name, self.value(depth));
        }
        members
    }

    fn items(&mut self, depth: usize) -> Vec<Value> {
        let mut items = Vec::new();
        while self.goes_on() {
            items.push(self.value(depth));
        }
        items
    }

    /// Whether another item or member follows; its end is taken.
    fn goes_on(&mut self) -> bool {
        self.rest = self
            .rest
            .trim_start_matches([',', ' ', '\n', '\r', '\t', ':']);
        let is_end = self.takes("}") || self.takes("]");
        !is_end && !self.rest.is_empty()
    }

    fn takes(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// A text in quotes, or anything before the next mark.
    fn scalar(&mut self) -> Value {
        if self.takes("\"") {
            return self.text();
        }
        let mut marks = self.rest.char_indices().skip(1);
        let end = marks.find(|(_, mark)| ",:{}[]\"".contains(*mark));
        let end = end.map_or(self.rest.len(), |(at, _)| at);
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        serde_json::from_str(word).unwrap_or_else(|_| word.trim().into())
    }

    fn text(&mut self) -> Value {
        let mut is_escaped = false;
        let end = self.rest.find(|letter| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        });
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.strip_prefix('"').unwrap_or_default();
        let quoted = format!("\"{text}\"");
        serde_json::from_str(&quoted).unwrap_or_else(|_| text.into())
    }
}
