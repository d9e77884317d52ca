//! Tables as a backup file describes them. A file of an older release has the tables and columns of
//! that release.

use serde::{Deserialize, Serialize};

use crate::engine::table::{Home, Kind, TABLES, Table};

/// More than any release has.
const MAX_COLUMNS: usize = 256;
const MAX_NAME_BYTES: usize = 63;

/// A table in the file.
#[derive(Serialize, Deserialize)]
pub(super) struct Description {
    name: String,
    key: Vec<String>,
    columns: Vec<(String, String)>,
}

const KINDS: [(&str, Kind); 9] = [
    ("int", Kind::Int),
    ("optional int", Kind::OptInt),
    ("text", Kind::Text),
    ("optional text", Kind::OptText),
    ("bytes", Kind::Bytes),
    ("optional bytes", Kind::OptBytes),
    ("local", Kind::Local),
    ("slot", Kind::Part),
    ("sum", Kind::Sum),
];

impl Description {
    pub(super) fn of(table: &Table) -> Self {
        let columns = table.columns.iter().map(|(name, kind)| {
            let known = KINDS.iter().find(|(_, known)| known == kind);
            let word = known.map_or("", |(word, _)| *word);
            ((*name).to_owned(), word.to_owned())
        });
        Self {
            name: table.name.to_owned(),
            key: table.key.iter().map(|name| (*name).to_owned()).collect(),
            columns: columns.collect(),
        }
    }

    /// The table; `None` if it cannot be one. One that this release does not have lives as long as
    /// the program, which restores one file.
    pub(super) fn table(self) -> Option<&'static Table> {
        if self.columns.len() > MAX_COLUMNS || !self.has_names() {
            return None;
        }
        let columns: Option<Vec<(String, Kind)>> = self
            .columns
            .into_iter()
            .map(|(name, word)| Some((name, kind(&word)?)))
            .collect();
        let columns = columns?;
        let known = TABLES.iter().find(|table| {
            table.name == self.name
                && table.key.iter().eq(self.key.iter())
                && table.columns.len() == columns.len()
                && table
                    .columns
                    .iter()
                    .zip(&columns)
                    .all(|(known, found)| known.0 == found.0 && known.1 == found.1)
        });
        Some(known.unwrap_or_else(|| leaked(self.name, self.key, columns)))
    }

    fn has_names(&self) -> bool {
        let names = self.columns.iter().map(|(name, _)| name);
        let mut names = names.chain(&self.key).chain([&self.name]);
        names.all(|name| is_name(name))
    }
}

fn leaked(name: String, key: Vec<String>, columns: Vec<(String, Kind)>) -> &'static Table {
    let text = |text: String| -> &'static str { text.leak() };
    let key: Vec<&'static str> = key.into_iter().map(text).collect();
    let columns: Vec<(&'static str, Kind)> = columns
        .into_iter()
        .map(|(name, kind)| (text(name), kind))
        .collect();
    Box::leak(Box::new(Table {
        name: text(name),
        home: Home::Coordinator,
        key: key.leak(),
        columns: columns.leak(),
    }))
}

fn kind(word: &str) -> Option<Kind> {
    let found = KINDS.iter().find(|(known, _)| *known == word);
    found.map(|(_, kind)| *kind)
}

/// Names become a part of statements.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_this_release_comes_back_as_itself() {
        for table in TABLES {
            let text = serde_json::to_string(&Description::of(table)).unwrap();
            let read: Description = serde_json::from_str(&text).unwrap();
            let read = read.table().unwrap();
            assert_eq!(read.name, table.name);
            assert_eq!(read.key, table.key, "{text}");
            assert_eq!(read.columns, table.columns, "{text}");
        }
    }

    #[test]
    fn names_that_are_no_names_are_refused() {
        for name in ["", "a; DROP TABLE object", "\"a\"", "a b", &"a".repeat(64)] {
            for index in 0..3 {
                let mut names = ["a", "b", "c"].map(str::to_owned);
                name.clone_into(&mut names[index]);
                let [table, key, column] = names;
                let description = Description {
                    name: table,
                    key: vec![key],
                    columns: vec![(column, "int".to_owned())],
                };
                assert!(description.table().is_none(), "{name}");
            }
        }
    }
}
