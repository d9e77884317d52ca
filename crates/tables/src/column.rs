//! What the column of a file holds, by all its cells.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use stockroom_model::json;
use utoipa::ToSchema;

mod kind;

use kind::Kind;

/// The values that are shown as samples, and how many characters of each.
const SAMPLES: usize = 5;
const SAMPLE_LENGTH: usize = 80;
/// The different values that a choice may have, and their longest length.
const CHOICES: usize = 20;
const CHOICE_LENGTH: usize = 50;
/// The cells that it takes to call something a choice.
const CHOICE_CELLS: u64 = 20;
/// The characters from which a text is a long one.
const LONG: usize = 200;

/// A column, and what its cells hold. Cells that are empty or broken do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Column {
    /// Its name, which no other column has.
    pub name: String,
    /// The cells with a value.
    pub filled: u64,
    /// The cells with an integer.
    pub integers: u64,
    /// The largest of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<i64>,
    /// The cells with a number, integers included.
    pub numbers: u64,
    /// The cells with true, false, yes or no.
    pub booleans: u64,
    /// The cells with a date, with or without a time.
    pub dates: u64,
    /// The characters of the longest value.
    pub longest: usize,
    /// Whether a value has several lines.
    pub has_lines: bool,
    /// The beginnings of the first different values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<String>,
    /// All different values; empty if they are many or long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub distinct: Vec<String>,
    /// Whether there are too many values, or too long ones, to list them.
    pub has_many: bool,
}

/// What a column seems to hold
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportLooks)]
#[serde(rename_all = "snake_case")]
pub enum Looks {
    /// Nothing.
    Empty,
    /// Integers.
    Integer,
    /// Numbers, and not only integers.
    Number,
    /// Booleans.
    Boolean,
    /// Dates, with or without times.
    Date,
    /// A few texts that repeat.
    Choice,
    /// Texts of several lines, or long ones.
    LongText,
    /// Any other texts.
    Text,
}

impl Looks {
    /// The word in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Choice => "choice",
            Self::LongText => "long_text",
            Self::Text => "text",
        }
    }
}

impl Column {
    /// A column without cells.
    #[must_use]
    pub fn new(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    /// What all its values agree on.
    #[must_use]
    pub fn looks(&self) -> Looks {
        let is_choice = !self.has_many
            && self.filled >= CHOICE_CELLS
            && self.distinct.len() as u64 * 2 <= self.filled;
        match self.filled {
            0 => Looks::Empty,
            all if self.integers == all => Looks::Integer,
            all if self.numbers == all => Looks::Number,
            all if self.booleans == all && self.has_both() => Looks::Boolean,
            all if self.dates == all => Looks::Date,
            _ if self.has_lines || self.longest > LONG => Looks::LongText,
            _ if is_choice => Looks::Choice,
            _ => Looks::Text,
        }
    }

    /// Whether its booleans differ, or are no words: a column of nothing but `NO` may be of Norway.
    fn has_both(&self) -> bool {
        let says = |words: &[&str]| {
            let mut values = self.distinct.iter();
            values.any(|value| {
                words
                    .iter()
                    .any(|word| value.trim().eq_ignore_ascii_case(word))
            })
        };
        says(&["true", "false"]) || says(&["yes"]) && says(&["no"])
    }

    /// Counts a value. Null and the empty text are none.
    pub(crate) fn observe(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => self.observe_text(text),
            Value::Array(_) | Value::Object(_) => self.observe_nested(value),
            Value::Bool(_) | Value::Number(_) => {
                self.count(kind::of_value(value));
                self.largest = self.largest.max(value.as_i64());
                self.show(&value.to_string());
            }
        }
    }

    fn observe_text(&mut self, text: &str) {
        let kind = kind::of_text(text);
        self.count(kind);
        if kind == Kind::Integer {
            self.largest = self.largest.max(text.parse().ok());
        }
        self.has_lines = self.has_lines || memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_some();
        self.show(text);
    }

    fn observe_nested(&mut self, value: &Value) {
        self.count(kind::of_value(value));
        if self.samples.len() < SAMPLES {
            self.show(&value.to_string());
        } else {
            self.longest = self.longest.max(json::length(value));
            self.forget_distinct();
        }
    }

    fn count(&mut self, kind: Kind) {
        self.filled += 1;
        match kind {
            Kind::Integer => {
                self.integers += 1;
                self.numbers += 1;
            }
            Kind::Number => self.numbers += 1,
            Kind::Boolean => self.booleans += 1,
            Kind::Date => self.dates += 1,
            Kind::Other => {}
        }
    }

    fn show(&mut self, text: &str) {
        let length = text.chars().count();
        self.longest = self.longest.max(length);
        if self.samples.len() < SAMPLES {
            let sample = beginning(text);
            if !self.samples.iter().any(|known| known == sample) {
                self.samples.push(sample.to_owned());
            }
        }
        if self.has_many || self.distinct.iter().any(|known| known == text) {
            return;
        }
        if length > CHOICE_LENGTH || self.distinct.len() == CHOICES {
            self.forget_distinct();
        } else {
            self.distinct.push(text.to_owned());
        }
    }

    fn forget_distinct(&mut self) {
        self.has_many = true;
        self.distinct = Vec::new();
    }
}

fn beginning(text: &str) -> &str {
    let cut = text.char_indices().nth(SAMPLE_LENGTH);
    cut.and_then(|(cut, _)| text.get(..cut)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn column(values: impl IntoIterator<Item = Value>) -> Column {
        let mut column = Column::new("a".to_owned());
        values.into_iter().for_each(|value| column.observe(&value));
        column
    }

    #[test]
    fn columns_look_like_what_all_cells_agree_on() {
        let repeat = |values: &[&str], times: usize| {
            let values = values.iter().map(|text| json!(text)).collect::<Vec<_>>();
            column(values.iter().cycle().take(values.len() * times).cloned())
        };
        for (column, expected) in [
            (column([]), Looks::Empty),
            (column([json!(""), json!(null)]), Looks::Empty),
            (column([json!("1"), json!(2), json!("")]), Looks::Integer),
            (
                column([json!("1"), json!("2.5"), json!(-1e3)]),
                Looks::Number,
            ),
            (
                column([json!("Yes"), json!("no"), json!(true)]),
                Looks::Boolean,
            ),
            (
                column([json!("2024-02-29"), json!({"$date": 7})]),
                Looks::Date,
            ),
            (column([json!("true")]), Looks::Boolean),
            (column([json!("NO"), json!("NO")]), Looks::Text),
            (column([json!("1"), json!("true")]), Looks::Text),
            (repeat(&["on", "off"], 10), Looks::Choice),
            (repeat(&["on", "off"], 9), Looks::Text),
            (repeat(&["1", "2"], 10), Looks::Integer),
            (column((0..30).map(|n| json!(format!("x{n}")))), Looks::Text),
            (column((0..20).map(|n| json!(format!("x{n}")))), Looks::Text),
            (repeat(&[&"ü".repeat(51)], 30), Looks::Text),
            (repeat(&[&"ü".repeat(201)], 30), Looks::LongText),
            (repeat(&["a\nb"], 30), Looks::LongText),
            (column([json!([1, 2]), json!({"a": 1})]), Looks::Text),
        ] {
            assert_eq!(column.looks(), expected, "{column:?}");
        }
    }

    #[test]
    fn samples_are_few_and_short() {
        let long = "ü".repeat(100);
        let values = ["b", "b", "a", &long, "c", "d", "e"].map(|text| json!(text));
        let column = column(values);
        assert_eq!(column.samples, ["b", "a", &"ü".repeat(80), "c", "d"]);
        assert_eq!((column.filled, column.longest), (7, 100));
        assert_eq!((column.has_many, column.distinct.len()), (true, 0));
    }

    #[test]
    fn columns_are_stored() {
        let column = column([json!("a"), json!(1), json!([1])]);
        let text = serde_json::to_string(&column).unwrap();
        assert_eq!(serde_json::from_str::<Column>(&text).unwrap(), column);
        for looks in [Looks::LongText, Looks::Empty, Looks::Integer] {
            assert_eq!(serde_json::to_value(looks).unwrap(), json!(looks.as_str()));
        }
    }
}
