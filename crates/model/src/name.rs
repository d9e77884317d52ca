//! Names of users and groups: which are valid, and how two of them compare.

use unicode_normalization::UnicodeNormalization as _;

use crate::body::Body;

/// A required name: trimmed, in Unicode's composed form (NFC), without invisible characters. The
/// `stored` name is accepted unchanged.
pub(crate) fn read_name(body: &Body<'_>, key: &str, stored: Option<&str>) -> Option<String> {
    let sent = body.required_text(key)?;
    if stored == Some(sent) {
        return Some(sent.to_owned());
    }
    let name: String = sent.trim().nfc().collect();
    if name.is_empty() {
        body.problem(key, "must not be blank");
        return None;
    }
    if let Some(hidden) = name.chars().find(|letter| is_hidden(*letter)) {
        body.problem(
            key,
            format!(
                "must not contain the invisible character U+{:04X}",
                u32::from(hidden)
            ),
        );
        return None;
    }
    Some(name)
}

/// The comparison key of a name. Names that differ only in case, invisible characters, or the width
/// or number of spaces have the same key.
#[must_use]
pub fn key(name: &str) -> String {
    let visible = name
        .nfkc()
        .filter(|letter| letter.is_whitespace() || !is_hidden(*letter));
    let folded = visible.collect::<String>().to_lowercase();
    // Lower case may need composing again.
    let folded: String = folded.nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Control characters, and those that show nothing or turn the direction of the text around them.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_look_alike_have_one_key() {
        for (name, same) in [
            ("Admin", "admin"),
            ("JÜRGEN", "jürgen"),
            ("ju\u{308}rgen", "jürgen"),
            ("service\u{a0}desk", "service desk"),
            ("service \u{2003} desk", "service desk"),
            (" service\tdesk\u{3000}", "service desk"),
            ("ａｄｍｉｎ", "admin"),
            ("ad\u{200b}min", "admin"),
            ("\u{202e}admin", "admin"),
        ] {
            assert_eq!(key(name), key(same), "{name:?}");
        }
        for (name, other) in [
            ("admin", "admin2"),
            ("service desk", "servicedesk"),
            ("jurgen", "jürgen"),
        ] {
            assert_ne!(key(name), key(other), "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(name in "\\PC{0,20}") {
            let first = key(&name);
            prop_assert_eq!(key(&first), first);
        }
    }
}
