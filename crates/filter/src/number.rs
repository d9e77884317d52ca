//! Numbers compare by mathematical value: `1` equals `1.0`, and 64-bit integers are never rounded.

use std::cmp::Ordering;

use serde_json::Number;

/// A JSON number in a form that compares exactly.
#[derive(Debug, Clone, Copy)]
pub enum Numeric {
    /// An integer of 64 bits, signed or unsigned.
    Integer(i128),
    /// A number that was written with a fraction or an exponent; finite.
    Double(f64),
}

impl Numeric {
    /// The integer part, if a signed or unsigned 64-bit integer can hold it.
    #[must_use]
    pub fn truncated(self) -> Option<i128> {
        let whole = match self {
            Self::Integer(integer) => integer,
            Self::Double(double) => truncate(double),
        };
        (i128::from(i64::MIN)..=i128::from(u64::MAX))
            .contains(&whole)
            .then_some(whole)
    }

    /// The value as an integer, if it is one: `3` and `3.0` are, `3.5` is not.
    #[must_use]
    pub fn integral(self) -> Option<i128> {
        match self {
            Self::Double(double) if double.fract() != 0.0 => None,
            _ => self.truncated(),
        }
    }

    /// The number as JSON, an integer if possible; `None` if it is infinite.
    pub(crate) fn to_number(self) -> Option<Number> {
        let integer = self.integral();
        let number = integer.and_then(|integer| {
            let signed = i64::try_from(integer).map(Number::from);
            signed
                .or_else(|_| u64::try_from(integer).map(Number::from))
                .ok()
        });
        number.or_else(|| Number::from_f64(self.nearest_double()))
    }

    fn nearest_double(self) -> f64 {
        match self {
            #[expect(
                clippy::cast_precision_loss,
                reason = "JSON has no integers of more than 64 bits"
            )]
            Self::Integer(integer) => integer as f64,
            Self::Double(double) => double,
        }
    }
}

impl From<&Number> for Numeric {
    fn from(number: &Number) -> Self {
        if let Some(integer) = number.as_i64() {
            Self::Integer(integer.into())
        } else if let Some(integer) = number.as_u64() {
            Self::Integer(integer.into())
        } else {
            Self::Double(number.as_f64().unwrap_or_default())
        }
    }
}

impl PartialEq for Numeric {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Numeric {}

impl PartialOrd for Numeric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Numeric {
    fn cmp(&self, other: &Self) -> Ordering {
        match (*self, *other) {
            (Self::Integer(left), Self::Integer(right)) => left.cmp(&right),
            (Self::Double(left), Self::Double(right)) => compare_finite(left, right),
            (Self::Integer(left), Self::Double(right)) => integer_to_double(left, right),
            (Self::Double(left), Self::Integer(right)) => integer_to_double(right, left).reverse(),
        }
    }
}

fn integer_to_double(integer: i128, double: f64) -> Ordering {
    integer
        .cmp(&truncate(double))
        .then_with(|| compare_finite(0.0, double.fract()))
}

/// Unlike `total_cmp`, this treats -0 as equal to 0. JSON has no NaN.
fn compare_finite(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or(Ordering::Equal)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "dropping the fraction is the purpose, and what lies past 128 bits saturates beyond every 64-bit integer"
)]
pub(crate) fn truncate(double: f64) -> i128 {
    double as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(text: &str) -> Numeric {
        Numeric::from(&text.parse::<Number>().unwrap())
    }

    #[test]
    fn orders_by_mathematical_value() {
        let ascending = [
            "-1e300",
            "-9223372036854775808",
            "-9007199254740993",
            "-9007199254740992.0",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "5e-324",
            "0.5",
            "9007199254740992.0",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808.0",
            "18446744073709551615",
            "18446744073709551616.0",
            "1e300",
        ];
        for (left, one) in ascending.iter().enumerate() {
            for (right, other) in ascending.iter().enumerate() {
                assert_eq!(
                    numeric(one).cmp(&numeric(other)),
                    left.cmp(&right),
                    "{one} {other}"
                );
            }
        }
    }

    #[test]
    fn forms_of_one_number_are_equal() {
        for (left, right) in [("1", "1.0"), ("0", "-0.0"), ("0.0", "-0.0"), ("100", "1e2")] {
            assert_eq!(numeric(left), numeric(right), "{left} {right}");
        }
    }
}
