//! Documents as text, without characters that a terminal would obey.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

/// The text with control characters written as escapes.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut printable = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => printable.push_str("\\n"),
            '\r' => printable.push_str("\\r"),
            '\t' => printable.push_str("\\t"),
            _ if is_obeyed(character) => escape(character, &mut printable),
            _ => printable.push(character),
        }
    }
    Cow::Owned(printable)
}

/// A document in one line.
pub(super) fn json_line(document: &Value) -> String {
    escape_strings(&document.to_string())
}

/// A document over several lines.
pub(super) fn json_lines(document: &Value) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    escape_strings(&text)
}

/// A document as YAML. JSON is YAML too, which is how texts with control characters are written.
pub(super) fn yaml(document: &Value) -> String {
    match serde_saphyr::to_string(document) {
        Ok(text) if !text.contains(|character| character != '\n' && is_obeyed(character)) => text,
        _ => json_lines(document),
    }
}

/// Whether a terminal would obey the character, or show others in another order because of it.
fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

/// Escapes what JSON leaves as it is; all of it is in strings.
fn escape_strings(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && is_obeyed(character) {
            escape(character, &mut escaped);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// In the notation of JSON; all characters that are obeyed are in the basic plane.
fn escape(character: char, text: &mut String) {
    let _ = write!(text, "\\u{:04x}", u32::from(character));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}b\u{7f}\nc";

    #[test]
    fn no_text_reaches_a_terminal_with_control_characters() {
        assert_eq!(printable(HOSTILE), r"a\u001b[2J\u009b31m\u202eb\u007f\nc");
        assert_eq!(printable("Ringstraße 2 – 東京"), "Ringstraße 2 – 東京");
    }

    #[test]
    fn documents_keep_their_values() {
        let document = json!({"a": [HOSTILE, "yes", "1", "", "- x", null, 1.5], "b": {}});
        for text in [json_line(&document), json_lines(&document), yaml(&document)] {
            assert!(
                !text.contains(|character| character != '\n' && is_obeyed(character)),
                "{text}"
            );
            let read: Value = serde_saphyr::from_str(&text).unwrap();
            assert_eq!(read, document, "{text}");
        }
    }
}
