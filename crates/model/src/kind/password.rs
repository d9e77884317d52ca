//! `password`: a secret, encrypted outside of the document, which holds null
//! (`docs/guide/src/objects.md`).

use super::rules::{Kind, Setting};
use super::text::{EXPECTED, is_text};
use crate::json::{Map, Value};
use crate::object::is_empty;
use crate::object::secret::MASK;

pub(super) struct Password;

impl Kind for Password {
    fn accepts(&self, value: &Value) -> bool {
        is_text(value)
    }

    fn expected(&self) -> &'static str {
        EXPECTED
    }

    fn line_text(&self, value: Value) -> String {
        let mask = if is_empty(&value) { "" } else { MASK };
        mask.to_owned()
    }

    /// None: it would be in the document.
    fn initial_value(&self, _: &Map<String, Value>) -> Value {
        Value::Null
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Regex]
    }

    /// A filter sees null only.
    fn operators(&self) -> &'static [&'static str] {
        &[]
    }

    fn holds_texts(&self) -> bool {
        true
    }

    fn is_secret(&self) -> bool {
        true
    }
}
