//! Tests of records in memory by a filter, within a time.

use std::time::{Duration, Instant};

use serde_json::Value;
use stockroom_filter::Checked;

use crate::Error;

/// How long the tests of a filter that may take long may take together. The last one may begin at
/// its end.
const MOST_TIME: Duration = Duration::from_millis(250);

/// A filter of records in memory.
#[derive(Debug, Clone)]
pub(crate) struct TimedFilter {
    filter: Checked,
    /// When a filter that may take long has taken too long.
    ends: Option<Instant>,
}

impl TimedFilter {
    /// Begins to test records.
    pub(crate) fn of(filter: Checked) -> Self {
        let ends = filter.may_take_long().then(|| Instant::now() + MOST_TIME);
        Self { filter, ends }
    }

    /// Whether they must not run where other requests wait for the thread.
    pub(crate) const fn may_take_long(&self) -> bool {
        self.ends.is_some()
    }

    /// Whether every record matches.
    pub(crate) fn is_everything(&self) -> bool {
        self.filter.is_everything()
    }

    /// Whether a record matches.
    ///
    /// # Errors
    ///
    /// The filter is too expensive.
    pub(crate) fn matches(&self, record: &Value) -> Result<bool, Error> {
        if self.ends.is_some_and(|ends| Instant::now() > ends) {
            return Err(stockroom_store::Error::TooExpensive.into());
        }
        let matches = self.filter.matches(record);
        Ok(matches.map_err(stockroom_store::Error::from)?)
    }
}
