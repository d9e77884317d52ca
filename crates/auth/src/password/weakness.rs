//! Detects passwords that are easily guessed.

/// Why a password is easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Weakness {
    /// It has fewer than [`GOOD_CHARACTERS`].
    #[error("is easily guessed: it is shorter than {GOOD_CHARACTERS} characters")]
    Short,
    /// It is on the list of common passwords.
    #[error("is easily guessed: it is one of the 1,000 most common passwords")]
    Common,
}

/// A shorter password is weak.
pub const GOOD_CHARACTERS: usize = 8;

const COMMON: &str = include_str!("common.txt");

/// Why a password is weak, if it is; the case of its letters does not matter.
#[must_use]
pub fn weakness(password: &str) -> Option<Weakness> {
    if password.chars().count() < GOOD_CHARACTERS {
        return Some(Weakness::Short);
    }
    let lower = password.to_lowercase();
    let mut common = COMMON.lines().filter(|line| !line.starts_with('#'));
    common.any(|line| line == lower).then_some(Weakness::Common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_common_passwords_are_weak() {
        for (password, expected) in [
            ("", Some(Weakness::Short)),
            ("1234567", Some(Weakness::Short)),
            ("ü234567", Some(Weakness::Short)),
            ("üüüüüüüü", None),
            ("password", Some(Weakness::Common)),
            ("PassWord", Some(Weakness::Common)),
            ("12345678", Some(Weakness::Common)),
            ("password of mine", None),
            ("correct horse battery staple", None),
        ] {
            assert_eq!(weakness(password), expected, "{password}");
        }
    }

    #[test]
    fn the_list_has_a_thousand_words_beside_its_licence() {
        let words = COMMON.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(words.count(), 1_000);
        assert!(
            !COMMON
                .lines()
                .any(|line| line == "#" || line.trim() != line)
        );
    }
}
