//! The layers of a crate: its folders point one way.

use std::collections::BTreeMap;

use crate::imports::Imports;

/// Crate → its layers, the lowest first. Each takes from itself and from those before it. A layer
/// names its folders and files; `*` is all that no other one names.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "http",
        &[
            "answer budget backup_requests web_page",
            "state",
            "request routing",
            "open_transaction middleware",
            "*",
        ],
    ),
    (
        "store",
        &[
            "duplicate error resource",
            "engine",
            "records transaction",
            "runtime",
            "store open_transaction",
            "*",
        ],
    ),
    ("service", &["core", "records auth", "features", "*"]),
];

/// File → file that it may take from all the same.
const EXCEPTIONS: &[(&str, &str)] = &[
    // The sources of a type go with it.
    (
        "crates/service/src/records/type.rs",
        "crates/service/src/features/source.rs",
    ),
    // A field that becomes a password must not stay readable in the files of imports.
    (
        "crates/service/src/records/object/former_values.rs",
        "crates/service/src/features/import/former_values.rs",
    ),
];

/// Reports every import from a higher layer.
pub(crate) fn check(crates: &BTreeMap<&str, Imports<'_>>) -> Vec<String> {
    let mut findings = Vec::new();
    for (crate_name, layers) in LAYERS {
        for (file, taken) in crates.get(crate_name).into_iter().flatten() {
            let higher = taken
                .iter()
                .filter(|other| layer(layers, other) > layer(layers, file));
            let refused = higher.filter(|other| !EXCEPTIONS.contains(&(file, other)));
            let complaint = |other| format!("{file}: takes from the layer above it, {other}");
            findings.extend(refused.map(complaint));
        }
    }
    findings
}

fn layer(layers: &[&str], file: &str) -> usize {
    let below = file.split_once("/src/").map_or(file, |(_, below)| below);
    let first = below
        .split('/')
        .next()
        .unwrap_or(below)
        .trim_end_matches(".rs");
    let names = |layer: &str| layer.split(' ').any(|name| name == first);
    let rest = || layers.iter().position(|layer| *layer == "*");
    layers
        .iter()
        .position(|layer| names(layer))
        .or_else(rest)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::of_crates;
    use crate::sources::Source;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source {
                path: format!("crates/service/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        check(&of_crates(&sources).unwrap())
    }

    #[test]
    fn a_layer_takes_from_those_below_it_only() {
        let files = [
            (
                "lib.rs",
                "mod core; mod records; mod features; mod background;",
            ),
            ("core.rs", "pub mod a; pub fn core() {}"),
            ("core/a.rs", "fn a() { crate::core::core(); }"),
            ("records.rs", "pub fn record() { crate::core::core(); }"),
            (
                "features.rs",
                "pub fn feature() { crate::records::record(); }",
            ),
            (
                "background.rs",
                "pub fn task() { crate::features::feature(); }",
            ),
        ];
        assert!(found(&files).is_empty());
        let up = [("core/a.rs", "fn a() { crate::background::task(); }")];
        let all: Vec<_> = files
            .iter()
            .filter(|(path, _)| *path != "core/a.rs")
            .chain(&up)
            .copied()
            .collect();
        let expected = "crates/service/src/core/a.rs: takes from the layer above it, crates/service/src/background.rs";
        assert_eq!(found(&all), [expected]);
    }
}
