//! Regular expressions with the syntax of PCRE and ASCII character classes.
//!
//! An expression is parsed here and rewritten for one of two engines, so that the dialect does not
//! depend on them. Expressions without look-around and backreferences run in linear time; all
//! others backtrack, within a limit.

mod class;
mod compiled;
mod cursor;
mod emit;
mod escape;
mod groups;
mod linear;
mod prefix;
mod reference;
mod token;
mod translate;

use stockroom_model::pattern::{BoundedRegex, Bounds, compiled_bytes, too_expensive};

use crate::error::TooExpensive;
use crate::limits::Limits;
use crate::work::Work;

use self::linear::Linear;
pub(crate) use self::prefix::Prefix;

/// A larger expression, in estimated bytes, may take long on a long text.
const LIGHT_BYTES: usize = 32 * 1024;
/// Steps of a linear expression, in the worst case, of a nanosecond.
const STEPS_PER_NANOSECOND: usize = 8;
/// A backtracking match of the worst case takes some milliseconds on a short text.
const BACKTRACKING_NANOSECONDS: u64 = 5_000_000;

/// A compiled `$regex` with its `$options`.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: String,
    options: Options,
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    Linear(Linear),
    Backtracking(BoundedRegex),
}

/// The letters of `$options`, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Options(u8);

impl Options {
    /// `i`: letters match in either case, in all scripts.
    pub const IGNORE_CASE: Self = Self(1);
    /// `m`: `^` and `$` match at every line.
    pub const MULTI_LINE: Self = Self(2);
    /// `s`: `.` matches a newline too.
    pub const DOT_ALL: Self = Self(4);
    /// `x`: white space and `#` comments in the expression are ignored.
    pub const EXTENDED: Self = Self(8);

    /// Whether all options of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn set(&mut self, other: Self, on: bool) {
        if on {
            self.0 |= other.0;
        } else {
            self.0 &= !other.0;
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'i' => Some(Self::IGNORE_CASE),
            'm' => Some(Self::MULTI_LINE),
            's' => Some(Self::DOT_ALL),
            'x' => Some(Self::EXTENDED),
            _ => None,
        }
    }

    fn read(letters: &str) -> Result<Self, String> {
        let mut options = Self::default();
        for letter in letters.chars() {
            let option = Self::from_letter(letter).ok_or_else(|| {
                format!("{letter:?} is no regex option; $options takes i, m, s and x")
            })?;
            options.set(option, true);
        }
        Ok(options)
    }
}

impl Pattern {
    /// Compiles an expression or takes it from the cache; the error says what is wrong with it.
    pub(crate) fn new(source: &str, options: &str, limits: &Limits) -> Result<Self, String> {
        if source.len() > limits.max_pattern {
            return Err(format!(
                "the regular expression has {} bytes; the limit is {}",
                source.len(),
                limits.max_pattern
            ));
        }
        let options = Options::read(options)?;
        Ok(Self {
            source: source.to_owned(),
            options,
            engine: Engine::of(source, options, limits)?,
        })
    }

    /// Whether the compiled expression is in the cache.
    pub(crate) fn is_compiled(source: &str, options: &str, limits: &Limits) -> bool {
        Options::read(options)
            .is_ok_and(|options| compiled::find(source, options, limits).is_some())
    }

    /// Whether the expression finds a match anywhere in `text`.
    ///
    /// # Errors
    ///
    /// [`TooExpensive`] when it passes [`Limits::backtrack_limit`], or `work` its time.
    pub(crate) fn is_match(&self, text: &str, work: &Work) -> Result<bool, TooExpensive> {
        let found = match &self.engine {
            Engine::Linear(regex) => {
                work.add((regex.steps(text) / STEPS_PER_NANOSECOND) as u64)?;
                regex.is_match(text)
            }
            Engine::Backtracking(regex) => {
                work.add(BACKTRACKING_NANOSECONDS)?;
                regex.is_match(text)
            }
        };
        found.ok_or(TooExpensive)
    }

    /// The expression as the caller wrote it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options given with the expression.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// The literal prefix of every text that matches, if the expression is anchored at the start.
    pub(crate) fn prefix(&self) -> Option<Prefix> {
        let tokens = translate::translate(&self.source, self.options).ok()?;
        prefix::prefix(&tokens)
    }

    /// Whether a match may take long, at least on a long text.
    pub(crate) fn may_take_long(&self) -> bool {
        match &self.engine {
            Engine::Linear(regex) => regex.steps(" ") > LIGHT_BYTES,
            Engine::Backtracking(_) => true,
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        (&self.source, self.options) == (&other.source, other.options)
    }
}

impl Engine {
    fn of(source: &str, options: Options, limits: &Limits) -> Result<Self, String> {
        if let Some(known) = compiled::find(source, options, limits) {
            return Ok(known);
        }
        let tokens = translate::translate(source, options)
            .map_err(|fault| format!("invalid regular expression: {fault}"))?;
        let (engine, bytes) = Self::compile(&tokens, limits)?;
        compiled::keep(source, options, limits, &engine, bytes);
        Ok(engine)
    }

    /// The engine and its estimated size in bytes.
    fn compile(tokens: &[token::Token], limits: &Limits) -> Result<(Self, usize), String> {
        let written = emit::backtracking(tokens);
        let tree =
            fancy_regex::Expr::parse_tree(&written).map_err(|fault| refusal(&fault.to_string()))?;
        let bytes = compiled_bytes(&tree.expr);
        if bytes > limits.max_compiled {
            let reason = too_expensive(bytes, limits.max_compiled);
            return Err(format!("the regular expression {reason}"));
        }
        let engine = if emit::needs_backtracking(tokens) {
            BoundedRegex::new(&written, bounds(limits))
                .map(Self::Backtracking)
                .map_err(|fault| refusal(&fault.to_string()))
        } else {
            Linear::new(emit::linear(tokens), bytes)
                .map(Self::Linear)
                .map_err(|fault| refusal(&fault.to_string()))
        };
        let engine = engine?;
        let copies = match &engine {
            Self::Linear(_) => 2,
            Self::Backtracking(regex) => regex.copies(),
        };
        Ok((engine, bytes.saturating_mul(copies)))
    }
}

/// A tenth of a second on a text.
const fn bounds(limits: &Limits) -> Bounds {
    Bounds {
        steps: limits.backtrack_limit,
        bytes: 20_000_000,
    }
}

/// The engines' messages show the rewritten expression on several lines; callers get only the
/// reason.
fn refusal(fault: &str) -> String {
    let reason = fault.lines().last().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    format!("invalid regular expression: {reason}")
}
