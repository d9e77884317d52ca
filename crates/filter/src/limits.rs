//! Limits on a filter.

/// Limits on a filter. Exceeding one is an [`Invalid`](crate::Invalid), except for the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Nesting depth of the filter's JSON.
    pub max_depth: usize,
    /// Documents and operators in one filter.
    pub max_nodes: usize,
    /// Values in one `$in`, `$nin` or `$all`.
    pub max_in: usize,
    /// Bytes of one regular expression.
    pub max_pattern: usize,
    /// Regular expressions in one filter.
    pub max_patterns: usize,
    /// Estimated bytes of one compiled regular expression.
    pub max_compiled: usize,
    /// Backtracking steps of a regular expression with look-around or backreferences on one text
    /// before it is [`TooExpensive`](crate::TooExpensive). All other expressions run in linear
    /// time, without this limit.
    pub backtrack_limit: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 64,
            max_nodes: 10_000,
            max_in: 10_000,
            max_pattern: 16_384,
            max_patterns: 16,
            max_compiled: 256 * 1024,
            backtrack_limit: 100_000,
        }
    }
}
