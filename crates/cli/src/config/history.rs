//! The history.

use clap::{Args, value_parser};
use stockroom_service::Config as ServiceConfig;

/// How long it is kept.
#[derive(Args, Clone)]
#[command(next_help_heading = "History")]
pub(crate) struct History {
    /// Days after which changes are removed from the history, except the first and the last one of
    /// each record [default: never]
    #[arg(
        long,
        env = "STOCKROOM_HISTORY_DAYS",
        value_name = "DAYS",
        value_parser = value_parser!(u32).range(1..=36_500)
    )]
    history_days: Option<u32>,
}

impl History {
    pub(super) fn apply(&self, service: &mut ServiceConfig) {
        service.history_days = self.history_days;
    }
}
