//! Names that are unique in Stockroom.

use std::collections::HashSet;

use crate::notes::Notes;

const TAKEN: &str = "another record has a name that compares equal, so its id is appended";
const CONTROL: &str = "its name held characters that show nothing, which are removed";

/// The names given so far.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// Names that records of the first start have, if the dump does not replace them.
    pub(crate) fn with_reserved<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(stockroom_model::name::key).collect())
    }

    /// The name, or one with the id if it is taken. `key` says how names compare.
    pub(crate) fn unique(
        &mut self,
        name: String,
        id: i64,
        key: fn(&str) -> String,
        notes: &mut Notes,
    ) -> String {
        if self.0.insert(key(&name)) {
            return name;
        }
        notes.add(TAKEN, &name);
        let mut other = format!("{name}-{id}");
        while !self.0.insert(key(&other)) {
            other.push_str("-2");
        }
        other
    }
}

/// A name without characters that Stockroom refuses in names of users and groups.
pub(crate) fn visible(name: String, notes: &mut Notes) -> String {
    let hidden = |letter: char| {
        let alone = stockroom_model::name::key(letter.encode_utf8(&mut [0; 4]));
        letter.is_control() || (alone.is_empty() && !letter.is_whitespace())
    };
    if !name.chars().any(hidden) {
        return name;
    }
    notes.add(CONTROL, &name);
    name.chars().filter(|letter| !hidden(*letter)).collect()
}
