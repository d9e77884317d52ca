//! Bounds on what a request may ask for.

use clap::Args;
use stockroom_service::FilterLimits;

/// Bounds on what a request may ask for.
#[derive(Args, Clone)]
#[expect(clippy::struct_field_names, reason = "a field is named as its flag")]
pub(crate) struct Limits {
    /// Conditions and operators in one filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_NODES",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().max_nodes
    )]
    filter_nodes: usize,
    /// Values in one list of a filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_VALUES",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().max_in
    )]
    filter_values: usize,
    /// Bytes of one regular expression of a filter
    #[arg(
        long,
        env = "STOCKROOM_FILTER_PATTERN",
        value_name = "BYTES",
        default_value_t = FilterLimits::default().max_pattern
    )]
    filter_pattern: usize,
    /// Steps back that a regular expression may take over one text
    #[arg(
        long,
        env = "STOCKROOM_FILTER_BACKTRACKS",
        value_name = "NUMBER",
        default_value_t = FilterLimits::default().backtrack_limit
    )]
    filter_backtracks: usize,
}

impl Limits {
    /// Those of filters.
    pub(super) fn filter(&self) -> FilterLimits {
        FilterLimits {
            max_nodes: self.filter_nodes,
            max_in: self.filter_values,
            max_pattern: self.filter_pattern,
            backtrack_limit: self.filter_backtracks,
            ..FilterLimits::default()
        }
    }
}
