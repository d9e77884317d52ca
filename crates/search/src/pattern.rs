//! What a value must contain, and how well it does.

use crate::text::{Folded, Word};

/// Shorter words match the beginnings of words only.
pub(crate) const FRAGMENT_CHARACTERS: usize = 3;

/// How well a value matches; the best one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The whole value.
    Exact,
    /// The beginning of the value.
    Prefix,
    /// Whole words.
    Word,
    /// The beginning of a word.
    WordPrefix,
    /// Anything inside.
    Fragment,
}

impl Class {
    /// All classes, the best one first.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Prefix,
        Self::Word,
        Self::WordPrefix,
        Self::Fragment,
    ];
}

/// A text to find in values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// Letters and digits anywhere between two white spaces, separators ignored.
    Word(String),
    /// Whole words, one after the other.
    Phrase(Vec<String>),
}

/// A match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordMatch {
    /// How well it matches.
    pub class: Class,
    /// The byte of the original text at which the word with the match starts.
    pub at: usize,
}

impl Pattern {
    /// A pattern for a text without white space; `None` if it has neither letters nor digits.
    #[must_use]
    pub fn word(text: &str) -> Option<Self> {
        let folded = Folded::new(text);
        (!folded.is_empty()).then(|| Self::Word(folded.compact()))
    }

    /// A pattern for an exact phrase; `None` if it has neither letters nor digits.
    #[must_use]
    pub fn phrase(text: &str) -> Option<Self> {
        let folded = Folded::new(text);
        let words = folded.words().iter();
        let words: Vec<String> = words.map(|word| folded.word(*word).to_owned()).collect();
        (!words.is_empty()).then_some(Self::Phrase(words))
    }

    /// Its best match in a value.
    #[must_use]
    pub fn find(&self, value: &Folded) -> Option<WordMatch> {
        let (class, at) = match self {
            Self::Word(word) => find_word(word, value),
            Self::Phrase(words) => find_phrase(words, value),
        }?;
        Some(WordMatch {
            class,
            at: value.origin(at),
        })
    }

    /// The number that it is, if it may be the id of an object.
    #[must_use]
    pub fn id(&self) -> Option<i64> {
        match self {
            Self::Word(word) if !word.starts_with('0') => {
                word.parse().ok().filter(|_| word.bytes().all(is_digit))
            }
            _ => None,
        }
    }
}

const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn find_word(word: &str, value: &Folded) -> Option<(Class, usize)> {
    let text = value.as_str();
    if text.starts_with(word) {
        let is_whole = text.len() == word.len();
        return Some((
            if is_whole {
                Class::Exact
            } else {
                Class::Prefix
            },
            0,
        ));
    }
    if word.chars().count() < FRAGMENT_CHARACTERS {
        return find_short(word, value);
    }
    let mut best = None;
    for (at, _) in text.match_indices(word) {
        let class = match (value.starts_word(at), value.ends_word(at + word.len())) {
            (true, true) => return Some((Class::Word, at)),
            (true, false) => Class::WordPrefix,
            (false, _) => Class::Fragment,
        };
        if best.is_none_or(|(known, _)| class < known) {
            best = Some((class, at));
        }
    }
    best
}

fn find_short(word: &str, value: &Folded) -> Option<(Class, usize)> {
    let starts = |start: usize| {
        let rest = value.as_str().get(start..);
        rest.is_some_and(|rest| rest.starts_with(word))
    };
    let mut first = None;
    for found in value.words().iter().filter(|found| starts(found.start)) {
        if value.ends_word(found.start + word.len()) {
            return Some((Class::Word, found.start));
        }
        first = first.or(Some((Class::WordPrefix, found.start)));
    }
    first
}

fn find_phrase(phrase: &[String], value: &Folded) -> Option<(Class, usize)> {
    let words = value.words();
    let is_here = |window: &[Word]| {
        let mut pairs = window.iter().zip(phrase);
        pairs.all(|(word, wanted)| value.word(*word) == wanted)
    };
    let index = words.windows(phrase.len()).position(is_here)?;
    let class = match index {
        0 if words.len() == phrase.len() => Class::Exact,
        0 => Class::Prefix,
        _ => Class::Word,
    };
    Some((class, words.get(index)?.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(pattern: Option<Pattern>, value: &str) -> Option<Class> {
        let found = pattern.unwrap().find(&Folded::new(value));
        found.map(|found| found.class)
    }

    #[test]
    fn words_match_by_their_place() {
        for (word, value, expected) in [
            ("web01", "web-01", Some(Class::Exact)),
            ("WEB", "web-01", Some(Class::Prefix)),
            ("01", "web-01 b", Some(Class::Word)),
            ("web-01", "the web 01", None),
            ("web-01", "the web_01", Some(Class::Word)),
            ("27eb", "b8:27:eb:12", Some(Class::Word)),
            ("27e", "b8:27:eb:12", Some(Class::WordPrefix)),
            ("7eb1", "b8:27:eb:12", Some(Class::Fragment)),
            ("eb", "web", None),
            ("eb1", "a web1", Some(Class::Fragment)),
            ("su", "power supply", Some(Class::WordPrefix)),
            ("p", "power", Some(Class::Prefix)),
            ("rsu", "power supply", None),
            ("ab", "xab ab-c", Some(Class::Word)),
            ("äö", "x ÄÖü", Some(Class::WordPrefix)),
            ("bar", "foobar bar", Some(Class::Word)),
        ] {
            assert_eq!(
                class(Pattern::word(word), value),
                expected,
                "{word} in {value}"
            );
        }
        assert_eq!(Pattern::word(":-"), None);
    }

    #[test]
    fn phrases_match_whole_words() {
        for (phrase, value, expected) in [
            ("power supply", "Power-Supply", Some(Class::Exact)),
            ("power supply", "power supply, old", Some(Class::Prefix)),
            ("power supply", "the power  supply", Some(Class::Word)),
            ("power sup", "power supply", None),
            ("b8:27", "a b8:27:eb", Some(Class::Word)),
        ] {
            assert_eq!(
                class(Pattern::phrase(phrase), value),
                expected,
                "{phrase} in {value}"
            );
        }
        assert_eq!(Pattern::phrase(" - "), None);
    }

    #[test]
    fn numbers_may_be_ids() {
        for (word, id) in [
            ("4711", Some(4711)),
            ("#12", Some(12)),
            ("012", None),
            ("a1", None),
        ] {
            assert_eq!(Pattern::word(word).unwrap().id(), id, "{word}");
        }
        assert_eq!(Pattern::phrase("12").unwrap().id(), None);
        assert_eq!(Pattern::word(&"9".repeat(30)).unwrap().id(), None);
    }
}
