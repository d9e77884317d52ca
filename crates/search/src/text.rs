//! Texts without case and separators.

/// A text as search compares it: in lower case, without separators, with one space where the text
/// has white space. `SN-004 Rack 7` becomes `sn004 rack 7`.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    text: String,
    words: Vec<Word>,
}

/// A run of letters and digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// Where it starts in the folded text.
    pub(crate) start: usize,
    /// Where it ends in the folded text.
    pub(crate) end: usize,
    /// Where it starts in the original text.
    pub(crate) origin: usize,
}

impl Folded {
    /// Folds a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut folded = Self::default();
        folded.set(text);
        folded
    }

    /// Folds another text, in the memory of this one.
    pub fn set(&mut self, text: &str) {
        self.text.clear();
        self.words.clear();
        let (mut rest, mut origin) = (text, 0);
        loop {
            let (separator, from_word) = rest.split_at(run(rest, false));
            let (word, after) = from_word.split_at(run(from_word, true));
            if word.is_empty() {
                break;
            }
            let start = origin + separator.len();
            self.push_word(word, start, separator.contains(char::is_whitespace));
            (rest, origin) = (after, start + word.len());
        }
        self.text.make_ascii_lowercase();
    }

    fn push_word(&mut self, word: &str, origin: usize, is_after_space: bool) {
        if is_after_space && !self.text.is_empty() {
            self.text.push(' ');
        }
        let start = self.text.len();
        if word.is_ascii() {
            self.text.push_str(word);
        } else {
            let letters = word.chars().flat_map(char::to_lowercase);
            // `İ` becomes an `i` and a combining dot, which is a separator elsewhere.
            self.text
                .extend(letters.filter(|letter| letter.is_alphanumeric()));
        }
        let end = self.text.len();
        self.words.push(Word { start, end, origin });
    }

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The folded text without spaces.
    #[must_use]
    pub fn compact(&self) -> String {
        self.text.replace(' ', "")
    }

    /// Whether it has neither letters nor digits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    pub(crate) fn word(&self, word: Word) -> &str {
        self.text.get(word.start..word.end).unwrap_or_default()
    }

    /// Whether a word starts at this byte of the folded text.
    pub(crate) fn starts_word(&self, at: usize) -> bool {
        let found = self.words.binary_search_by_key(&at, |word| word.start);
        found.is_ok()
    }

    /// Whether a word ends at this byte of the folded text.
    pub(crate) fn ends_word(&self, at: usize) -> bool {
        let found = self.words.binary_search_by_key(&at, |word| word.end);
        found.is_ok()
    }

    /// The byte of the original text at which the word around a byte of the folded text starts.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let after = self.words.partition_point(|word| word.start <= at);
        let word = self.words.get(after.saturating_sub(1));
        word.map_or(0, |word| word.origin)
    }
}

/// The bytes at the start of a text that belong to one word, or to none. ASCII needs no decoding, and
/// most texts are ASCII: a search folds megabytes.
fn run(text: &str, is_word: bool) -> usize {
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() != is_word {
                break;
            }
            at += 1;
        } else {
            let next = text.get(at..).and_then(|rest| rest.chars().next());
            match next.filter(|next| next.is_alphanumeric() == is_word) {
                Some(next) => at += next.len_utf8(),
                None => break,
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lose_case_and_separators() {
        for (text, folded, words) in [
            ("SN-004", "sn004", 2),
            ("b8:27:eb", "b827eb", 3),
            ("  Rack 7,\n left ", "rack 7 left", 3),
            ("a - b", "a b", 2),
            ("ÄÖ İst i\u{307}st", "äö ist ist", 4),
            ("--", "", 0),
            ("", "", 0),
        ] {
            let found = Folded::new(text);
            assert_eq!(found.as_str(), folded, "{text}");
            assert_eq!(found.words().len(), words, "{text}");
            assert_eq!(found.is_empty(), words == 0, "{text}");
        }
    }

    #[test]
    fn words_know_their_origin() {
        let folded = Folded::new("é: SN-004");
        assert_eq!(folded.as_str(), "é sn004");
        assert_eq!(folded.origin(3), 4);
        assert_eq!(folded.origin(6), 7);
        assert!(folded.starts_word(5) && folded.ends_word(8) && !folded.starts_word(6));
    }
}
