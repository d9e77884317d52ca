//! Expressions without look-around and backreferences.

use std::sync::Arc;

use stockroom_model::pattern::Automaton;

/// A compiled expression. Clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct Linear(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    regex: regex::Regex,
    automaton: Automaton,
}

impl Linear {
    /// Compiles an expression that takes so many bytes by estimate.
    pub(super) fn new(expression: String, bytes: usize) -> Result<Self, regex::Error> {
        Ok(Self(Arc::new(Inner {
            regex: regex::Regex::new(&expression)?,
            automaton: Automaton::new(expression, bytes),
        })))
    }

    /// Whether it is found in `text`; `None` if that takes too long.
    pub(super) fn is_match(&self, text: &str) -> Option<bool> {
        if self.0.automaton.is_for(text) {
            self.0.automaton.is_match(text)
        } else {
            Some(self.0.regex.is_match(text))
        }
    }

    /// The steps that a match takes in the worst case.
    pub(super) fn steps(&self, text: &str) -> usize {
        self.0.automaton.steps(text)
    }
}
