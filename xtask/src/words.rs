//! Extracts paths and string literals with their lines from a Rust file, for the rules.
//!
//! Reading tokens instead of lines skips comments and documentation, and finds `use std::{fs, io}`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A path or string literal, which a rule may forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) line: usize,
    pub(crate) kind: Kind,
    /// Whether it is under `#[cfg(test)]`.
    pub(crate) in_test: bool,
}

/// The kind of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A path with its leading parts, also from a `use` group: `std::fs::read`. A single name is a
    /// path with one part.
    Path(String),
    /// The content of a string literal, with escapes as written.
    Text(String),
}

/// Every path and string literal of a file, in order. Fails if the file has invalid tokens.
pub(crate) fn words(source: &str) -> anyhow::Result<Vec<Word>> {
    let tokens: TokenStream = source
        .parse()
        .map_err(|error| anyhow::anyhow!("not Rust: {error}"))?;
    Ok(words_of(tokens))
}

/// Every path and string literal of tokens, in order.
pub(crate) fn words_of(tokens: TokenStream) -> Vec<Word> {
    let mut reader = Reader {
        found: Vec::new(),
        in_test: false,
    };
    reader.read(tokens, "");
    reader.found
}

struct Reader {
    found: Vec<Word>,
    in_test: bool,
}

type Tokens = std::iter::Peekable<proc_macro2::token_stream::IntoIter>;

impl Reader {
    fn read(&mut self, tokens: TokenStream, prefix: &str) {
        let outside = self.in_test;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => self.attribute(&mut tokens),
                TokenTree::Ident(name) => {
                    let line = name.span().start().line;
                    self.path(format!("{prefix}{name}"), line, &mut tokens);
                }
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    self.found
                        .extend(text(&literal.to_string()).map(|kind| Word {
                            line,
                            kind,
                            in_test: self.in_test,
                        }));
                }
                TokenTree::Group(group) => {
                    let ends_item = group.delimiter() == Delimiter::Brace;
                    self.read(group.stream(), "");
                    if ends_item {
                        self.in_test = outside;
                    }
                }
                TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ',') => {
                    self.in_test = outside;
                }
                TokenTree::Punct(_) => {}
            }
        }
        self.in_test = outside;
    }

    /// Reads the words of an attribute, except documentation; `cfg(test)` marks the next item as a
    /// test.
    fn attribute(&mut self, tokens: &mut Tokens) {
        let inner = tokens
            .next_if(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '!'))
            .is_some();
        let Some(TokenTree::Group(body)) =
            tokens.next_if(|token| matches!(token, TokenTree::Group(_)))
        else {
            return;
        };
        match body.stream().to_string().replace(' ', "").as_str() {
            doc if doc.starts_with("doc=") => {}
            "cfg(test)" if inner => tokens.by_ref().for_each(drop),
            "cfg(test)" => self.in_test = true,
            _ => self.read(body.stream(), ""),
        }
    }

    fn path(&mut self, mut path: String, line: usize, tokens: &mut Tokens) {
        while colons(tokens) {
            match tokens.peek() {
                Some(TokenTree::Ident(name)) => {
                    path = format!("{path}::{name}");
                    tokens.next();
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let members: Group = group.clone();
                    tokens.next();
                    return self.read(members.stream(), &format!("{path}::"));
                }
                _ => break,
            }
        }
        self.found.push(Word {
            line,
            kind: Kind::Path(path),
            in_test: self.in_test,
        });
    }
}

/// Consumes a `::` if it comes next.
fn colons(tokens: &mut Tokens) -> bool {
    let colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':');
    let joint = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.spacing() == proc_macro2::Spacing::Joint);
    tokens
        .next_if(|token| colon(token) && joint(token))
        .is_some()
        && tokens.next_if(colon).is_some()
}

fn text(literal: &str) -> Option<Kind> {
    let (before, rest) = literal.split_once('"')?;
    let (inside, _) = rest.rsplit_once('"')?;
    before
        .chars()
        .all(|mark| "bcr#".contains(mark))
        .then(|| Kind::Text(inside.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(line: usize, path: &str) -> Word {
        Word {
            line,
            kind: Kind::Path(path.to_owned()),
            in_test: false,
        }
    }

    #[test]
    fn paths_are_put_together_from_use_groups() {
        let found = words("use std::{fs, io::{self, Read}};\ntokio::spawn;").unwrap();
        let (keyword, fs, it, read) = (
            path(1, "use"),
            path(1, "std::fs"),
            path(1, "std::io::self"),
            path(1, "std::io::Read"),
        );
        assert_eq!(found, [keyword, fs, it, read, path(2, "tokio::spawn")]);
    }

    #[test]
    fn texts_are_found_in_macros_and_attributes_and_not_in_comments() {
        let source = "/// \"doc\"\n// \"comment\"\n#[serde(rename = \"a\")]\nx!(json!({ \"b\": r#\"c\"d\"# }));";
        let texts = words(source)
            .unwrap()
            .into_iter()
            .filter_map(|word| match word.kind {
                Kind::Text(text) => Some((word.line, text)),
                Kind::Path(_) => None,
            });
        let expected =
            [(3, "a"), (4, "b"), (4, "c\"d")].map(|(line, text)| (line, text.to_owned()));
        assert_eq!(texts.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn only_the_item_under_cfg_test_is_test_code() {
        let source = "#[cfg(test)]\n#[expect(dead_code)]\nmod tests { fn inside() {} }\nfn outside() {}\n#[cfg(test)]\nuse a::b;\nc();";
        let in_test = |name: &str| {
            let found = words(source).unwrap();
            found
                .into_iter()
                .find(|word| word.kind == Kind::Path(name.to_owned()))
                .unwrap()
                .in_test
        };
        assert!(in_test("inside") && in_test("a::b"));
        assert!(!in_test("outside") && !in_test("c"));
    }
}
