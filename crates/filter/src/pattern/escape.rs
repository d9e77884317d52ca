//! Escape sequences, inside and outside a class.

use super::cursor::Cursor;

/// A parsed escape sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Escape {
    /// One character.
    Character(char),
    /// One character in these ranges, or outside them if negated.
    Set { ranges: &'static str, negated: bool },
    /// A Unicode property such as `\p{Lu}`.
    Property(String),
    /// A letter or digit whose meaning depends on its context.
    Contextual(char),
}

pub(super) const DIGIT: &str = "0-9";
pub(super) const WORD: &str = "0-9A-Za-z_";
pub(super) const SPACE: &str = r"\x{9}-\x{D}\x{20}";
const HORIZONTAL: &str =
    r"\x{9}\x{20}\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";
const VERTICAL: &str = r"\x{A}-\x{D}\x{85}\x{2028}\x{2029}";

/// Reads the escape after its backslash.
pub(super) fn escape(cursor: &mut Cursor<'_>) -> Result<Escape, String> {
    let letter = cursor.next().ok_or("a backslash at the end")?;
    let set = |ranges| {
        Ok(Escape::Set {
            ranges,
            negated: letter.is_ascii_uppercase(),
        })
    };
    match letter {
        'd' | 'D' => set(DIGIT),
        'w' | 'W' => set(WORD),
        's' | 'S' => set(SPACE),
        'h' | 'H' => set(HORIZONTAL),
        'v' | 'V' => set(VERTICAL),
        'p' | 'P' => property(cursor, letter),
        'x' | 'o' | 'c' => character(cursor, letter).map(Escape::Character),
        'a' => Ok(Escape::Character('\u{7}')),
        'e' => Ok(Escape::Character('\u{1B}')),
        'f' => Ok(Escape::Character('\u{C}')),
        'n' => Ok(Escape::Character('\n')),
        'r' => Ok(Escape::Character('\r')),
        't' => Ok(Escape::Character('\t')),
        _ if letter.is_ascii_alphanumeric() => Ok(Escape::Contextual(letter)),
        _ => Ok(Escape::Character(letter)),
    }
}

/// `\x41`, `\x{41}`, `\o{101}`, `\cA`.
fn character(cursor: &mut Cursor<'_>, letter: char) -> Result<char, String> {
    if letter == 'c' {
        return match cursor.next() {
            Some(key) if key.is_ascii() => Ok(char::from(key.to_ascii_uppercase() as u8 ^ 0x40)),
            _ => Err("\\c needs an ASCII character after it".to_owned()),
        };
    }
    let (radix, name) = if letter == 'x' {
        (16, "hexadecimal")
    } else {
        (8, "octal")
    };
    let digits = if cursor.eat("{") {
        cursor.until("}").unwrap_or_default()
    } else if letter == 'x' {
        cursor.take(2, |digit| digit.is_ascii_hexdigit())
    } else {
        ""
    };
    u32::from_str_radix(digits, radix)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| {
            format!("\\{letter} needs {name} digits of a character, as in \\{letter}{{41}}")
        })
}

/// The character of octal digits, after `\0` or from a number too large for a group.
pub(super) fn octal(digits: &str) -> Result<char, String> {
    u32::from_str_radix(digits, 8)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| format!("there is no group {digits}"))
}

fn property(cursor: &mut Cursor<'_>, letter: char) -> Result<Escape, String> {
    let (name, inverted) = if cursor.eat("{") {
        let inverted = cursor.eat("^");
        let name = cursor.until("}").ok_or("\\p{ without its }")?;
        (name, inverted)
    } else {
        (cursor.take(1, |_| true), false)
    };
    let plain = |character: char| character.is_ascii_alphanumeric() || " _-=:&".contains(character);
    if name.is_empty() || !name.chars().all(plain) {
        return Err("\\p needs the name of a property, as in \\p{Lu}".to_owned());
    }
    let letter = if (letter == 'P') == inverted {
        'p'
    } else {
        'P'
    };
    Ok(Escape::Property(format!("\\{letter}{{{name}}}")))
}

/// Quotes a character so that no engine takes it for syntax, inside or outside a class.
pub(super) fn quoted(character: char) -> String {
    if character.is_ascii_alphanumeric() || !character.is_ascii() {
        character.to_string()
    } else {
        format!("\\x{{{:X}}}", u32::from(character))
    }
}
