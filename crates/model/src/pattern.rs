//! Regular expressions of fields, and limits on their cost.
//!
//! A short expression can compile to a large program: `.{9999}` takes megabytes and a fifth of a
//! second. So the compiled size is estimated from the syntax tree first.

mod automaton;
mod bounded;
mod cache;
mod cost;

use std::sync::{Arc, LazyLock, OnceLock};

use fancy_regex::Expr;

pub use automaton::Automaton;
pub use bounded::{BoundedRegex, Bounds};
pub use cache::Cache;
pub use cost::compiled_bytes;

/// Bounds of the match of one value: some milliseconds, as an object may have a thousand values.
const BOUNDS: Bounds = Bounds {
    steps: 100_000,
    bytes: 2_000_000,
};

/// Maximum instructions of the backtracking engine. It inlines subroutine calls, so a few of them
/// can become many instructions.
const MAX_INSTRUCTIONS: usize = 4_096;

/// Actual bytes per estimated byte: the engine compiles forward and reverse automata and keeps
/// scratch space.
pub const BYTES_PER_ESTIMATED_BYTE: usize = 4;

/// Cache size for the compiled expressions of types, in bytes; the next type or commit reuses them.
const CACHED_BYTES: usize = 32 * 1024 * 1024;

static COMPILED: LazyLock<Cache<String, Option<BoundedRegex>>> =
    LazyLock::new(|| Cache::new(CACHED_BYTES));

/// The `regex` of a field, which must match a whole text. It is compiled once, on first use.
#[derive(Debug, Clone)]
pub struct Pattern(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    source: String,
    compiled: OnceLock<Option<BoundedRegex>>,
}

impl Pattern {
    /// A stored expression, whatever its cost.
    #[must_use]
    pub fn new(source: &str) -> Self {
        Self(Arc::new(Inner {
            source: source.to_owned(),
            compiled: OnceLock::new(),
        }))
    }

    /// The expression as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Whether the whole of `text` matches. False if the match exceeds the backtracking limit; true
    /// if the expression does not compile.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.compiled()
            .is_none_or(|regex| regex.is_match(text).unwrap_or_default())
    }

    /// Compiles the expression now, so that no later match has to wait.
    pub fn compile(&self) {
        let _ = self.compiled();
    }

    fn compiled(&self) -> Option<&BoundedRegex> {
        self.0
            .compiled
            .get_or_init(|| compiled(&self.0.source))
            .as_ref()
    }
}

/// Estimates the bytes that an expression takes when compiled. Compiles it if the estimate is
/// within `limit`.
///
/// # Errors
///
/// Why the expression is invalid or too expensive.
pub fn check(source: &str, limit: usize) -> Result<usize, String> {
    let bytes = estimate(source).map_err(|reason| no_expression(&reason))?;
    if bytes > limit {
        return Err(too_expensive(bytes, limit));
    }
    match compiled(source) {
        Some(_) => Ok(bytes),
        None => Err(no_expression(&build(source).err().map_or_else(
            || "it cannot be matched as a whole".to_owned(),
            |error| fault(&error, source),
        ))),
    }
}

/// The refusal of an expression whose estimate is `bytes`.
#[must_use]
pub fn too_expensive(bytes: usize, limit: usize) -> String {
    format!(
        "is too expensive: compiled it would take about {} KiB, and the limit is {} KiB; shorten its repetitions, \
         or write ASCII classes such as [0-9A-Za-z_] for \\w",
        bytes.div_ceil(1_024),
        limit / 1_024
    )
}

fn no_expression(error: &impl std::fmt::Display) -> String {
    format!("is no regular expression: {error}")
}

fn compiled(source: &str) -> Option<BoundedRegex> {
    if let Some(known) = COMPILED.get(source) {
        return known;
    }
    let estimate = estimate(source);
    let regex = estimate.is_ok().then(|| build(source).ok()).flatten();
    let copies = regex.as_ref().map_or(1, BoundedRegex::copies);
    let bytes = estimate.unwrap_or_default();
    let bytes = bytes.saturating_mul(BYTES_PER_ESTIMATED_BYTE * copies);
    COMPILED.put(source.to_owned(), regex.clone(), bytes);
    regex
}

/// Refuses long numbers before parsing, because the engine's parser overflows on them.
fn estimate(source: &str) -> Result<usize, String> {
    const DIGITS: usize = 19;
    let both_digits = |left: &u8, right: &u8| left.is_ascii_digit() && right.is_ascii_digit();
    let mut runs = source.as_bytes().chunk_by(both_digits);
    if runs.any(|run| run.len() >= DIGITS) {
        return Err(format!("it has a number of {DIGITS} digits or more"));
    }
    let tree = Expr::parse_tree(source).map_err(|error| fault(&error, source))?;
    if let Some(group) = missing_group(&tree.expr, groups(&tree.expr)) {
        return Err(format!("there is no group {group}"));
    }
    Ok(compiled_bytes(&tree.expr))
}

fn groups(expression: &Expr) -> usize {
    let own = usize::from(matches!(expression, Expr::Group(_)));
    expression
        .children_iter()
        .map(groups)
        .fold(own, usize::saturating_add)
}

/// The first group that an expression refers to but does not define, given the number of its
/// groups. The engine would allocate all groups up to that number, or search for the missing one.
fn missing_group(expression: &Expr, groups: usize) -> Option<usize> {
    let named = match expression {
        Expr::SubroutineCall(group)
        | Expr::Backref { group, .. }
        | Expr::BackrefWithRelativeRecursionLevel { group, .. }
        | Expr::BackrefExistsCondition { group, .. } => Some(*group),
        _ => None,
    };
    named.filter(|group| *group > groups).or_else(|| {
        let mut parts = expression.children_iter();
        parts.find_map(|part| missing_group(part, groups))
    })
}

/// Characters of the expression shown after the position of a fault.
const EXCERPT: usize = 20;

fn fault(error: &fancy_regex::Error, source: &str) -> String {
    let fancy_regex::Error::ParseError(position, cause) = error else {
        return error.to_string();
    };
    found_at(cause, source, *position)
}

/// Describes a fault and its position; `position` is in bytes.
#[must_use]
pub fn found_at(fault: &impl std::fmt::Display, source: &str, position: usize) -> String {
    let rest = source.get(position..).unwrap_or_default();
    let position = source.chars().count() - rest.chars().count() + 1;
    let excerpt: String = rest.chars().take(EXCERPT).collect();
    match excerpt.as_str() {
        "" => format!("{fault}, found at its end"),
        excerpt => format!("{fault}, found at character {position}: {excerpt:?}"),
    }
}

fn build(source: &str) -> Result<BoundedRegex, Box<fancy_regex::Error>> {
    BoundedRegex::new(&format!(r"\A(?:{source})\z"), BOUNDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 256 * 1_024;

    #[test]
    fn what_people_write_is_within_the_limit() {
        for source in [
            r"^[A-Z]{2}\d{4}$",
            r"[\w.-]+@[\w.-]+\.\w{2,6}",
            r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}",
            r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,255}",
            r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
            r"[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]{1,512}",
            r"(a|b)\1",
        ] {
            assert!(
                check(source, LIMIT).is_ok(),
                "{source}: {:?}",
                check(source, LIMIT)
            );
        }
    }

    #[test]
    fn groups_that_are_not_there_take_no_memory() {
        for source in [
            r"(a)\g<25340230079999>",
            r"(a)(?25340230079999)",
            r"(a)\25340230079999",
            r"(a)\k<25340230079999>",
            "(a)(?(25340230079999)b|c)",
            "a(?:b|(?=(?2)))",
            "(?(3)a|b){2,}(?:c)(d)",
        ] {
            let refusal = check(source, LIMIT).unwrap_err();
            assert!(
                refusal.starts_with("is no regular expression"),
                "{source}: {refusal}"
            );
        }
        assert!(check(r"(a)\g<1>b", LIMIT).is_ok());
    }

    #[test]
    fn what_would_take_much_is_refused_before_it_is_compiled() {
        for source in [
            ".{9999}",
            r"\w{1000}",
            "((a{1000}){1000}){1000}",
            "(?:a{0,4000000000}){4000000000}",
            r"(?i:\p{L}){50}",
            "(?:(?=a)[bc]){100000}",
            &"(?=a)[bc]".repeat(500),
        ] {
            let refusal = check(source, LIMIT).unwrap_err();
            assert!(
                refusal.contains("the limit is 256 KiB"),
                "{source}: {refusal}"
            );
        }
    }

    #[test]
    fn an_expression_stands_for_itself() {
        for source in ["a)|(b", "(", "[", "(?#", r"(a)\k<-9223372036854775808>"] {
            let refusal = check(source, LIMIT).expect_err(source);
            assert!(
                refusal.starts_with("is no regular expression"),
                "{source}: {refusal}"
            );
        }
        let pattern = Pattern::new("a|b");
        assert!(pattern.matches("b"));
        assert!(!pattern.matches("bc"));
    }
}
