//! The rules of a field that its values can break (`docs/guide/src/values.md`).

use super::check::{is_empty, listed};
use super::merge::is_increment;
use super::secret::is_mask;
use crate::json::Value;
use crate::r#type::field::FieldDefinition;

/// What `{"$inc": number}` means.
pub(super) const INCREMENT_RULE: &str =
    "in PATCH, {\"$inc\": number} adds to a number of 64 bits that is stored";

/// How a value breaks the definition of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violation {
    /// It has a JSON type that the kind does not take.
    Kind,
    /// Its text does not match.
    Regex,
    /// It is no option.
    Options,
}

impl FieldDefinition {
    /// Notes each rule that a value breaks. An empty value breaks none but that of its kind.
    pub fn each_violation(&self, value: &Value, mut record: impl FnMut(Violation)) {
        if !self.kind.accepts(value) {
            return record(Violation::Kind);
        }
        if is_empty(value) || (self.kind.is_secret() && is_mask(value)) {
            return;
        }
        if let (Some(pattern), Some(text)) = (&self.regex, value.as_str())
            && !pattern.matches(text)
        {
            record(Violation::Regex);
        }
        let is = |option: &String| value.as_str() == Some(option);
        if !self.options.is_empty() && !self.options.iter().any(is) {
            record(Violation::Options);
        }
    }

    /// What a value of the field must be.
    #[must_use]
    pub fn rule(&self, violation: Violation) -> String {
        let title = self.title();
        match violation {
            Violation::Kind => format!(
                "{title} is a {} field and takes {}",
                self.kind_name(),
                self.kind.expected()
            ),
            Violation::Regex => {
                let source = self.regex.as_ref().map_or("", |pattern| pattern.source());
                let example = self
                    .example()
                    .map(|example| format!(", as {example:?} does"));
                let example = example.unwrap_or_default();
                format!("{title} must match {source} as a whole{example}")
            }
            Violation::Options => {
                let options = listed(self.options.iter().map(String::as_str));
                format!("{title} must be one of {options}")
            }
        }
    }

    /// Why a value is rejected.
    pub(super) fn rejection(&self, violation: Violation, value: &Value) -> String {
        match violation {
            Violation::Kind if is_increment(value) => {
                format!("{}; {INCREMENT_RULE}", self.rule(violation))
            }
            Violation::Kind => {
                format!(
                    "{}, not {}",
                    self.rule(violation),
                    self.kind.rejected(value)
                )
            }
            Violation::Regex | Violation::Options => self.rule(violation),
        }
    }
}
