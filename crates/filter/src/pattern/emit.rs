//! Writes tokens as an expression that an engine compiles.

use super::token::{Group, Token};

const WORD_BEFORE: &str = "(?<=[0-9A-Za-z_])";
const NO_WORD_BEFORE: &str = "(?<![0-9A-Za-z_])";
const WORD_AFTER: &str = "(?=[0-9A-Za-z_])";
const NO_WORD_AFTER: &str = "(?![0-9A-Za-z_])";
/// Opens a group and adds an alternative that always matches the empty text.
const FILLED: &str = r"(?:(?:\A|)";

/// Whether the linear engine cannot run the expression.
pub(super) fn needs_backtracking(tokens: &[Token]) -> bool {
    let tails = tails(tokens);
    tokens.iter().enumerate().any(|(at, token)| match token {
        Token::Backreference(_) | Token::Open(Group::Atomic | Group::Look(_)) => true,
        Token::Quantifier(times) => times.len() > 1 && times.ends_with('+'),
        Token::End => !is_set(&tails, at),
        Token::LineStart => !consumes(tokens, at + 1),
        _ => false,
    })
}

/// For the linear engine.
pub(super) fn linear(tokens: &[Token]) -> String {
    write(tokens, &[], |negated| {
        if negated { r"(?-u:\B)" } else { r"(?-u:\b)" }.to_owned()
    })
}

/// For the backtracking engine, whose own `\b` is Unicode.
pub(super) fn backtracking(tokens: &[Token]) -> String {
    write(tokens, &hollow_groups(tokens), |negated| {
        if negated {
            format!("(?:{WORD_BEFORE}{WORD_AFTER}|{NO_WORD_BEFORE}{NO_WORD_AFTER})")
        } else {
            format!("(?:{WORD_BEFORE}{NO_WORD_AFTER}|{NO_WORD_BEFORE}{WORD_AFTER})")
        }
    })
}

/// The opening and closing tokens of repeated groups that may consist only of assertions. The
/// backtracking engine refuses to repeat such groups.
fn hollow_groups(tokens: &[Token]) -> Vec<usize> {
    let mut open = Vec::new();
    let mut hollow = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open.push(at),
            Token::Close(Group::Plain | Group::Look(_)) => {
                let start = open.pop().unwrap_or(at);
                let repeated = matches!(tokens.get(at + 1), Some(Token::Quantifier(_)));
                let solid = matches!(
                    tokens.get(start..start + 2),
                    Some([Token::Open(Group::Plain), Token::Character(_)])
                );
                if repeated && !solid {
                    hollow.extend([start, at]);
                }
            }
            Token::Close(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    hollow
}

fn write(tokens: &[Token], hollow: &[usize], boundary: impl Fn(bool) -> String) -> String {
    let tails = tails(tokens);
    let mut written = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Character(text)
            | Token::Plain(text)
            | Token::Backreference(text)
            | Token::Quantifier(text) => written.push_str(text),
            Token::Boundary { negated } => written.push_str(&boundary(*negated)),
            Token::LineStart if consumes(tokens, at + 1) => written.push_str("(?m:^)"),
            // In PCRE, no line starts after a newline at the end of the text.
            Token::LineStart => written.push_str(r"(?:\A|(?<=\n)(?!\z))"),
            // Nothing follows, so consuming the newline is harmless.
            Token::End if is_set(&tails, at) => written.push_str(r"(?:\n?\z)"),
            Token::End => written.push_str(r"(?:(?=\n?\z)|\z)"),
            Token::Open(group) => {
                if hollow.contains(&at) {
                    written.push_str(FILLED);
                }
                written.push_str(&group.opening());
            }
            Token::Close(_) => written.push_str(if hollow.contains(&at) { "))" } else { ")" }),
            Token::Alternate => written.push('|'),
            Token::Nothing => {}
        }
    }
    written
}

fn is_set(tails: &[bool], at: usize) -> bool {
    tails.get(at).copied().unwrap_or(false)
}

/// Whether a character must follow, so that the position before it is not the end of the text.
fn consumes(tokens: &[Token], at: usize) -> bool {
    let optional = match tokens.get(at + 1) {
        Some(Token::Quantifier(times)) => !times.starts_with('+'),
        _ => false,
    };
    matches!(tokens.get(at), Some(Token::Character(_))) && !optional
}

/// For each token, whether nothing follows it on its branch. A look-around has an end of its own.
fn tails(tokens: &[Token]) -> Vec<bool> {
    let mut groups = vec![true];
    let mut tail = true;
    let mut tails: Vec<bool> = tokens
        .iter()
        .rev()
        .map(|token| {
            let here = tail;
            tail = match token {
                Token::Close(group) => {
                    let ends = tail && *group != Group::Atomic && !matches!(group, Group::Look(_));
                    groups.push(ends);
                    ends
                }
                Token::Nothing => tail,
                Token::Alternate => groups.last().copied().unwrap_or(false),
                Token::Open(_) => {
                    groups.pop();
                    false
                }
                _ => false,
            };
            here
        })
        .collect();
    tails.reverse();
    tails
}
