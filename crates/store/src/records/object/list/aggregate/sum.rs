//! Exact sums: the order of the numbers does not matter, and only the result is rounded.

use stockroom_filter::{Datum, Numeric};
use stockroom_model::json::Value;

/// Doubles from here on do not fit in the sum of integers.
const LARGE: f64 = 1e37;

/// A sum of numbers.
#[derive(Debug, Default)]
pub(super) struct Sum {
    integers: i128,
    /// Doubles whose exact sum is that of all doubles. They do not overlap and grow in magnitude
    /// (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997).
    parts: Vec<f64>,
}

impl Sum {
    /// Adds a number several times.
    pub(super) fn add(&mut self, number: Numeric, times: i64) {
        match number {
            Numeric::Integer(integer) => {
                let product = integer.saturating_mul(times.into());
                self.integers = self.integers.saturating_add(product);
            }
            Numeric::Double(double) if times == 1 => self.add_double(double),
            Numeric::Double(double) => {
                let factor = nearest(times.into());
                let product = double * factor;
                self.add_double(product);
                self.add_double(double.mul_add(factor, -product));
            }
        }
    }

    fn add_double(&mut self, double: f64) {
        let mut rest = double;
        let mut kept = 0;
        for index in 0..self.parts.len() {
            let (mut large, mut small) = (rest, self.parts[index]);
            if large.abs() < small.abs() {
                (large, small) = (small, large);
            }
            rest = large + small;
            let error = small - (rest - large);
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
        }
        self.parts.truncate(kept);
        self.parts.push(rest);
    }

    /// The sum; null if it is too large for a number.
    pub(super) fn finish(mut self) -> Value {
        // Parts do not overlap, so the sum is an integer only if all of them are.
        let is_integer = |part: &f64| part.fract() == 0.0 && part.abs() < LARGE;
        if self.parts.iter().all(is_integer) {
            let parts = self.parts.iter().map(|part| truncate(*part));
            let sum = parts.fold(self.integers, i128::saturating_add);
            return Datum::Number(Numeric::Integer(sum)).to_value();
        }
        let mut integers = self.integers;
        while integers != 0 {
            let double = nearest(integers);
            self.add_double(double);
            integers -= truncate(double);
        }
        Datum::Number(Numeric::Double(rounded(&self.parts))).to_value()
    }
}

/// The double that is nearest to the sum of parts that do not overlap.
fn rounded(parts: &[f64]) -> f64 {
    let mut rest = parts.iter().rev();
    let mut sum = rest.next().copied().unwrap_or_default();
    while let Some(part) = rest.next() {
        let large = sum;
        sum = large + part;
        let error = part - (sum - large);
        if error == 0.0 {
            continue;
        }
        // If the error is half of the last digit, the next part says where to round.
        let next = rest.next().copied().unwrap_or_default();
        if next != 0.0 && (error > 0.0) == (next > 0.0) {
            let corrected = sum + error * 2.0;
            if same(corrected - sum, error * 2.0) {
                sum = corrected;
            }
        }
        break;
    }
    sum
}

#[expect(
    clippy::float_cmp,
    reason = "the question is whether a sum was rounded"
)]
fn same(left: f64, right: f64) -> bool {
    left == right
}

#[expect(
    clippy::cast_precision_loss,
    reason = "what the double loses is added next"
)]
fn nearest(integer: i128) -> f64 {
    integer as f64
}

#[expect(clippy::cast_possible_truncation, reason = "the double is an integer")]
fn truncate(double: f64) -> i128 {
    double as i128
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sum(numbers: &[Value]) -> Value {
        let mut sum = Sum::default();
        for number in numbers {
            if let Datum::Number(number) = Datum::of(number) {
                sum.add(number, 1);
            }
        }
        sum.finish()
    }

    #[test]
    fn sums_are_exact_in_any_order() {
        for (mut numbers, expected) in [
            (vec![], json!(0)),
            (vec![json!(1), json!(2.0)], json!(3)),
            (vec![json!(0.5), json!(0.5)], json!(1)),
            (vec![json!(1e300), json!(1), json!(-1e300)], json!(1)),
            (
                vec![json!(1e16), json!(1.5), json!(-1e16), json!(0.25)],
                json!(1.75),
            ),
            (
                vec![json!(u64::MAX), json!(i64::MIN), json!(0.5)],
                json!(9_223_372_036_854_775_808_u64),
            ),
            (
                vec![json!(u64::MAX), json!(1)],
                json!(1.844_674_407_370_955_2e19),
            ),
            (vec![json!(0.1); 10], json!(1)),
            (
                vec![json!(9_007_199_254_740_992.0), json!(1.0), json!(1e-9)],
                json!(9_007_199_254_740_994_i64),
            ),
        ] {
            assert_eq!(sum(&numbers), expected, "{numbers:?}");
            numbers.reverse();
            assert_eq!(sum(&numbers), expected, "{numbers:?}");
        }
    }

    #[test]
    fn a_number_can_be_added_many_times_at_once() {
        for number in [0.1, 1e300, 0.7, 3.0, -1e-300] {
            let number = Numeric::Double(number);
            let (mut once, mut each) = (Sum::default(), Sum::default());
            once.add(number, 1_000);
            (0..1_000).for_each(|_| each.add(number, 1));
            assert_eq!(once.finish(), each.finish(), "{number:?}");
        }
    }

    #[test]
    fn a_sum_that_is_too_large_is_null() {
        assert_eq!(sum(&[json!(1.7e308), json!(1.7e308)]), Value::Null);
    }
}
