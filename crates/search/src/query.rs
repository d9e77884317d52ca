//! The query language: words, `"exact phrases"` and `prefix:word`.

use crate::pattern::Pattern;

/// The most bytes of a query.
pub const MAX_BYTES: usize = 256;
/// The most terms of a query.
pub const MAX_TERMS: usize = 16;

/// What a caller typed, term by term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Its terms, all of which must match; at least one.
    pub terms: Vec<Term>,
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What must be found.
    pub pattern: Pattern,
    /// What is before the first colon, and the pattern after it. Whether it names a field is for
    /// the caller to know; if not, `pattern` is the text with the colon.
    pub prefixed: Option<(String, Pattern)>,
}

/// Why a query was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is too long.
    #[error("is too long; the limit is {MAX_BYTES} bytes")]
    TooLong,
    /// It has too many terms.
    #[error("has too many terms; the limit is {MAX_TERMS}")]
    TooManyTerms,
    /// It has no term.
    #[error("must have a letter or a digit")]
    Empty,
}

impl Query {
    /// Reads a query. A quotation mark that is still open ends with the text, as people see
    /// results while they type. Terms without letters and digits are left out.
    ///
    /// # Errors
    ///
    /// [`Refused`]
    pub fn parse(text: &str) -> Result<Self, Refused> {
        if text.len() > MAX_BYTES {
            return Err(Refused::TooLong);
        }
        let mut terms = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (term, after) = next(rest);
            if terms.len() == MAX_TERMS {
                return Err(Refused::TooManyTerms);
            }
            terms.extend(term);
            rest = after.trim_start();
        }
        if terms.is_empty() {
            return Err(Refused::Empty);
        }
        Ok(Self { terms })
    }
}

/// The first term of a text, and what follows it.
fn next(text: &str) -> (Option<Term>, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
        let pattern = Pattern::phrase(phrase);
        return (
            pattern.map(|pattern| Term {
                pattern,
                prefixed: None,
            }),
            after,
        );
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    let Some((prefix, value)) = word.split_once(':') else {
        let pattern = Pattern::word(word);
        return (
            pattern.map(|pattern| Term {
                pattern,
                prefixed: None,
            }),
            after,
        );
    };
    if !value.starts_with('"') {
        return (prefixed(word, prefix, Pattern::word(value)), after);
    }
    let quoted = text.get(prefix.len() + 2..).unwrap_or_default();
    let (phrase, after) = quoted.split_once('"').unwrap_or((quoted, ""));
    let whole = text.get(..prefix.len() + 2 + phrase.len());
    let whole = whole.unwrap_or_default();
    (prefixed(whole, prefix, Pattern::phrase(phrase)), after)
}

fn prefixed(whole: &str, prefix: &str, value: Option<Pattern>) -> Option<Term> {
    let pattern = if whole.contains(char::is_whitespace) {
        Pattern::phrase(whole)
    } else {
        Pattern::word(whole)
    };
    let named = value.filter(|_| !prefix.is_empty());
    Some(Term {
        pattern: pattern?,
        prefixed: named.map(|value| (prefix.to_owned(), value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Pattern {
        Pattern::Word(text.to_owned())
    }

    fn phrase(words: &[&str]) -> Pattern {
        Pattern::Phrase(words.iter().map(|word| (*word).to_owned()).collect())
    }

    fn plain(pattern: Pattern) -> Term {
        Term {
            pattern,
            prefixed: None,
        }
    }

    fn with(prefix: &str, value: Pattern, pattern: Pattern) -> Term {
        Term {
            pattern,
            prefixed: Some((prefix.to_owned(), value)),
        }
    }

    #[test]
    fn queries_are_read() {
        for (text, terms) in [
            ("Web SN-004", vec![plain(word("web")), plain(word("sn004"))]),
            (
                " \"Power Supply\" x",
                vec![plain(phrase(&["power", "supply"])), plain(word("x"))],
            ),
            ("\"power sup", vec![plain(phrase(&["power", "sup"]))]),
            (
                "type:server",
                vec![with("type", word("server"), word("typeserver"))],
            ),
            ("b8:27:eb", vec![with("b8", word("27eb"), word("b827eb"))]),
            (
                "name:\"a b\" c",
                vec![
                    with("name", phrase(&["a", "b"]), phrase(&["name", "a", "b"])),
                    plain(word("c")),
                ],
            ),
            ("name:", vec![plain(word("name"))]),
            (":x", vec![plain(word("x"))]),
            ("- a", vec![plain(word("a"))]),
            ("a\"b", vec![plain(word("ab"))]),
        ] {
            assert_eq!(Query::parse(text), Ok(Query { terms }), "{text}");
        }
    }

    #[test]
    fn bad_queries_are_refused() {
        for (text, refused) in [
            (String::new(), Refused::Empty),
            (" - \"\" ::".to_owned(), Refused::Empty),
            ("a ".repeat(17), Refused::TooManyTerms),
            ("a".repeat(257), Refused::TooLong),
        ] {
            assert_eq!(Query::parse(&text), Err(refused), "{text}");
        }
        assert!(Query::parse(&"a ".repeat(16)).is_ok());
        assert!(Query::parse(&"a".repeat(256)).is_ok());
    }
}
