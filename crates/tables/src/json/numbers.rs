//! Numbers of more digits than a number keeps.

use memchr::memchr2;

/// The characters of it that a message shows.
const SHOWN: usize = 40;

/// The beginning of the first integer in a JSON text that is longer than 64 bits: as a number it
/// would lose its last digits. In broken JSON it may be no number.
pub(super) fn too_long(json: &str) -> Option<&str> {
    let mut rest = json;
    while let Some(at) = rest.find(|first: char| first == '"' || first.is_ascii_digit()) {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(text) = rest.strip_prefix('"') {
            rest = behind_text(text);
            continue;
        }
        let is_part =
            |part: char| part.is_ascii_digit() || matches!(part, '.' | 'e' | 'E' | '+' | '-');
        let end = rest.find(|part| !is_part(part)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at_checked(end)?;
        let is_integer = number.bytes().all(|digit| digit.is_ascii_digit());
        if is_integer && number.parse::<u64>().is_err() {
            return number.get(..SHOWN.min(number.len()));
        }
        rest = behind;
    }
    None
}

/// What stands behind the closing quote of a text.
fn behind_text(text: &str) -> &str {
    let mut rest = text;
    while let Some(at) = memchr2(b'"', b'\\', rest.as_bytes()) {
        let is_escape = rest.as_bytes().get(at) == Some(&b'\\');
        // The escaped character may have several bytes, none of which is a quote.
        rest = rest.get(at + 1..).unwrap_or_default();
        if !is_escape {
            return rest;
        }
        let mut characters = rest.chars();
        characters.next();
        rest = characters.as_str();
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_more_than_64_bits_are_found() {
        for (json, expected) in [
            (
                r#"{"a": 18446744073709551615, "b": -9223372036854775808}"#,
                None,
            ),
            (
                r#"{"a": 0.1000000000000000055511151231257827, "b": 1e300}"#,
                None,
            ),
            (r#"{"a": "89490200001234567890", "\"1\\": "\\"}"#, None),
            (
                r#"{"ä\ü": "\\", "a": [89490200001234567890]}"#,
                Some("89490200001234567890"),
            ),
            (
                r#"{"a":-89490200001234567890}"#,
                Some("89490200001234567890"),
            ),
            ("18446744073709551616", Some("18446744073709551616")),
            ("\"never closed 89490200001234567890", None),
            ("\"\\", None),
        ] {
            assert_eq!(too_long(json), expected, "{json}");
        }
    }
}
