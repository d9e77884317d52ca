//! The rules of a field that its values can break (`docs/guide/src/values.md`).

use super::check::{is_empty, listed};
use super::secret::is_mask;
use crate::Timestamp;
use crate::body::kind;
use crate::json::Value;
use crate::r#type::field::{FieldDefinition, reference_target};

/// How a value breaks the definition of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Misfit {
    /// It has a JSON type that the kind does not take.
    Kind,
    /// Its text does not match.
    Regex,
    /// It is no option.
    Options,
}

impl FieldDefinition {
    /// Notes each rule that a value breaks. An empty value breaks none but that of its kind.
    pub fn each_misfit(&self, value: &Value, mut note: impl FnMut(Misfit)) {
        if !self.takes(value) {
            return note(Misfit::Kind);
        }
        if is_empty(value) || (self.is_password() && is_mask(value)) {
            return;
        }
        if let (Some(pattern), Some(text)) = (&self.regex, value.as_str())
            && !pattern.matches(text)
        {
            note(Misfit::Regex);
        }
        let is = |option: &String| value.as_str() == Some(option);
        if !self.options.is_empty() && !self.options.iter().any(is) {
            note(Misfit::Options);
        }
    }

    /// What a value of the field must be.
    #[must_use]
    pub fn rule(&self, misfit: Misfit) -> String {
        let title = self.title();
        match misfit {
            Misfit::Kind => format!(
                "{title} is a {} field and takes {}",
                self.kind,
                self.expected()
            ),
            Misfit::Regex => {
                let source = self.regex.as_ref().map_or("", |pattern| pattern.source());
                let example = self
                    .example()
                    .map(|example| format!(", as {example:?} does"));
                let example = example.unwrap_or_default();
                format!("{title} must match {source} as a whole{example}")
            }
            Misfit::Options => {
                let options = listed(self.options.iter().map(String::as_str));
                format!("{title} must be one of {options}")
            }
        }
    }

    /// Why a value is refused.
    pub(super) fn refusal(&self, misfit: Misfit, value: &Value) -> String {
        match misfit {
            Misfit::Kind => match value.as_str().filter(|_| self.is_date()) {
                Some(text) => format!("{}, not {}", self.rule(misfit), no_date(text)),
                None => format!("{}, not {}", self.rule(misfit), kind(value)),
            },
            Misfit::Regex | Misfit::Options => self.rule(misfit),
        }
    }

    /// Whether the kind takes values of this JSON type.
    fn takes(&self, value: &Value) -> bool {
        let is_date = || Timestamp::from_date(value).is_some();
        if self.is_reference() {
            return is_empty(value) || reference_target(value).is_some();
        }
        if self.is_date() {
            let is_readable = |text: &str| text.is_empty() || Timestamp::from_text(text).is_some();
            return value.is_null() || value.as_str().is_some_and(is_readable) || is_date();
        }
        if self.is_text() {
            return value.is_null() || value.is_string();
        }
        !value.is_array() && (!value.is_object() || is_date())
    }

    fn expected(&self) -> &'static str {
        if self.is_reference() {
            "the id of an object or null"
        } else if self.is_date() {
            "a date (YYYY-MM-DD, ISO 8601 or {\"$date\": milliseconds}) or null"
        } else if self.is_text() {
            "a text or null"
        } else {
            "a text, number, boolean, date or null"
        }
    }
}

/// A text that is no date, as words for a message.
fn no_date(text: &str) -> String {
    const LONGEST: usize = 40;
    let start: String = text.chars().take(LONGEST).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    let names_a_day = text.get(..10).is_some_and(is_year_month_day);
    if names_a_day && Timestamp::from_text(&text[..10]).is_none() {
        format!("{start:?}{dots}: there is no such day")
    } else {
        format!("{start:?}{dots}")
    }
}

/// Whether a text has the form YYYY-MM-DD.
fn is_year_month_day(text: &str) -> bool {
    let mut bytes = text.bytes().enumerate();
    bytes.all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    })
}
