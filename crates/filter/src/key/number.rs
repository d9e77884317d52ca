//! Numbers as bytes: the nearest double, then the difference of an integer from it.

use crate::number::{Numeric, truncate};

use super::SIGN;

/// The length of the untrimmed form.
pub(super) const BYTES: usize = 10;
const DOUBLE_BYTES: usize = 8;

/// From here on, doubles have no fraction and integers may be rounded when they become doubles.
const ROUNDED: f64 = 9_007_199_254_740_992.0;

/// Maps an `i16` to a `u16` in the same order.
const OFFSET: u16 = 0x8000;

/// A number as bytes, and the length of its trimmed form.
pub(super) struct Form {
    bytes: [u8; BYTES],
    short: usize,
}

impl Form {
    pub(super) fn of(number: Numeric) -> Self {
        let (double, difference) = split(number);
        let mut bytes = [0; BYTES];
        let (start, end) = bytes.split_at_mut(DOUBLE_BYTES);
        start.copy_from_slice(&ordered(double).to_be_bytes());
        end.copy_from_slice(&(difference.cast_unsigned() ^ OFFSET).to_be_bytes());
        let short = if double.abs() < ROUNDED {
            let zeros = start.iter().rev().take_while(|byte| **byte == 0).count();
            DOUBLE_BYTES - zeros
        } else {
            BYTES
        };
        Self { bytes, short }
    }

    /// The form if more bytes follow: the same length for all numbers.
    pub(super) fn whole(&self) -> &[u8] {
        &self.bytes
    }

    /// The form if no bytes follow: without trailing zeros and, below [`ROUNDED`], without the
    /// difference, which is zero there. If one form is a prefix of another, the longer one is the
    /// larger number, because the omitted bytes are zeros. The double alone tells whether a form
    /// has a difference, so forms with and without one sort correctly.
    pub(super) fn trimmed(&self) -> &[u8] {
        self.bytes.get(..self.short).unwrap_or(&self.bytes)
    }
}

/// Reads the trimmed form.
pub(super) fn decode(bytes: &[u8]) -> Option<Numeric> {
    let mut whole = [0; DOUBLE_BYTES];
    let (start, end) = bytes.split_at_checked(DOUBLE_BYTES).unwrap_or((bytes, &[]));
    whole.get_mut(..start.len())?.copy_from_slice(start);
    let difference = match end {
        [] => 0,
        _ => (u16::from_be_bytes(end.try_into().ok()?) ^ OFFSET).cast_signed(),
    };
    let double = unordered(u64::from_be_bytes(whole));
    if !double.is_finite() {
        return None;
    }
    if double.fract() != 0.0 {
        return Some(Numeric::Double(double));
    }
    let integer = Numeric::Integer(truncate(double).saturating_add(difference.into()));
    Some(
        integer
            .truncated()
            .map_or(Numeric::Double(double), Numeric::Integer),
    )
}

/// The nearest double, never -0, and the difference from it: at most 1024 for integers of 64 bits.
fn split(number: Numeric) -> (f64, i16) {
    match number {
        Numeric::Double(double) => (double + 0.0, 0),
        Numeric::Integer(integer) => {
            #[expect(
                clippy::cast_precision_loss,
                reason = "what the double loses is returned beside it"
            )]
            let double = integer as f64;
            let difference = integer - truncate(double);
            (double, i16::try_from(difference).unwrap_or_default())
        }
    }
}

/// Maps doubles to integers in the same order. All bits of negative numbers are flipped, because
/// they grow with the distance from zero.
fn ordered(double: f64) -> u64 {
    let bits = double.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn unordered(bits: u64) -> f64 {
    f64::from_bits(if bits & SIGN == 0 {
        !bits
    } else {
        bits & !SIGN
    })
}
