//! Converts numbered parameters from SQLite's syntax to PostgreSQL's.

use anyhow::bail;

/// Replaces every `?N` in a statement by `$N`, except in strings, quoted names and comments.
///
/// Fails on a `?` without a number, which PostgreSQL does not have.
pub(crate) fn to_postgres(statement: &str) -> anyhow::Result<String> {
    let mut written = String::with_capacity(statement.len());
    let mut rest = statement;
    while let Some(first) = rest.chars().next() {
        if first == '?' {
            if !rest[1..].starts_with(|next: char| next.is_ascii_digit()) {
                bail!(
                    "a parameter without a number: …{}",
                    rest.lines().next().unwrap_or_default()
                );
            }
            written.push('$');
            rest = &rest[1..];
            continue;
        }
        let (taken, left) = rest.split_at(untouched(rest, first));
        written.push_str(taken);
        rest = left;
    }
    Ok(written)
}

/// The length of the next part that is copied unchanged.
fn untouched(rest: &str, first: char) -> usize {
    let end_of = |opening: usize, closing: &str| {
        rest[opening..]
            .find(closing)
            .map_or(rest.len(), |at| opening + at + closing.len())
    };
    match first {
        // A doubled quote ends one part and begins the next, with the same result.
        '\'' => end_of(1, "'"),
        '"' => end_of(1, "\""),
        '-' if rest.starts_with("--") => end_of(2, "\n"),
        '/' if rest.starts_with("/*") => end_of(2, "*/"),
        _ => first.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_rewritten_and_nothing_else() {
        for (sqlite, postgres) in [
            ("SELECT ?1, ?12", "SELECT $1, $12"),
            ("SELECT 'is it ?1', ?1", "SELECT 'is it ?1', $1"),
            ("SELECT 'it''s ?1', ?1", "SELECT 'it''s ?1', $1"),
            (
                "SELECT \"a?1\" -- ?2\n, ?1 /* ?3 */",
                "SELECT \"a?1\" -- ?2\n, $1 /* ?3 */",
            ),
            ("SELECT 'é', ?1 || 'ü'", "SELECT 'é', $1 || 'ü'"),
            ("SELECT 1 - 2 / 3", "SELECT 1 - 2 / 3"),
            ("SELECT 'open", "SELECT 'open"),
        ] {
            assert_eq!(to_postgres(sqlite).unwrap(), postgres);
        }
    }

    #[test]
    fn a_parameter_without_a_number_is_refused() {
        assert!(to_postgres("SELECT ?").is_err());
        assert!(to_postgres("SELECT ?, 1").is_err());
    }
}
