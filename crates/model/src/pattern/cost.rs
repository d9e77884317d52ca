//! Estimates the compiled size of an expression from its syntax tree. The estimate is within a
//! factor of two of the engine's own count and takes time linear in the length of the expression.

use fancy_regex::Expr;

/// One state of an automaton.
const STATE: usize = 24;
/// Per character of a class of few ASCII characters or ranges.
const CLASS_LETTER: usize = 8;
/// A negated class, which has states for each length of UTF-8 sequence.
const NEGATED: usize = 300;
/// A character outside of ASCII.
const WIDE_LETTER: usize = 80;
/// Large Unicode properties, such as all letters.
const LARGE_PROPERTY: usize = 18_000;
const DIGITS: usize = 1_300;
const SPACES: usize = 300;
/// In the backtracking engine, every class is an automaton of its own.
const AUTOMATON: usize = 1_024;
/// The most that case folding adds to a class.
const MAX_FOLDED: usize = 1_000;

/// Estimates the bytes that an expression takes when compiled.
#[must_use]
pub fn compiled_bytes(expression: &Expr) -> usize {
    let automata = if backtracks(expression) {
        AUTOMATON * classes(expression)
    } else {
        0
    };
    bytes(expression).saturating_add(automata)
}

fn bytes(expression: &Expr) -> usize {
    let inner = || {
        expression
            .children_iter()
            .map(bytes)
            .fold(STATE, usize::saturating_add)
    };
    match expression {
        Expr::Repeat { lo, hi, .. } => inner().saturating_mul(copies(*lo, *hi)),
        Expr::Literal { val, casei } => {
            let folded = if *casei { 3 } else { 1 };
            val.len().saturating_mul(STATE * folded)
        }
        Expr::Any { .. } => NEGATED,
        Expr::Delegate { inner, casei } => class(inner, *casei),
        // The engine inlines the group; its limit on instructions bounds the result.
        Expr::SubroutineCall(_) => AUTOMATON,
        _ => inner(),
    }
}

/// How many copies of a repeated part are compiled; the last copy of an unbounded one loops.
fn copies(least: usize, most: usize) -> usize {
    if most == usize::MAX {
        least.saturating_add(1)
    } else {
        most.max(1)
    }
}

fn class(text: &str, ignores_case: bool) -> usize {
    let mut bytes = STATE;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        bytes += match letter {
            '\\' => match letters.next() {
                Some('p' | 'P' | 'w' | 'W') => LARGE_PROPERTY,
                Some('d' | 'D') => DIGITS,
                Some('s' | 'S') => SPACES,
                Some('x' | 'u') => WIDE_LETTER,
                _ => CLASS_LETTER,
            },
            '[' if letters.peek() == Some(&'^') => NEGATED,
            _ if letter.is_ascii() => CLASS_LETTER,
            _ => WIDE_LETTER,
        };
    }
    if ignores_case {
        bytes += bytes.min(MAX_FOLDED);
    }
    bytes
}

fn classes(expression: &Expr) -> usize {
    let own = usize::from(matches!(
        expression,
        Expr::Any { .. } | Expr::Delegate { .. }
    ));
    own + expression.children_iter().map(classes).sum::<usize>()
}

/// Whether the expression needs the backtracking engine.
pub(super) fn backtracks(expression: &Expr) -> bool {
    let is_plain = matches!(
        expression,
        Expr::Empty
            | Expr::Any { .. }
            | Expr::Assertion(_)
            | Expr::Literal { .. }
            | Expr::LiteralBytes { .. }
            | Expr::Concat(_)
            | Expr::Alt(_)
            | Expr::Group(_)
            | Expr::Repeat { .. }
            | Expr::Delegate { .. }
    );
    !is_plain || expression.children_iter().any(backtracks)
}
