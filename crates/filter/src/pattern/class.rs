//! Character classes. PCRE has neither nested classes nor set operations, but the engines do, so
//! every character is quoted.

use super::cursor::Cursor;
use super::escape::{DIGIT, Escape, SPACE, WORD, escape, octal, quoted};

/// Reads the class after its `[` and writes it in a form that both engines accept.
pub(super) fn class(cursor: &mut Cursor<'_>) -> Result<String, String> {
    let mut written = String::from(if cursor.eat("^") { "[^" } else { "[" });
    let mut first = true;
    loop {
        if !first && cursor.eat("]") {
            written.push(']');
            return Ok(written);
        }
        first = false;
        match item(cursor)? {
            Item::Set(set) => written.push_str(&set),
            Item::Character(start) => match range_end(cursor)? {
                Some(end) if end < start => {
                    return Err(format!(
                        "the range from {start:?} to {end:?} runs backwards"
                    ));
                }
                Some(end) => written.extend([&quoted(start), "-", &quoted(end)]),
                None => written.push_str(&quoted(start)),
            },
            Item::Nothing => {}
        }
    }
}

enum Item {
    Character(char),
    Set(String),
    Nothing,
}

fn item(cursor: &mut Cursor<'_>) -> Result<Item, String> {
    if let Some(set) = posix(cursor)? {
        return Ok(Item::Set(set));
    }
    match cursor.next().ok_or("a [ without its ]")? {
        '\\' => escaped(cursor),
        character => Ok(Item::Character(character)),
    }
}

fn escaped(cursor: &mut Cursor<'_>) -> Result<Item, String> {
    if cursor.peek().is_some_and(|digit| digit.is_digit(8)) {
        let digits = cursor.take(3, |digit| digit.is_digit(8));
        return octal(digits).map(Item::Character);
    }
    Ok(match escape(cursor)? {
        Escape::Character(character) => Item::Character(character),
        Escape::Set { ranges, negated } => Item::Set(set(ranges, negated)),
        Escape::Property(name) => Item::Set(name),
        Escape::Contextual('b') => Item::Character('\u{8}'),
        Escape::Contextual('E') => Item::Nothing,
        Escape::Contextual('Q') => Item::Set(
            cursor
                .until("\\E")
                .ok_or("\\Q without its \\E in a class")?
                .chars()
                .map(quoted)
                .collect(),
        ),
        Escape::Contextual(letter) => return Err(format!("\\{letter} is unknown in a class")),
    })
}

/// The end of a range after `-`; a `-` before `]` or a set is literal.
fn range_end(cursor: &mut Cursor<'_>) -> Result<Option<char>, String> {
    let mut ahead = cursor.clone();
    if !ahead.eat("-") || ahead.peek() == Some(']') {
        return Ok(None);
    }
    match item(&mut ahead)? {
        Item::Character(end) => {
            *cursor = ahead;
            Ok(Some(end))
        }
        _ => Ok(None),
    }
}

fn set(ranges: &str, negated: bool) -> String {
    if negated {
        format!("[^{ranges}]")
    } else {
        ranges.to_owned()
    }
}

/// A POSIX class such as `[:alpha:]`; ASCII, as all classes.
fn posix(cursor: &mut Cursor<'_>) -> Result<Option<String>, String> {
    let mut ahead = cursor.clone();
    if !ahead.eat("[:") {
        return Ok(None);
    }
    let negated = ahead.eat("^");
    let Some(name) = ahead.until(":]") else {
        return Ok(None);
    };
    if !name.chars().all(|letter| letter.is_ascii_lowercase()) {
        return Ok(None);
    }
    let ranges = match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x{0}-\x{7F}",
        "blank" => r"\x{9}\x{20}",
        "cntrl" => r"\x{0}-\x{1F}\x{7F}",
        "digit" => DIGIT,
        "graph" => r"\x{21}-\x{7E}",
        "lower" => "a-z",
        "print" => r"\x{20}-\x{7E}",
        "punct" => r"\x{21}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{60}\x{7B}-\x{7E}",
        "space" => SPACE,
        "upper" => "A-Z",
        "word" => WORD,
        "xdigit" => "0-9A-Fa-f",
        _ => return Err(format!("[:{name}:] is unknown")),
    };
    *cursor = ahead;
    Ok(Some(set(ranges, negated)))
}
