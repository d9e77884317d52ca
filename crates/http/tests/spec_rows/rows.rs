//! The rows, and whether the tests they name exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A row of a table, or a rule outside of the tables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    says: String,
    tests: Vec<String>,
}

/// Rows by table and key.
type Rows = BTreeMap<String, BTreeMap<String, Row>>;

fn rows() -> Rows {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/spec-rows.toml");
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_row_has_a_test() {
    for (table, rows) in rows() {
        for (key, row) in rows {
            assert!(!row.says.is_empty(), "[{table}] {key} says nothing");
            assert!(!row.tests.is_empty(), "[{table}] {key} has no test");
        }
    }
}

#[test]
fn every_named_test_exists() {
    let mut missing = Vec::new();
    for (table, rows) in rows() {
        for (key, row) in rows {
            let unknown = row.tests.into_iter().filter(|test| !exists(test));
            missing.extend(unknown.map(|test| format!("[{table}] {key}: {test}")));
        }
    }
    assert!(
        missing.is_empty(),
        "there is no such test:\n{}",
        missing.join("\n")
    );
}

/// Whether the source of `program module::function` has a test of that name.
fn exists(name: &str) -> bool {
    let (program, path) = name.split_once(' ').unwrap_or((name, ""));
    let (modules, function) = path.rsplit_once("::").unwrap_or(("", path));
    let source = fs::read_to_string(file(program, modules)).unwrap_or_default();
    source
        .match_indices(&format!("fn {function}("))
        .any(|(place, found)| {
            let (before, after) = (&source[..place], &source[place + found.len()..]);
            is_engine_test(after) || before.trim_end().ends_with("#[test]")
        })
}

fn file(program: &str, modules: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(program);
    match modules {
        "" => folder.join("main.rs"),
        modules => folder.join(modules.replace("::", "/")).with_extension("rs"),
    }
}

/// Tests that run on both engines take a server or the engine by value; helpers borrow the server.
fn is_engine_test(arguments: &str) -> bool {
    let kind = arguments
        .split_once(':')
        .map_or("", |(_, kind)| kind.trim_start());
    kind.starts_with("TestServer") || kind.starts_with("Engine")
}

#[test]
fn what_is_no_test_does_not_count_as_one() {
    assert!(exists("spec_rows rows::every_row_has_a_test"));
    for name in [
        "",
        "spec_rows",
        "spec_rows every_row_has_a_test",
        "spec_rows rows::no_such_test",
        "spec_rows rows::exists",
        "spec_rows rows::rows",
        "no_such_program rows::every_row_has_a_test",
        "spec_rows no_such_module::every_row_has_a_test",
    ] {
        assert!(!exists(name), "{name:?}");
    }
}
