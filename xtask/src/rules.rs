//! Rules about what may be used in which file, and the check of a file.

use crate::sources::Source;
use crate::words::{Kind, Word, words};

/// Restricts something to its place.
struct Rule {
    forbids: &'static [Forbidden],
    /// Path prefixes of the files that the rule applies to.
    within: &'static [&'static str],
    /// Path prefixes of the files where the thing is allowed.
    home: &'static [&'static str],
    /// Whether the rule also applies to tests.
    tests_too: bool,
    because: &'static str,
}

enum Forbidden {
    /// This path, or one below it.
    Path(&'static str),
    /// This name, as any part of a path.
    Name(&'static str),
    /// This name, as the last of several parts of a path.
    Last(&'static str),
    /// A path that goes on behind this name, such as a variant of an enum.
    Inside(&'static str),
    /// A string literal with exactly this text.
    Text(&'static str),
    /// A string literal that begins like an SQL statement in capital letters.
    Sql,
}

use Forbidden::{Inside, Last, Name, Path, Sql, Text};

const PURE_CRATES: &[&str] = &[
    "crates/model/",
    "crates/filter/",
    "crates/access/",
    "crates/render/",
    "crates/tables/",
    "crates/datagerry/",
];

const RULES: &[Rule] = &[
    Rule {
        forbids: &[Sql],
        within: &["crates/"],
        home: &["crates/store/"],
        tests_too: false,
        because: "SQL is written in crates/store only",
    },
    Rule {
        forbids: &[Name("rusqlite"), Name("libsqlite3_sys")],
        within: &["crates/"],
        home: &[
            "crates/store/src/engine/driver/",
            "crates/store/src/engine/driver.rs",
        ],
        tests_too: true,
        because: "the database library is known to crates/store/src/engine/driver only",
    },
    Rule {
        forbids: &[Name("tokio_postgres"), Name("tokio_postgres_rustls")],
        within: &["crates/"],
        home: &["crates/store/src/engine/driver/"],
        tests_too: true,
        because: "the client of PostgreSQL is known to crates/store/src/engine/driver only",
    },
    Rule {
        forbids: &[
            Path("std::fs"),
            Path("std::net"),
            Path("std::env"),
            Path("std::process"),
            Path("tokio"),
            Name("SystemTime"),
            Name("Instant"),
            Last("now"),
        ],
        within: PURE_CRATES,
        // Nothing interrupts a filter, so it looks at a clock itself.
        home: &["crates/filter/src/work.rs"],
        tests_too: false,
        because: "this crate is pure: IO and the clock stay outside, time is passed in",
    },
    Rule {
        forbids: &[
            Inside("FieldKind"),
            Text("textarea"),
            Text("radio"),
            Text("ref-section-field"),
        ],
        within: &["crates/"],
        home: &[
            "crates/model/src/kind.rs",
            "crates/model/src/kind/",
            // They make kinds of words, and list them.
            "crates/model/src/type/",
            "crates/http/src/routes/kinds.rs",
            // It proposes kinds for the columns of a file.
            "crates/service/src/features/import/plan/suggestion.rs",
            // It makes definitions.
            "crates/demo/",
            "crates/testkit/",
        ],
        tests_too: false,
        because: "kinds of fields are told apart in crates/model/src/kind only: ask their rules",
    },
    Rule {
        forbids: &[Text("response_type"), Name("response_type")],
        within: &["crates/"],
        home: &[
            "crates/http/src/answer/envelope.rs",
            // Documents in OpenAPI the envelopes that the first file builds.
            "crates/http/src/schema/envelope.rs",
        ],
        tests_too: false,
        because: "envelopes are built in crates/http/src/answer/envelope.rs only",
    },
];

/// Reports every violation in a file as `file:line: reason`.
pub(crate) fn check(source: &Source) -> anyhow::Result<Vec<String>> {
    let rules: Vec<&Rule> = RULES.iter().filter(|rule| rule.watches(source)).collect();
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let words = words(&source.text).map_err(|error| error.context(source.path.clone()))?;
    let pairs = words
        .iter()
        .flat_map(|word| rules.iter().map(move |rule| (word, rule)));
    let broken = pairs.filter(|(word, rule)| rule.is_broken_by(word));
    Ok(broken
        .map(|(word, rule)| format!("{}:{}: {}", source.path, word.line, rule.because))
        .collect())
}

impl Rule {
    fn watches(&self, source: &Source) -> bool {
        let stands_in = |prefixes: &[&str]| {
            prefixes
                .iter()
                .any(|prefix| source.path.starts_with(prefix))
        };
        stands_in(self.within) && !stands_in(self.home) && (self.tests_too || !source.is_test())
    }

    fn is_broken_by(&self, word: &Word) -> bool {
        (self.tests_too || !word.in_test)
            && self
                .forbids
                .iter()
                .any(|forbidden| forbidden.is(&word.kind))
    }
}

impl Forbidden {
    fn is(&self, kind: &Kind) -> bool {
        match (self, kind) {
            (Path(forbidden), Kind::Path(path)) => path
                .strip_prefix(forbidden)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::")),
            (Name(forbidden), Kind::Path(path)) => path.split("::").any(|part| part == *forbidden),
            (Last(forbidden), Kind::Path(path)) => path
                .rsplit_once("::")
                .is_some_and(|(_, last)| last == *forbidden),
            (Inside(forbidden), Kind::Path(path)) => {
                let mut parts = path.split("::");
                parts.any(|part| part == *forbidden) && parts.next().is_some()
            }
            (Text(forbidden), Kind::Text(text)) => text == forbidden,
            (Sql, Kind::Text(text)) => begins_as_sql(text),
            _ => false,
        }
    }
}

fn begins_as_sql(text: &str) -> bool {
    let plain = text.replace("\\n", " ").replace('\\', " ");
    let mut parts = plain.split_whitespace();
    match (parts.next(), parts.next()) {
        (Some("SELECT"), Some(_))
        | (Some("INSERT" | "REPLACE"), Some("INTO" | "OR"))
        | (Some("DELETE"), Some("FROM"))
        | (
            Some("CREATE" | "ALTER" | "DROP"),
            Some("TABLE" | "INDEX" | "UNIQUE" | "VIEW" | "TRIGGER"),
        ) => true,
        (Some("UPDATE"), Some(_)) => parts.next() == Some("SET"),
        (Some("WITH"), Some(_)) => plain.contains(" AS ") && plain.contains("SELECT"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<String> {
        check(&Source {
            path: path.to_owned(),
            text: text.to_owned(),
        })
        .unwrap()
    }

    #[test]
    fn violations_are_found_with_file_and_line() {
        for (path, text, expected) in [
            (
                "crates/http/src/a.rs",
                "\nconst A: &str = \"SELECT 1 FROM t\";",
                "crates/http/src/a.rs:2: SQL",
            ),
            (
                "crates/service/src/a.rs",
                "f(\"\\\n   INSERT INTO t VALUES (?1)\")",
                "crates/service/src/a.rs:1: SQL",
            ),
            (
                "crates/cli/src/a.rs",
                "f(r\"UPDATE t SET a = 1\")",
                "crates/cli/src/a.rs:1: SQL",
            ),
            (
                "crates/cli/src/a.rs",
                "f(\"DELETE FROM t\")",
                "crates/cli/src/a.rs:1: SQL",
            ),
            (
                "crates/cli/src/a.rs",
                "f(\"CREATE TABLE t (a)\")",
                "crates/cli/src/a.rs:1: SQL",
            ),
            (
                "crates/cli/src/a.rs",
                "f(\"WITH a AS (SELECT 1) SELECT * FROM a\")",
                "crates/cli/src/a.rs:1: SQL",
            ),
            (
                "crates/store/src/records/object.rs",
                "use rusqlite::Row;",
                "crates/store/src/records/object.rs:1: the database library",
            ),
            (
                "crates/store/tests/a.rs",
                "use rusqlite::Row;",
                "crates/store/tests/a.rs:1: the database library",
            ),
            (
                "crates/model/src/a.rs",
                "use std::{collections, fs};",
                "crates/model/src/a.rs:1: this crate is pure",
            ),
            (
                "crates/filter/src/a.rs",
                "\n\nstd::time::Instant",
                "crates/filter/src/a.rs:3: this crate is pure",
            ),
            (
                "crates/access/src/a.rs",
                "jiff::Timestamp::now()",
                "crates/access/src/a.rs:1: this crate is pure",
            ),
            (
                "crates/render/src/a.rs",
                "tokio::spawn(f)",
                "crates/render/src/a.rs:1: this crate is pure",
            ),
            (
                "crates/http/src/a.rs",
                "json!({\"response_type\": 1})",
                "crates/http/src/a.rs:1: envelopes",
            ),
            (
                "crates/service/src/a.rs",
                "if field.kind == FieldKind::Date {}",
                "crates/service/src/a.rs:1: kinds of fields",
            ),
            (
                "crates/http/src/a.rs",
                "struct A { response_type: B }",
                "crates/http/src/a.rs:1: envelopes",
            ),
        ] {
            let found = lines(path, text);
            assert_eq!(found.len(), 1, "{path} {text}: {found:?}");
            assert!(
                found[0].starts_with(expected),
                "{found:?} should start with {expected:?}"
            );
        }
    }

    #[test]
    fn what_is_at_home_or_only_talked_about_passes() {
        for (path, text) in [
            (
                "crates/store/src/records/object.rs",
                "const A: &str = \"SELECT 1 FROM t\";",
            ),
            (
                "crates/store/src/engine/driver/sqlite.rs",
                "use rusqlite::Row;",
            ),
            (
                "crates/http/src/answer/envelope.rs",
                "struct A { response_type: B }",
            ),
            (
                "crates/http/src/a.rs",
                "// SELECT 1\nf(\"DELETE /objects/1\", \"UPDATE\", \"CREATE\", \"SELECT\")",
            ),
            (
                "crates/http/tests/a.rs",
                "f(\"SELECT 1\", \"response_type\")",
            ),
            (
                "crates/http/src/a.rs",
                "#[cfg(test)]\nmod tests { fn f() { g(\"SELECT 1\", \"response_type\") } }",
            ),
            (
                "crates/model/src/a.rs",
                "/// `std::fs`\nfn f(now: Timestamp) { now.later(\"tokio\") }",
            ),
            (
                "crates/cli/src/a.rs",
                "use std::fs; use std::time::Instant;",
            ),
        ] {
            assert_eq!(lines(path, text), Vec::<String>::new(), "{path} {text}");
        }
    }

    #[test]
    fn a_file_that_is_not_rust_is_an_error_that_names_it() {
        let source = Source {
            path: "crates/http/src/a.rs".to_owned(),
            text: "fn f( {".to_owned(),
        };
        assert!(
            check(&source)
                .unwrap_err()
                .to_string()
                .contains("crates/http/src/a.rs")
        );
    }
}
