//! Decimal128 numbers as texts.

const EXPONENT_BIAS: i32 = 6_176;
const COEFFICIENT_BITS: u32 = 113;
/// A larger exponent is written as such, not as zeros.
const MOST_ZEROS: i32 = 20;

/// The number as a decimal text; NaN and the infinities by name.
pub(crate) fn text(bytes: [u8; 16]) -> String {
    let bits = u128::from_le_bytes(bytes);
    let sign = if bits >> 127 == 1 { "-" } else { "" };
    let combination = (bits >> 122) & 0x1f;
    if combination == 0x1f {
        return "NaN".to_owned();
    }
    if combination == 0x1e {
        return format!("{sign}Infinity");
    }
    // The other form has coefficients that are too large, which count as zero.
    let is_large = combination >> 3 == 3;
    let (shift, mask) = (COEFFICIENT_BITS - if is_large { 2 } else { 0 }, 0x3fff);
    let exponent = i32::try_from((bits >> shift) & mask).unwrap_or_default() - EXPONENT_BIAS;
    let coefficient = if is_large {
        0
    } else {
        bits & ((1 << COEFFICIENT_BITS) - 1)
    };
    format!("{sign}{}", scaled(coefficient, exponent))
}

fn scaled(coefficient: u128, exponent: i32) -> String {
    let digits = coefficient.to_string();
    if exponent == 0 {
        return digits;
    }
    if !(-2 * MOST_ZEROS..=MOST_ZEROS).contains(&exponent) {
        return format!("{digits}E{exponent}");
    }
    let places = usize::try_from(exponent.unsigned_abs()).unwrap_or_default();
    if exponent > 0 {
        return format!("{digits}{}", "0".repeat(places));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{whole}.{fraction}")
}
