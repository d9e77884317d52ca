//! Keeps spreadsheets from running cells as formulas, and takes that back.

use std::borrow::Cow;

/// Keeps a spreadsheet from taking the rest of the cell for a formula.
const GUARD: char = '\'';

/// Whether a spreadsheet may take a cell that begins like this for a formula. Some take the wide
/// forms of East Asian texts for the narrow ones. At the beginning of a file, a byte order mark is
/// taken off first.
const fn begins_formula(first: char) -> bool {
    matches!(
        first,
        '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠' | '\u{feff}'
    )
}

/// The text with a guard if it begins like a formula, or like a guarded text.
#[must_use]
pub fn defuse(text: &str) -> Cow<'_, str> {
    let is_dangerous = text.starts_with(begins_formula) || is_guarded(text);
    if is_dangerous {
        Cow::Owned(format!("{GUARD}{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text that was defused.
#[must_use]
pub fn undo(cell: &str) -> &str {
    if is_guarded(cell) {
        &cell[GUARD.len_utf8()..]
    } else {
        cell
    }
}

fn is_guarded(text: &str) -> bool {
    let rest = text.strip_prefix(GUARD);
    rest.is_some_and(|rest| rest.starts_with(|first| first == GUARD || begins_formula(first)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_defused_can_be_undone(text in "['=+@\t\r\n＝\u{feff}-]{0,4}.{0,3}") {
            let cell = defuse(&text);
            prop_assert_eq!(undo(&cell), text.as_str());
            prop_assert!(!cell.starts_with(begins_formula), "{cell:?}");
        }

        #[test]
        fn any_text_survives(text: String) {
            let cell = defuse(&text);
            prop_assert_eq!(undo(&cell), text.as_str());
        }
    }

    #[test]
    fn only_dangerous_texts_change() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("-", "'-"),
            ("@a", "'@a"),
            ("\ta", "'\ta"),
            ("\ra", "'\ra"),
            ("'=1", "''=1"),
            ("''a", "'''a"),
            ("'", "'"),
            ("'tis", "'tis"),
            ("a=1", "a=1"),
            (" =1", " =1"),
            ("", ""),
        ] {
            assert_eq!(defuse(text), cell);
            assert_eq!(undo(cell), text);
        }
    }
}
