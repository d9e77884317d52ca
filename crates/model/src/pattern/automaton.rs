//! Expressions without look-around and backreferences on long texts.
//!
//! Their time is linear in the text, but the factor is the size of the expression in the worst
//! case: 250 KiB on a text of 1 MiB would take a minute. Long texts are therefore left to an
//! automaton that is built while it reads, which gives up where that becomes slow.

use std::sync::OnceLock;

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Config, DFA};

/// From so many estimated bytes of the expression times bytes of the text, about 30 ms, the
/// automaton reads the text.
const MOST_STEPS: usize = 200_000_000;
/// The automaton gives up if it has forgotten its states so often…
const MOST_CLEARED: usize = 3;
/// … and each state has read fewer bytes than that since.
const BYTES_PER_STATE: usize = 10;

/// What reads long texts for an expression. It is built on first use.
#[derive(Debug)]
pub struct Automaton {
    expression: String,
    bytes: usize,
    built: OnceLock<Option<DFA>>,
}

impl Automaton {
    /// Of an expression that takes so many bytes by [estimate](super::compiled_bytes).
    #[must_use]
    pub const fn new(expression: String, bytes: usize) -> Self {
        Self {
            expression,
            bytes,
            built: OnceLock::new(),
        }
    }

    /// The steps that a match takes in the worst case.
    #[must_use]
    pub const fn steps(&self, text: &str) -> usize {
        self.bytes.saturating_mul(text.len())
    }

    /// Whether a text is so long that an engine which cannot give up must not read it.
    #[must_use]
    pub const fn is_for(&self, text: &str) -> bool {
        self.steps(text) > MOST_STEPS
    }

    /// Whether the expression is found in `text`; `None` if that takes too long.
    #[must_use]
    pub fn is_match(&self, text: &str) -> Option<bool> {
        let built = self
            .built
            .get_or_init(|| build(&self.expression))
            .as_ref()?;
        let input = Input::new(text).earliest(true);
        let found = built.try_search_fwd(&mut built.create_cache(), &input);
        found.ok().map(|end| end.is_some())
    }
}

fn build(expression: &str) -> Option<DFA> {
    let config = Config::new()
        // It gives up at a word boundary beside other letters than those of ASCII.
        .unicode_word_boundary(true)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(MOST_CLEARED))
        .minimum_bytes_per_state(Some(BYTES_PER_STATE));
    DFA::builder().configure(config).build(expression).ok()
}
