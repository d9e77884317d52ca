//! The literal prefix of every text that an expression matches.

use super::token::Token;

/// A literal prefix that an expression requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// The prefix of every text that matches; may be empty.
    pub(crate) text: String,
    /// Whether every text with this prefix matches.
    pub(crate) is_all: bool,
}

/// The literal after a `^` or `\A` at the start, up to the first token that may vary. `None`
/// without an anchor, and for alternatives, which have separate prefixes. Case-insensitive letters
/// are not literal.
pub(super) fn prefix(tokens: &[Token]) -> Option<Prefix> {
    let (Token::Plain(anchor), mut rest) = tokens.split_first()? else {
        return None;
    };
    if anchor != r"\A" || has_alternatives(rest) {
        return None;
    }
    let mut text = String::new();
    while let Some((character, after)) = literal(rest) {
        text.push(character);
        rest = after;
    }
    // After `^*`, which requires nothing, no character was read: the anchor is followed by a
    // quantifier.
    let is_all = rest.is_empty();
    Some(Prefix { text, is_all })
}

fn has_alternatives(tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    tokens.iter().any(|token| {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == Token::Alternate
    })
}

/// The next character, if it is required and literal.
fn literal(tokens: &[Token]) -> Option<(char, &[Token])> {
    let (Token::Character(written), rest) = tokens.split_first()? else {
        return None;
    };
    if matches!(rest.first(), Some(Token::Quantifier(_))) {
        return None;
    }
    single(written).map(|character| (character, rest))
}

/// The inverse of [`quoted`](super::escape::quoted).
fn single(written: &str) -> Option<char> {
    let mut characters = written.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        return Some(only);
    }
    let digits = written.strip_prefix(r"\x{")?.strip_suffix('}')?;
    u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32)
}
