//! The failures of the last 15 minutes.

use std::collections::VecDeque;

use stockroom_model::Timestamp;

/// Moments of failures, oldest first; never more than the limit that they are counted against.
#[derive(Debug, Default)]
pub(super) struct Window(VecDeque<Timestamp>);

const LENGTH_MICROS: i64 = 15 * 60 * MICROS_PER_SECOND;

const MICROS_PER_SECOND: i64 = 1_000_000;

impl Window {
    /// Whole seconds until fewer than `limit` failures are left; `None` if that is so now.
    pub(super) fn wait(&mut self, limit: usize, now: Timestamp) -> Option<u64> {
        self.0.retain(|at| end(*at) > now.0);
        let freed_by = self.0.len().checked_sub(limit)?;
        let micros = end(*self.0.get(freed_by)?).saturating_sub(now.0);
        u64::try_from(micros)
            .ok()
            .map(|micros| micros.div_ceil(MICROS_PER_SECOND.unsigned_abs()))
    }

    pub(super) fn push(&mut self, at: Timestamp) {
        self.0.push_back(at);
    }

    /// Takes one failure of that moment back.
    pub(super) fn remove(&mut self, at: Timestamp) {
        if let Some(place) = self.0.iter().rposition(|other| *other == at) {
            self.0.remove(place);
        }
    }
}

fn end(at: Timestamp) -> i64 {
    at.0.saturating_add(LENGTH_MICROS)
}
