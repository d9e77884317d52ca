//! Words that a stranger could not guess, with the standard terms that replaced them.

use crate::sources::Source;

/// A retired word, and its replacement.
const RETIRED_TERMS: &[(&str, &str)] = &[
    ("journey", "round trip"),
    ("the border", "the middleware"),
    ("doubts", "warnings"),
    ("Passage", "RequestInfo"),
    ("Decided", "Plan"),
    ("ListMemo", "PageCache"),
    ("Questioner", "Statement"),
    ("everything_for_maintenance", "Scope::for_maintenance"),
    ("object_page", "list"),
    ("read_at_once", "fetch"),
    ("xtask arrows", "xtask check-dependencies"),
];

/// The start of a citation of a document that is not in the repository.
const CITATIONS: &[&str] = &[
    "(contract,",
    "(contract)",
    "(spec,",
    "(spec)",
    "(architecture,",
    "(architecture)",
];

/// Not checked, as its inventory has words of its own.
const EXEMPT: &str = "crates/demo/";

/// Reports every retired word in a file as `file:line: reason`.
pub(crate) fn check(source: &Source) -> Vec<String> {
    if source.path.starts_with(EXEMPT) {
        return Vec::new();
    }
    let lines = (1..).zip(source.text.lines());
    lines
        .flat_map(|(number, line)| {
            complaints(line).map(move |complaint| format!("{}:{number}: {complaint}", source.path))
        })
        .collect()
}

fn complaints(line: &str) -> impl Iterator<Item = String> {
    let words = RETIRED_TERMS
        .iter()
        .filter(move |(word, _)| line.contains(word))
        .map(|(word, standard)| format!("`{word}` is called `{standard}`"));
    let citations = CITATIONS
        .iter()
        .filter(move |citation| line.contains(*citation))
        .map(|citation| format!("`{citation}` cites a document that is not in the repository"));
    words.chain(citations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Source {
            path: path.to_owned(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn words_that_were_given_up_and_citations_are_found_with_file_and_line() {
        for (text, expected) in [
            (
                "a\n// one journey",
                "docs/a.md:2: `journey` is called `round trip`",
            ),
            (
                "/// Ids (contract, \"Values\").",
                "docs/a.md:1: `(contract,` cites a document that is not in the repository",
            ),
        ] {
            assert_eq!(found("docs/a.md", text), [expected]);
        }
        for (path, text) in [
            ("docs/a.md", "a contract is signed; specifications, too"),
            ("crates/demo/src/a.rs", "a journey"),
        ] {
            assert!(found(path, text).is_empty(), "{text}");
        }
    }
}
