//! Texts in the XML of a sheet.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The most UTF-16 units of a cell; spreadsheets refuse files with more.
const MAX_UNITS: usize = 32_767;
/// The most characters of the name of a sheet.
const MAX_NAME: usize = 31;

/// The text of a cell. Characters that XML lacks are `_x0000_` with their number.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let text = cut(text);
    if !text.contains(is_special) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '_' if is_number(&text[at..]) => out.push_str("_x005F_"),
            '\t' | '\n' => out.push(character),
            // Writing to a String cannot fail.
            _ if is_unknown(character) => drop(write!(out, "_x{:04X}_", u32::from(character))),
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// A legal name of a sheet, as XML.
pub(super) fn sheet_name(title: &str) -> String {
    let legal = |character: char| match character {
        '[' | ']' | ':' | '*' | '?' | '/' | '\\' => ' ',
        other if is_unknown(other) || other == '\n' || other == '\t' => ' ',
        other => other,
    };
    let mut name = String::new();
    let mut units = 0;
    for character in title.chars().map(legal) {
        units += character.len_utf16();
        if units > MAX_NAME {
            break;
        }
        name.push(character);
    }
    match name.trim_matches([' ', '\'']) {
        "" => "Objects".to_owned(),
        name => escaped(name).into_owned(),
    }
}

/// The beginning of a text that is too long, with a mark.
fn cut(text: &str) -> Cow<'_, str> {
    // A character has at least as many bytes as units.
    if text.len() <= MAX_UNITS {
        return text.into();
    }
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units >= MAX_UNITS
    });
    match end {
        Some((at, last)) if units > MAX_UNITS || at + last.len_utf8() < text.len() => {
            Cow::Owned(format!("{}…", &text[..at]))
        }
        _ => text.into(),
    }
}

fn is_special(character: char) -> bool {
    matches!(character, '&' | '<' | '>' | '"' | '_') || is_unknown(character)
}

/// Whether XML 1.0 has no such character, or would turn it into another one.
const fn is_unknown(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a text begins like the number of a character.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix("_x").and_then(|rest| rest.get(..5));
    digits.is_some_and(|digits| {
        digits.ends_with('_') && digits[..4].bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_legal_xml() {
        for (text, expected) in [
            ("plain ü 日本 😀", "plain ü 日本 😀"),
            ("a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"),
            ("a\tb\nc", "a\tb\nc"),
            ("a\r\nb\u{1}", "a_x000D_\nb_x0001_"),
            ("_x0041_ _x00_ _", "_x005F_x0041_ _x00_ _"),
            ("\u{ffff}", "_xFFFF_"),
            ("=1+1", "=1+1"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_cut() {
        let whole = "é".repeat(MAX_UNITS);
        assert_eq!(escaped(&whole), whole);
        let cut = escaped(&format!("{whole}é")).into_owned();
        assert_eq!(cut.chars().count(), MAX_UNITS);
        assert!(cut.ends_with("é…"));
        let wide = "😀".repeat(MAX_UNITS / 2 + 1);
        let cut = escaped(&wide).into_owned();
        assert!(cut.encode_utf16().count() <= MAX_UNITS && cut.ends_with("😀…"));
    }

    #[test]
    fn sheets_have_legal_names() {
        for (title, expected) in [
            ("Server", "Server"),
            ("", "Objects"),
            ("'a/b'", "a b"),
            ("[*]", "Objects"),
            ("R&D", "R&amp;D"),
            (
                "0123456789012345678901234567890123",
                "0123456789012345678901234567890",
            ),
        ] {
            assert_eq!(sheet_name(title), expected);
        }
    }
}
