//! Dates whose parts are in an order that a file does not tell.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The order of the parts of dates with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DateOrder {
    /// As in the United States.
    #[serde(rename = "month/day/year")]
    MonthFirst,
    /// As in most of the world.
    #[serde(rename = "day/month/year")]
    DayFirst,
}

impl DateOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::MonthFirst, Self::DayFirst];

    /// Its name in the plan of an import.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MonthFirst => "month/day/year",
            Self::DayFirst => "day/month/year",
        }
    }

    /// The order of that name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.as_str() == word)
    }

    /// The date as ISO 8601, if it is one.
    #[must_use]
    pub fn iso(self, text: &str) -> Option<String> {
        let mut parts = text.split('/').map(str::trim);
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let (month, day) = match self {
            Self::MonthFirst => (first, second),
            Self::DayFirst => (second, first),
        };
        let (month, day) = (number(month, 2)?, number(day, 2)?);
        let iso = format!("{:04}-{month:02}-{day:02}", full_year(year)?);
        Timestamp::from_text(&iso).is_some().then_some(iso)
    }
}

fn number(text: &str, most_digits: usize) -> Option<u32> {
    let is_short = (1..=most_digits).contains(&text.len());
    let is_number = is_short && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Two digits are the years from 1969 to 2068, as in POSIX.
fn full_year(text: &str) -> Option<u32> {
    let year = number(text, 4)?;
    match (text.len(), year) {
        (4, _) => Some(year),
        (2, 69..) => Some(1900 + year),
        (2, _) => Some(2000 + year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_order_that_is_given() {
        for (order, text, iso) in [
            (DateOrder::MonthFirst, "1/23/23", Some("2023-01-23")),
            (DateOrder::MonthFirst, "02/26/1969", Some("1969-02-26")),
            (DateOrder::MonthFirst, "2/3/69", Some("1969-02-03")),
            (DateOrder::DayFirst, "2/3/68", Some("2068-03-02")),
            (DateOrder::DayFirst, "1/23/23", None),
            (DateOrder::MonthFirst, "2/30/23", None),
            (DateOrder::MonthFirst, "1/2/203", None),
            (DateOrder::MonthFirst, "+1/2/2023", None),
            (DateOrder::MonthFirst, "1/2/2023/4", None),
            (DateOrder::MonthFirst, "1/2", None),
            (DateOrder::MonthFirst, "1/\u{661}/2023", None),
        ] {
            assert_eq!(order.iso(text).as_deref(), iso, "{text}");
        }
    }
}
