//! The backtracking engine, bounded in its steps and in the bytes that they look at.
//!
//! A step may look at the whole text, inside of a look-ahead for instance, and nothing can interrupt
//! a match. So the longer a text is, the fewer steps a match may take.

use std::sync::{Arc, OnceLock};

use fancy_regex::{Expr, Regex, RegexBuilder};

use super::cost::{backtracks, compiled_bytes};
use super::{Automaton, MAX_INSTRUCTIONS};

/// Each level allows a match a part of the steps of the level before.
const LEVELS: usize = 6;
const PART: usize = 4;
/// From so many repetitions on, one counts as unbounded.
const MANY: usize = 100;

/// Bounds of one match.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Backtracking steps on a short text.
    pub steps: usize,
    /// Bytes that all steps together may look at; 200 million take about a second.
    pub bytes: usize,
}

/// An expression whose matches are bounded.
#[derive(Debug, Clone)]
pub struct BoundedRegex(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: String,
    /// How often a step may look at the whole text.
    weight: usize,
    bounds: Bounds,
    /// Reads long texts for an expression that does not backtrack.
    automaton: Option<Automaton>,
    /// The same expression with the steps of each level. They are made on first use.
    levels: [OnceLock<Option<Regex>>; LEVELS],
}

impl BoundedRegex {
    /// Compiles an expression.
    ///
    /// # Errors
    ///
    /// The expression is invalid, or too large.
    pub fn new(source: &str, bounds: Bounds) -> Result<Self, Box<fancy_regex::Error>> {
        let tree = Expr::parse_tree(source)?;
        let backtracks = backtracks(&tree.expr);
        let weight = if backtracks { looks(&tree.expr) } else { 0 };
        let linear = || Automaton::new(source.to_owned(), compiled_bytes(&tree.expr));
        let automaton = (!backtracks).then(linear);
        let first = build(source, bounds.steps)?;
        let levels: [OnceLock<Option<Regex>>; LEVELS] = Default::default();
        let _ = levels[0].set(Some(first));
        Ok(Self(Arc::new(Inner {
            source: source.to_owned(),
            weight,
            bounds,
            automaton,
            levels,
        })))
    }

    /// Whether the expression is found in `text`; `None` if that takes too many steps.
    #[must_use]
    pub fn is_match(&self, text: &str) -> Option<bool> {
        if let Some(automaton) = &self.0.automaton
            && automaton.is_for(text)
        {
            return automaton.is_match(text);
        }
        let level = self.0.level(text.len())?;
        let steps = self.0.steps(level);
        let regex = self.0.levels[level].get_or_init(|| build(&self.0.source, steps).ok());
        regex.as_ref()?.is_match(text).ok()
    }

    /// How many times the memory of one compiled expression it may take.
    #[must_use]
    pub fn copies(&self) -> usize {
        if self.0.weight == 0 { 1 } else { LEVELS }
    }
}

impl Inner {
    /// The level for a text of so many bytes.
    fn level(&self, bytes: usize) -> Option<usize> {
        let looked_at = bytes.saturating_mul(self.weight);
        let allowed = self
            .bounds
            .bytes
            .checked_div(looked_at)
            .unwrap_or(usize::MAX);
        (0..LEVELS).find(|level| self.steps(*level) <= allowed)
    }

    fn steps(&self, level: usize) -> usize {
        let parts = (0..level).fold(1, |parts, _| parts * PART);
        (self.bounds.steps / parts).max(1)
    }
}

/// The parts of an expression each of which may look at the whole text in one step.
fn looks(expression: &Expr) -> usize {
    let own = match expression {
        Expr::Repeat { hi, .. } => *hi > MANY,
        Expr::Backref { .. }
        | Expr::BackrefWithRelativeRecursionLevel { .. }
        | Expr::SubroutineCall(_) => true,
        _ => false,
    };
    let parts = expression.children_iter().map(looks);
    parts.fold(usize::from(own), usize::saturating_add)
}

fn build(source: &str, steps: usize) -> Result<Regex, Box<fancy_regex::Error>> {
    let mut builder = RegexBuilder::new(source);
    builder.backtrack_limit(steps);
    builder.max_prog_size(MAX_INSTRUCTIONS);
    Ok(builder.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        steps: 100_000,
        bytes: 20_000_000,
    };

    fn found(source: &str, text: &str) -> Option<bool> {
        BoundedRegex::new(source, BOUNDS).unwrap().is_match(text)
    }

    #[test]
    fn a_long_text_allows_fewer_steps() {
        let steps = |bytes| {
            let regex = BoundedRegex::new("(?=(a+))(?=(a+))b", BOUNDS).unwrap();
            regex.0.level(bytes).map(|level| regex.0.steps(level))
        };
        assert_eq!(steps(100), Some(100_000));
        assert_eq!(steps(400), Some(25_000));
        assert_eq!(steps(4_000), Some(1_562));
        assert_eq!(steps(40_000), Some(97));
        assert_eq!(steps(400_000), None);
    }

    #[test]
    fn what_looks_at_much_in_each_step_is_too_expensive() {
        let text = "a".repeat(10_000);
        let few = Bounds {
            bytes: BOUNDS.bytes / 10,
            ..BOUNDS
        };
        for source in [
            "(?=(a+))(?=(a+))b",
            "(?:(?=(a+))a)*b",
            r"(a+)\1b",
            "(?>a+)b",
        ] {
            let regex = BoundedRegex::new(source, few).unwrap();
            assert_eq!(regex.is_match(&text), None, "{source}");
        }
        assert_eq!(found(r"^(?!.*b)", &text), Some(true));
        assert_eq!(found("a+b", &text), Some(false), "takes linear time");
    }

    #[test]
    fn a_large_expression_on_a_long_text_is_too_expensive() {
        let letter = |index: u32| {
            if (index.wrapping_mul(index) / 7).is_multiple_of(3) {
                'a'
            } else {
                'b'
            }
        };
        let text: String = (0..500_000).map(letter).collect();
        assert_eq!(found("^[ab]*a[ab]{2000}x$", &text), None);
        assert_eq!(found("^[ab]*$", &text), Some(true));
        assert_eq!(found("^[A-Za-z ]{1,3}$", &text), Some(false));
    }

    #[test]
    fn texts_of_people_are_matched() {
        let text = format!("{} needle", "hay ".repeat(5_000));
        assert_eq!(found("(?<! )needle", &text), Some(false));
        assert_eq!(found("(?<= )needle", &text), Some(true));
        assert_eq!(found("(?=n)needle$", &text), Some(true));
        assert_eq!(found(r"^(?=.*\d)(?=.*[a-z]).{8,}$", "abcdefg1"), Some(true));
    }
}
