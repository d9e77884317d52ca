//! Medians, percentiles and spreads.

use std::time::Duration;

/// The median of several rounds, and their range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// The spread of the values; `None` if there are none.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            median: median(&sorted)?,
            least: *sorted.first()?,
            most: *sorted.last()?,
        })
    }

    /// Whether all values are equal, as with a single round.
    pub(crate) fn is_one_value(&self) -> bool {
        self.least.total_cmp(&self.most).is_eq()
    }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len().is_multiple_of(2) {
        Some(f64::midpoint(upper, sorted[sorted.len() / 2 - 1]))
    } else {
        Some(upper)
    }
}

/// The smallest time that at least `percent` of the times do not exceed; zero if there are none.
pub(crate) fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// A duration in microseconds.
pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_between_the_two_middle_ones() {
        let of = |values: &[f64]| Spread::of(values).map(|spread| spread.median);
        assert_eq!(of(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(of(&[7.0]), Some(7.0));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn the_spread_names_the_least_and_the_most() {
        let spread = Spread::of(&[3.0, 1.0, 2.0]).unwrap();
        assert_eq!((spread.least, spread.most), (1.0, 3.0));
    }

    #[test]
    fn a_percentile_is_the_nearest_rank() {
        let times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 99), Duration::from_millis(99));
        assert_eq!(percentile(&times, 100), Duration::from_millis(100));
        assert_eq!(percentile(&times[..10], 50), Duration::from_millis(95));
        assert_eq!(percentile(&times[..1], 99), Duration::from_millis(100));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }
}
