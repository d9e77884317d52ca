//! Grams: three characters in a row, also with marks for the ends of words and values.
//!
//! Values also have a few grams of longer texts: of the whole value and of its beginning. Without
//! them, a common word would be a candidate for a whole value wherever other values of the document
//! begin and end alike.
//!
//! A document has the grams of its values. A pattern has, for each class, the grams that every
//! value has in which it is found so: see [`of_pattern`].

use crate::bits::Damaged;
use crate::pattern::{Class, FRAGMENT_CHARACTERS, Pattern};
use crate::text::Folded;
use crate::varint;

/// A number for three characters, or for a type. Different characters may share one.
pub type Gram = i64;

/// Every gram is less.
pub const END: Gram = 1 << 41;

/// Grams of longer texts follow those of three characters, and grams of types follow these.
const FIRST_LONG: Gram = 1 << 18;
const FIRST_TYPE: Gram = 1 << 19;
/// How many different grams values can have.
const OF_VALUES: usize = 1 << 19;
/// Grams of each kind of longer text.
const LONG: Gram = 1 << 14;

/// So many are faster marked in a table of all grams than sorted.
const MANY: usize = 1 << 15;

/// A kind of longer text.
#[derive(Clone, Copy)]
enum Long {
    /// All letters and digits of a value.
    Whole,
    /// The first three of them.
    Three,
    /// The first four of them.
    Four,
}

/// The codes of six bits: nothing, letters, digits, all other characters, and marks.
const NOTHING: u8 = 0;
const FIRST_OTHER: u8 = 37;
const OTHERS: u32 = 23;
const WORD_START: u8 = 60;
const WORD_END: u8 = 61;
const VALUE_START: u8 = 62;

/// The gram of all objects of a type. Types with very different ids may share one.
#[must_use]
pub const fn of_type(type_id: i64) -> Gram {
    FIRST_TYPE + type_id.rem_euclid(END - FIRST_TYPE)
}

/// Whether it is the gram of a type.
#[must_use]
pub const fn is_of_type(gram: Gram) -> bool {
    gram >= FIRST_TYPE
}

/// Whether it is the gram of a whole value or of its beginning, which few objects share.
#[must_use]
pub const fn is_long(gram: Gram) -> bool {
    gram >= FIRST_LONG && gram < FIRST_TYPE
}

/// Appends the grams of a value, which may repeat.
pub fn add_value(value: &Folded, grams: &mut Vec<Gram>) {
    let mut chunk = Chunk::default();
    let (mut end, mut is_first) = (0, true);
    for word in value.words() {
        if word.start != end {
            chunk.add_to(grams, is_first);
            chunk.clear();
            is_first = false;
        }
        chunk.push(value.word(*word));
        end = word.end;
    }
    chunk.add_to(grams, is_first);
    if !value.is_empty() {
        let letters = value.as_str().chars().filter(|letter| *letter != ' ');
        grams.push(long(Long::Whole, letters));
    }
}

/// The grams that a document has if the pattern is found in one of its values as `class` says;
/// `None` if it is never found so.
#[must_use]
pub fn of_pattern(pattern: &Pattern, class: Class) -> Option<Vec<Gram>> {
    let (words, is_phrase) = match pattern {
        Pattern::Word(word) => (std::slice::from_ref(word), false),
        Pattern::Phrase(words) => (words.as_slice(), true),
    };
    if is_phrase && class > Class::Word {
        return None;
    }
    let first = words.first()?;
    let mut grams = Vec::new();
    for word in words {
        let codes = codes(word);
        add_inside(&codes, &mut grams);
        let is_whole = is_phrase || class == Class::Word;
        if is_whole || class == Class::WordPrefix {
            grams.extend(start(WORD_START, &codes));
        }
        if is_whole {
            grams.extend(word_end(&codes, true));
        }
    }
    if class <= Class::Prefix {
        let four = beginning(Long::Four, first, 4);
        let most = four.or_else(|| beginning(Long::Three, first, 3));
        grams.extend(most.or_else(|| value_start(&codes(first))));
    }
    if class == Class::Exact {
        grams.push(long(
            Long::Whole,
            words.iter().flat_map(|word| word.chars()),
        ));
    }
    grams.sort_unstable();
    grams.dedup();
    Some(grams)
}

/// The grams of values in ascending order, each once. Many of them, as a large document has, are
/// marked in a table instead of compared.
pub(crate) fn sort(mut grams: Vec<Gram>) -> Vec<Gram> {
    if grams.len() < MANY {
        grams.sort_unstable();
        grams.dedup();
        return grams;
    }
    let mut are_there = vec![false; OF_VALUES];
    for gram in grams {
        let index = usize::try_from(gram).ok();
        if let Some(mark) = index.and_then(|index| are_there.get_mut(index)) {
            *mark = true;
        }
    }
    let all = (0..).zip(are_there);
    all.filter_map(|(gram, is_there)| is_there.then_some(gram))
        .collect()
}

/// Ascending grams as bytes: their differences.
#[must_use]
pub fn encode(grams: &[Gram]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::with_capacity(2 * grams.len()), 0);
    for gram in grams {
        varint::push((gram - last).cast_unsigned(), &mut bytes);
        last = *gram;
    }
    bytes
}

/// Reads what [`encode`] wrote.
///
/// # Errors
///
/// [`Damaged`]
pub fn decode(bytes: &[u8]) -> Result<Vec<Gram>, Damaged> {
    let (mut grams, mut last) = (Vec::new(), 0);
    varint::each(bytes, |difference| {
        last += difference.cast_signed();
        grams.push(last);
        if last < END { Ok(()) } else { Err(Damaged) }
    })?;
    Ok(grams)
}

/// The grams that a word has wherever it is found.
fn add_inside(codes: &[u8], grams: &mut Vec<Gram>) {
    match codes {
        [only] => grams.push(gram(WORD_START, *only, NOTHING)),
        _ if codes.len() < FRAGMENT_CHARACTERS => grams.extend(start(WORD_START, codes)),
        _ => add_windows(codes, grams),
    }
}

fn add_windows(codes: &[u8], grams: &mut Vec<Gram>) {
    let windows = codes.windows(3);
    grams.extend(windows.map(|window| gram(window[0], window[1], window[2])));
}

fn start(mark: u8, codes: &[u8]) -> Option<Gram> {
    match codes {
        [first, second, ..] => Some(gram(mark, *first, *second)),
        _ => None,
    }
}

/// The end of a word; `None` if it has one character, which other words without white space in
/// between may precede.
fn word_end(codes: &[u8], is_whole: bool) -> Option<Gram> {
    match codes {
        [only] if is_whole => Some(gram(WORD_START, *only, WORD_END)),
        [.., before, last] => Some(gram(*before, *last, WORD_END)),
        _ => None,
    }
}

fn value_start(codes: &[u8]) -> Option<Gram> {
    match codes {
        [] => None,
        [only] => Some(gram(VALUE_START, *only, NOTHING)),
        [first, second, ..] => Some(gram(VALUE_START, *first, *second)),
    }
}

/// The first letters of a word, if it has so many.
fn beginning(kind: Long, word: &str, count: usize) -> Option<Gram> {
    let has_all = word.chars().count() >= count;
    has_all.then(|| long(kind, word.chars().take(count)))
}

fn long(kind: Long, letters: impl Iterator<Item = char>) -> Gram {
    // FNV-1a: the same on every machine and in every release.
    let hash = letters.fold(0x811c_9dc5_u32, |hash, letter| {
        (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193)
    });
    let folded = Gram::from(hash ^ hash >> 16) % LONG;
    FIRST_LONG + LONG * kind as Gram + folded
}

fn gram(first: u8, second: u8, third: u8) -> Gram {
    Gram::from(first) << 12 | Gram::from(second) << 6 | Gram::from(third)
}

fn codes(word: &str) -> Vec<u8> {
    word.chars().map(code).collect()
}

fn code(character: char) -> u8 {
    match character {
        'a'..='z' => character as u8 - b'a' + 1,
        '0'..='9' => character as u8 - b'0' + 27,
        other => FIRST_OTHER + (u32::from(other) % OTHERS) as u8,
    }
}

/// Words without white space in between.
#[derive(Default)]
struct Chunk {
    letters: String,
    codes: Vec<u8>,
    /// Where its words start and end.
    words: Vec<(usize, usize)>,
}

impl Chunk {
    fn push(&mut self, word: &str) {
        let start = self.codes.len();
        self.letters.push_str(word);
        self.codes.extend(word.chars().map(code));
        self.words.push((start, self.codes.len()));
    }

    fn clear(&mut self) {
        self.letters.clear();
        self.codes.clear();
        self.words.clear();
    }

    fn add_to(&self, grams: &mut Vec<Gram>, is_first: bool) {
        add_windows(&self.codes, grams);
        for (from, to) in &self.words {
            let rest = self.codes.get(*from..).unwrap_or_default();
            let until = self.codes.get(..*to).unwrap_or_default();
            grams.extend(rest.first().map(|code| gram(WORD_START, *code, NOTHING)));
            grams.extend(start(WORD_START, rest));
            grams.extend(word_end(until, false));
            if to - from == 1 {
                grams.extend(rest.first().map(|code| gram(WORD_START, *code, WORD_END)));
            }
        }
        if is_first {
            let first = self.codes.first();
            grams.extend(first.map(|code| gram(VALUE_START, *code, NOTHING)));
            grams.extend(value_start(&self.codes));
            grams.extend(beginning(Long::Three, &self.letters, 3));
            grams.extend(beginning(Long::Four, &self.letters, 4));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of_value(value: &str) -> Vec<Gram> {
        let mut grams = Vec::new();
        add_value(&Folded::new(value), &mut grams);
        grams
    }

    #[test]
    fn types_have_grams_of_their_own() {
        assert!(of_type(1) > long(Long::Four, "abcd".chars()));
        assert_ne!(of_type(1), of_type(2));
        assert!(is_of_type(of_type(0)) && !is_of_type(FIRST_LONG + 3 * LONG - 1));
        assert!(of_type(i64::MAX) < END);
    }

    #[test]
    fn many_grams_are_sorted_as_few_are() {
        let few = vec![FIRST_TYPE - 1, 7, 0, 7, FIRST_LONG];
        let many = few.iter().cycle().take(MANY + 1).copied().collect();
        assert_eq!(sort(few), [0, 7, FIRST_LONG, FIRST_TYPE - 1]);
        assert_eq!(sort(many), [0, 7, FIRST_LONG, FIRST_TYPE - 1]);
    }

    #[test]
    fn lists_of_grams_come_back() {
        for grams in [vec![], vec![0], vec![1, 2, 130, 300_000, END - 1]] {
            assert_eq!(decode(&encode(&grams)), Ok(grams));
        }
        for damaged in [
            &[0x80_u8][..],
            &[0xff; 9],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        ] {
            assert_eq!(decode(damaged), Err(Damaged));
        }
    }

    proptest! {
        /// Whatever is found is a candidate: a search misses nothing.
        #[test]
        fn a_match_has_the_grams_of_its_class(
            value in "[aB1é]{0,3}[ :-]{0,2}[aB1é]{0,3}[ :-]{0,2}[aB1é]{0,4}",
            word in "[ab1É]{1,4}-?[ab1]{0,2}",
            is_phrase in any::<bool>(),
        ) {
            let pattern = if is_phrase { Pattern::phrase(&word) } else { Pattern::word(&word) };
            let pattern = pattern.unwrap();
            if let Some(found) = pattern.find(&Folded::new(&value)) {
                let has = of_value(&value);
                let wanted = of_pattern(&pattern, found.class).unwrap();
                prop_assert!(!wanted.is_empty());
                for gram in wanted {
                    prop_assert!(has.contains(&gram), "{pattern:?} in {value:?}: {found:?}");
                }
            }
        }
    }
}
