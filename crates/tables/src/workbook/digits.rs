//! Numbers that are shown with a fixed number of digits, such as `00042` by the format `00000`: they
//! are the numbers of things, and stay what people see.

use calamine::{DataRef, Style};
use serde_json::Value;

use crate::Cell;

/// The characters of the longest such format.
const LONGEST: usize = 40;
/// The integers up to here are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// By style, the format that shows a fixed number of digits, such as `00000` or `000-00-0000`.
pub(super) fn patterns(styles: &[Style]) -> Vec<Option<String>> {
    let pattern = |style: &Style| {
        let code = style.number_format.as_ref()?.format_code.replace('\\', "");
        let code = code.replace('"', "");
        let digits = code.matches('0').count();
        let is_fixed = code
            .chars()
            .all(|part| matches!(part, '0' | '-' | ' ' | '/'));
        (digits > 1 && is_fixed && code.len() <= LONGEST && code.starts_with('0')).then_some(code)
    };
    styles.iter().map(pattern).collect()
}

/// An integer as its format shows it; `None` if another format does.
pub(super) fn read_digits(value: &DataRef<'_>, pattern: Option<&str>) -> Option<Cell> {
    let pattern = pattern?;
    let number = match value {
        DataRef::Int(number) => u64::try_from(*number).ok()?,
        DataRef::Float(number) if number.fract() == 0.0 && (0.0..EXACT).contains(number) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "integral and within the range"
            )]
            let integer = *number as u64;
            integer
        }
        _ => return None,
    };
    Some(Cell::Value(Value::String(shown(number, pattern))))
}

/// The digits of a number in the places of a format. Those beyond stand before it.
fn shown(number: u64, pattern: &str) -> String {
    let places = pattern.matches('0').count();
    let digits = format!("{number:0places$}");
    let (beyond, digits) = digits.split_at(digits.len() - places);
    let mut digits = digits.chars();
    let formatted = pattern.chars().filter_map(|part| match part {
        '0' => digits.next(),
        other => Some(other),
    });
    beyond.chars().chain(formatted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_their_places() {
        for (number, pattern, expected) in [
            (42, "00000", "00042"),
            (1_234_567, "00000", "1234567"),
            (12_345_678, "000-00-0000", "012-34-5678"),
            (0, "00", "00"),
        ] {
            assert_eq!(shown(number, pattern), expected);
        }
    }

    #[test]
    fn only_whole_numbers_are_written_so() {
        for value in [
            DataRef::Float(0.5),
            DataRef::Float(-1.0),
            DataRef::Float(1e300),
            DataRef::Int(-1),
            DataRef::Empty,
        ] {
            assert_eq!(read_digits(&value, Some("000")), None, "{value:?}");
        }
        assert_eq!(read_digits(&DataRef::Int(7), None), None);
        let seven = Some(Cell::Value("007".into()));
        assert_eq!(read_digits(&DataRef::Float(7.0), Some("000")), seven);
    }
}
