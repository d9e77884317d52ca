//! How much a caller may ask at once.

/// Bounds on a filter; passing one of them is an [`Invalid`](crate::Invalid), except the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Levels of nesting of the filter's JSON.
    pub max_depth: usize,
    /// Documents and operators in one filter.
    pub max_nodes: usize,
    /// Values in one `$in`, `$nin` or `$all`.
    pub max_in: usize,
    /// Bytes of one regular expression.
    pub max_pattern: usize,
    /// Regular expressions in one filter.
    pub max_patterns: usize,
    /// Bytes that one regular expression takes when it is compiled, as estimated before.
    pub max_compiled: usize,
    /// Steps back that a regular expression with look-around or backreferences may take over one
    /// text before it is [`TooExpensive`](crate::TooExpensive). All other expressions run in linear
    /// time and know no such limit.
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
