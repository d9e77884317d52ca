//! Circles: files of a crate of which each needs all others, directly or not. A reader of one has to
//! read them all.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Imports, imports};
use crate::sources::Source;

/// Crate → the most files that a circle of it may have. In the others: [`MOST_FILES`].
const LIMITS: &[(&str, usize)] = &[
    // The stages of an import, which share its plan.
    ("service", 25),
    ("store", 11),
];

const MOST_FILES: usize = 8;

/// The circles of a crate, each sorted, the largest first.
pub(crate) struct Circles<'s> {
    pub(crate) crate_name: &'s str,
    pub(crate) groups: Vec<Vec<&'s str>>,
    pub(crate) imports: Imports<'s>,
}

/// The circles of each crate that has some.
pub(crate) fn circles(sources: &[Source]) -> anyhow::Result<Vec<Circles<'_>>> {
    let circles = by_crate(sources).into_iter().map(|(crate_name, sources)| {
        let imports = imports(&sources)?;
        Ok(Circles {
            crate_name,
            groups: groups(&imports),
            imports,
        })
    });
    circles.collect()
}

/// Crate → its files, without tests.
pub(crate) fn by_crate(sources: &[Source]) -> BTreeMap<&str, Vec<&Source>> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        let parts = source
            .path
            .strip_prefix("crates/")
            .and_then(|path| path.split_once("/src/"));
        if let Some((crate_name, _)) = parts {
            crates.entry(crate_name).or_default().push(source);
        }
    }
    crates
}

/// Reports every circle that is larger than its crate may have.
pub(crate) fn check(sources: &[Source]) -> anyhow::Result<Vec<String>> {
    let circles = circles(sources)?;
    Ok(circles.iter().filter_map(Circles::complaint).collect())
}

impl Circles<'_> {
    fn complaint(&self) -> Option<String> {
        let limit = LIMITS.iter().find(|(name, _)| *name == self.crate_name);
        let most = limit.map_or(MOST_FILES, |(_, most)| *most);
        let largest = self.groups.first().filter(|files| files.len() > most)?;
        Some(format!(
            "{}: {} files need one another, and {most} may; see `cargo xtask circles`",
            self.crate_name,
            largest.len()
        ))
    }
}

/// The groups of nodes that reach one another.
fn groups<'s>(edges: &Imports<'s>) -> Vec<Vec<&'s str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|from| (*from, reached(edges, from)))
        .collect();
    let mut groups = BTreeSet::new();
    for (node, reached_from_it) in &reached {
        if reached_from_it.contains(node) {
            let back = |other: &&&str| reached[**other].contains(node);
            groups.insert(
                reached_from_it
                    .iter()
                    .filter(back)
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|files| std::cmp::Reverse(files.len()));
    groups
}

/// All nodes that can be reached by at least one edge.
fn reached<'s>(edges: &Imports<'s>, from: &str) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = edges[from].iter().copied().collect();
    while let Some(node) = open.pop() {
        if found.insert(node) {
            open.extend(&edges[node]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source {
                path: format!("crates/x/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        let circles = circles(&sources).unwrap();
        let of_crate = circles.into_iter().flat_map(|found| found.groups);
        let names = |circle: Vec<&str>| {
            let names = circle
                .into_iter()
                .map(|file| file.replace("crates/x/src/", ""));
            names.collect()
        };
        of_crate.map(names).collect()
    }

    #[test]
    fn files_that_need_one_another_are_a_circle() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "pub struct B; fn b() { super::c::c(); }"),
            (
                "c.rs",
                "use super::a; pub fn c() { let _: a::A; crate::d::d(); }",
            ),
            ("d.rs", "pub fn d() {}"),
        ];
        assert_eq!(found(&files), [["a.rs", "b.rs", "c.rs"]]);
    }

    #[test]
    fn a_name_counts_for_the_file_that_defines_it() {
        let files = [
            ("lib.rs", "mod folder; mod other; pub use folder::Inner;"),
            (
                "folder.rs",
                "mod inner; mod sibling; pub use self::inner::*; pub use self::sibling::Sibling;",
            ),
            (
                "folder/inner.rs",
                "use super::Sibling; pub struct Inner(Sibling);",
            ),
            ("folder/sibling.rs", "pub struct Sibling;"),
            (
                "other.rs",
                "use crate::folder::Inner as Taken; fn other(_: Taken, _: crate::Inner) {}",
            ),
        ];
        assert_eq!(found(&files), [[""; 0]; 0]);
    }

    #[test]
    fn tests_and_containment_are_no_imports() {
        let files = [
            ("lib.rs", "mod a; pub fn root() {}"),
            (
                "a.rs",
                "fn a() { crate::root(); } #[cfg(test)] mod tests { use crate::b::b; }",
            ),
            ("b.rs", "#[cfg(test)] use crate::a::a; pub fn b() {}"),
        ];
        assert_eq!(found(&files), [[""; 0]; 0]);
    }

    #[test]
    fn a_circle_beyond_the_limit_is_reported() {
        let names: Vec<String> = (0..=MOST_FILES)
            .map(|number| format!("m{number}"))
            .collect();
        let next = |index: usize| &names[(index + 1) % names.len()];
        let sources: Vec<Source> = (names.iter().enumerate())
            .map(|(index, name)| Source {
                path: format!("crates/x/src/{name}.rs"),
                text: format!("pub struct S; fn f(_: crate::{}::S) {{}}", next(index)),
            })
            .collect();
        let expected = "x: 9 files need one another, and 8 may; see `cargo xtask circles`";
        assert_eq!(check(&sources).unwrap(), [expected]);
        assert!(check(&sources[1..]).unwrap().is_empty());
    }
}
