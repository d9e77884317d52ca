//! Times as texts with a unit.

use std::time::Duration;

use anyhow::{Context as _, ensure};

const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
/// A century, so that it can be added to any time.
const LONGEST: u64 = 3_153_600_000;

/// Reads a time such as `30m`.
pub(super) fn parse(text: &str) -> anyhow::Result<Duration> {
    let seconds = UNITS.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(*unit)?.parse().ok()?;
        let seconds = number.checked_mul(*seconds)?;
        (seconds <= LONGEST).then_some(seconds)
    });
    let seconds = seconds.context("expected a number with a unit, such as 24h, 30m or 10s")?;
    Ok(Duration::from_secs(seconds))
}

/// Reads a time that is not zero.
pub(super) fn parse_interval(text: &str) -> anyhow::Result<Duration> {
    let interval = parse(text)?;
    ensure!(!interval.is_zero(), "must be a second or longer");
    Ok(interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        for (text, seconds) in [
            ("0s", 0),
            ("1s", 1),
            ("30m", 1_800),
            ("24h", 86_400),
            ("7d", 604_800),
        ] {
            let expected = Duration::from_secs(seconds);
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
        for text in ["", "24", "h", "-1h", "1.5h", "1 h", "24H", "99999999999d"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_interval_is_not_zero() {
        assert!(parse_interval("0h").is_err());
        assert_eq!(parse_interval("1m").unwrap(), Duration::from_secs(60));
    }
}
