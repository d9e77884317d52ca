//! Bounds on what a request may ask for.

use clap::Args;
use stockroom_http::BodyLimits;
use stockroom_service::FilterLimits;

/// Bounds on what a request may ask for.
#[derive(Args, Clone)]
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
    /// Bytes of the body of a request
    #[arg(
        long,
        env = "STOCKROOM_BODY_BYTES",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().bytes
    )]
    body_bytes: usize,
    /// Bytes of a body that is never long, such as that of a login
    #[arg(
        long,
        env = "STOCKROOM_SMALL_BODY_BYTES",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().small_bytes
    )]
    small_body_bytes: usize,
    /// JSON values in one body
    #[arg(
        long,
        env = "STOCKROOM_BODY_VALUES",
        value_name = "NUMBER",
        default_value_t = BodyLimits::default().values
    )]
    body_values: usize,
    /// Memory for the bodies of all requests, in bytes; each JSON value counts 512 more
    #[arg(
        long,
        env = "STOCKROOM_BODIES_IN_FLIGHT",
        value_name = "BYTES",
        default_value_t = BodyLimits::default().in_flight_bytes
    )]
    bodies_in_flight: usize,
}

impl Limits {
    /// Those of bodies.
    pub(super) const fn bodies(&self) -> BodyLimits {
        BodyLimits {
            bytes: self.body_bytes,
            small_bytes: self.small_body_bytes,
            values: self.body_values,
            in_flight_bytes: self.bodies_in_flight,
        }
    }

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
