//! Field definitions and their rules.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::ObjectId;
use crate::json::{Map, Value};
use crate::kind::{FieldKind, reference_target};
use crate::pattern::Pattern;

/// One field of a type: its definition as sent, and the parsed parts.
#[derive(Debug, Clone)]
pub struct FieldDefinition {
    /// What its values are.
    pub kind: FieldKind,
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
        let ref_types: Vec<i64> = list("ref_types")
            .iter()
            .filter_map(crate::body::integer)
            .collect();
        Self {
            kind: FieldKind::of(&text("type"), !ref_types.is_empty()),
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
            ref_types,
            definition,
        }
    }

    /// The kind's name as sent.
    #[must_use]
    pub fn kind_name(&self) -> &str {
        let name = self.definition.get("type").and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// The object that a value of the field refers to.
    #[must_use]
    pub fn target(&self, value: &Value) -> Option<ObjectId> {
        let is_reference = self.kind.is_reference();
        is_reference.then(|| reference_target(value)).flatten()
    }

    /// Whether the index keeps only the beginning of its texts. `"indexed": false` makes any field
    /// long.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.kind.is_long() || self.definition.get("indexed") == Some(&Value::Bool(false))
    }

    /// Whether no two objects may share a value of the field alone.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        let unique = self.definition.get("unique").and_then(Value::as_bool);
        unique == Some(true) && !self.kind.is_secret()
    }

    /// The value that cleaning gives an object without one. Of a unique field, all but one object
    /// could not have it.
    #[must_use]
    pub fn initial_value(&self) -> Value {
        if self.is_unique() {
            return Value::Null;
        }
        self.kind.initial_value(&self.definition)
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
