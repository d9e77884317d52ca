//! Field definitions and their rules.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::decimal;
use crate::json::{Map, Value};
use crate::pattern::Pattern;

/// One field of a type: its definition as sent, and the parsed parts.
#[derive(Debug, Clone)]
pub struct FieldDefinition {
    /// The kind: text, password, textarea, radio, select, date, ref, … or any other word.
    pub kind: String,
    /// Unique in its type.
    pub name: String,
    /// The label that people read.
    pub label: String,
    /// Whether objects must have a value.
    pub required: bool,
    /// The expression that texts must match as a whole.
    pub regex: Option<Pattern>,
    /// The allowed values; empty allows all.
    pub options: Vec<String>,
    /// Ids of the types that a reference may point to; empty allows all.
    pub ref_types: Vec<i64>,
    /// The definition as sent, unknown keys included.
    pub definition: Map<String, Value>,
}

impl FieldDefinition {
    /// How messages name it: its label for people, its name for programs.
    #[must_use]
    pub fn title(&self) -> String {
        if self.label.is_empty() || self.label == self.name {
            format!("{:?}", self.name)
        } else {
            format!("{:?} ({})", self.label, self.name)
        }
    }

    /// The placeholder of the definition, if it matches the field's `regex`.
    #[must_use]
    pub fn example(&self) -> Option<&str> {
        let pattern = self.regex.as_ref()?;
        let shown = self.definition.get("placeholder")?.as_str()?;
        pattern.matches(shown).then_some(shown)
    }

    /// The option that alone has this label.
    #[must_use]
    pub fn option_with_label(&self, label: &str) -> Option<&str> {
        let options = self.definition.get("options").and_then(Value::as_array);
        let has_label =
            |option: &&Value| option.get("label").and_then(Value::as_str) == Some(label);
        let mut found = options.into_iter().flatten().filter(has_label);
        let option = found.next()?.get("name")?.as_str()?;
        found.next().is_none().then_some(option)
    }

    /// Parses a definition; parts of the wrong JSON type count as absent.
    #[must_use]
    pub fn new(definition: Map<String, Value>) -> Self {
        let text = |key: &str| {
            definition
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let list = |key: &str| {
            definition
                .get(key)
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        Self {
            kind: text("type"),
            name: text("name"),
            label: text("label"),
            required: definition
                .get("required")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            regex: definition
                .get("regex")
                .and_then(Value::as_str)
                .filter(|pattern| !pattern.is_empty())
                .map(Pattern::new),
            options: list("options")
                .iter()
                .filter_map(|option| option.get("name")?.as_str().map(str::to_owned))
                .collect(),
            ref_types: list("ref_types")
                .iter()
                .filter_map(crate::body::integer)
                .collect(),
            definition,
        }
    }

    /// Whether its values name objects (`docs/guide/src/values.md`).
    #[must_use]
    pub fn is_reference(&self) -> bool {
        matches!(self.kind.as_str(), "ref" | "ref-section-field" | "location")
            || !self.ref_types.is_empty()
    }

    /// Whether its values are long texts, by which lists are rarely sorted: the index keeps only
    /// their beginning. `"indexed": false` makes any field long.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.kind == "textarea" || self.definition.get("indexed") == Some(&Value::Bool(false))
    }

    /// Whether its values are secrets (`docs/guide/src/objects.md`).
    #[must_use]
    pub fn is_password(&self) -> bool {
        self.kind == "password"
    }

    /// Whether its values are dates.
    #[must_use]
    pub fn is_date(&self) -> bool {
        self.kind == "date"
    }

    /// Whether its values are always texts.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "text" | "password" | "textarea" | "radio" | "select"
        )
    }

    /// The value that cleaning gives an object without one: `value`, else `default`, else null.
    /// Always null for a password, which must not be in the document.
    #[must_use]
    pub fn initial_value(&self) -> Value {
        if self.is_password() {
            return Value::Null;
        }
        let given = |key: &str| self.definition.get(key).filter(|value| !value.is_null());
        given("value")
            .or_else(|| given("default"))
            .cloned()
            .unwrap_or(Value::Null)
    }
}

impl Serialize for FieldDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.definition.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FieldDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::new)
    }
}

/// The id of the object that a value of a reference field names; `12` and `"12"` are the same
/// (`docs/guide/src/values.md`).
#[must_use]
pub fn reference_target(value: &Value) -> Option<i64> {
    let id = match value {
        Value::String(text) => decimal(text),
        other => crate::body::integer(other),
    };
    id.filter(|id| (1..=crate::id::MAX_ID).contains(id))
}
