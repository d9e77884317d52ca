//! Circles: files of a crate of which each needs all others, directly or not. A reader of one has to
//! read them all.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::Imports;

/// Crate → the most files that a circle of it may have. In the others: [`MOST_FILES`].
const LIMITS: &[(&str, usize)] = &[
    // The stages of an import, which share its plan.
    ("service", 25),
    ("store", 11),
];

const MOST_FILES: usize = 8;

/// Reports every circle that is larger than its crate may have.
pub(crate) fn check(crates: &BTreeMap<&str, Imports<'_>>) -> Vec<String> {
    let complaints = crates.iter().filter_map(|(crate_name, imports)| {
        let limit = LIMITS.iter().find(|(name, _)| name == crate_name);
        let most = limit.map_or(MOST_FILES, |(_, most)| *most);
        let circles = circles(imports);
        let largest = circles.first().filter(|files| files.len() > most)?;
        Some(format!(
            "{crate_name}: {} files need one another, and {most} may; see `cargo xtask circles`",
            largest.len()
        ))
    });
    complaints.collect()
}

/// The files of a crate that need one another, in sorted groups, the largest first.
pub(crate) fn circles<'s>(edges: &Imports<'s>) -> Vec<Vec<&'s str>> {
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
    use crate::imports::of_crates;
    use crate::sources::Source;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source {
                path: format!("crates/x/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        let crates = of_crates(&sources).unwrap();
        let of_crate = crates.values().flat_map(circles);
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
        assert_eq!(check(&of_crates(&sources).unwrap()), [expected]);
        assert!(check(&of_crates(&sources[1..]).unwrap()).is_empty());
    }
}
