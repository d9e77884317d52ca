//! Allowed dependencies between crates, and the check of the workspace's `Cargo.toml` files.

use crate::workspace::{Dependency, Package, Workspace};

/// Crate → the crates it may depend on. A crate without a row fails the check.
const ALLOWED: &[(&str, &str)] = &[
    (
        "cli",
        "client http server service store auth model demo datagerry",
    ),
    // It talks to a server over HTTP only, as any other program would.
    ("client", "tables"),
    ("server", ""),
    ("http", "service auth access fair filter model guide web"),
    (
        "service",
        "store auth access fair filter render search tables model",
    ),
    ("store", "fair filter search access model"),
    ("render", "model"),
    ("search", "model"),
    ("tables", "model"),
    ("datagerry", "access model"),
    ("access", "model"),
    ("filter", "model"),
    ("auth", "model"),
    ("demo", "model"),
    ("model", ""),
    ("fair", ""),
    ("guide", ""),
    ("web", ""),
    // It measures single crates, on its own PostgreSQL; no crate may depend on it.
    (
        "bench",
        "service store auth access filter model testcluster",
    ),
    // It tests everything that reads input from clients.
    ("fuzz", "auth datagerry filter http model service tables"),
    ("testcluster", ""),
    ("xtask", "testcluster"),
];

/// May depend on every crate; every crate may have it as a dev-dependency.
const TESTKIT: &str = "testkit";

/// PostgreSQL for tests; every crate may have it as a dev-dependency.
const TESTCLUSTER: &str = "testcluster";

/// A realistic inventory for the program's demo; every crate may have it as a dev-dependency.
const DEMO: &str = "demo";

/// Dumps of another system; every crate may have it as a dev-dependency.
const DATAGERRY: &str = "datagerry";

/// Library → the crates that may use it, including their tests. Other libraries are unrestricted.
const ALLOWED_USERS: &[(&str, &str)] = &[
    // bench runs the same SQL without the store, as a baseline.
    ("rusqlite", "store bench"),
    ("tokio-postgres", "store bench"),
    ("tokio-postgres-rustls", "store"),
    (
        "tokio",
        "cli http server service store auth fair testkit testcluster bench fuzz",
    ),
];

/// Reports every dependency that the tables do not allow.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let packages = workspace.packages.iter();
    packages
        .flat_map(|package| check_package(workspace, package))
        .collect()
}

fn check_package(workspace: &Workspace, package: &Package) -> Vec<String> {
    let crate_name = crate_name(&package.name);
    let manifest = workspace.relative(&package.manifest_path);
    let may_know = row(ALLOWED, crate_name);
    if may_know.is_none() && crate_name != TESTKIT {
        return vec![format!(
            "{manifest}: crate `{crate_name}` has no row in the table of dependencies"
        )];
    }
    let complaints = package.dependencies.iter().filter_map(|dependency| {
        if dependency.path.is_some() {
            check_dependency(crate_name, may_know.unwrap_or_default(), dependency)
        } else {
            check_library(crate_name, dependency)
        }
    });
    complaints
        .chain(unused(may_know.unwrap_or_default(), package))
        .map(|complaint| format!("{manifest}: {complaint}"))
        .collect()
}

/// Reports allowed dependencies that are not used, as they would be mistaken for design decisions.
fn unused<'p>(may_know: &'p str, package: &'p Package) -> impl Iterator<Item = String> + 'p {
    let known = |name: &str| {
        let mut dependencies = package.dependencies.iter();
        dependencies.any(|dependency| crate_name(&dependency.name) == name)
    };
    may_know
        .split_whitespace()
        .filter(move |name| !known(name))
        .map(|name| format!("the table allows {name}, which is not used"))
}

fn check_dependency(from: &str, may_know: &str, dependency: &Dependency) -> Option<String> {
    let to = crate_name(&dependency.name);
    if to == TESTKIT {
        let dev_only = format!("dependency {from} → {to} is for dev-dependencies only");
        return (!dependency.is_dev()).then_some(dev_only);
    }
    // Tests of any crate may use the demo inventory and a database of their own.
    let for_tests = matches!(to, DEMO | DATAGERRY | TESTCLUSTER) && dependency.is_dev();
    let allowed = from == TESTKIT || for_tests || names(may_know, to);
    (!allowed)
        .then(|| format!("dependency {from} → {to} is not allowed; {from} may know: {may_know}"))
}

fn check_library(crate_name: &str, dependency: &Dependency) -> Option<String> {
    let allowed_users = row(ALLOWED_USERS, &dependency.name)?;
    let complaint = format!(
        "{crate_name} may not use {}, it belongs to: {allowed_users}",
        dependency.name
    );
    (!names(allowed_users, crate_name)).then_some(complaint)
}

fn row(table: &[(&str, &'static str)], first: &str) -> Option<&'static str> {
    table
        .iter()
        .find(|(name, _)| *name == first)
        .map(|(_, rest)| *rest)
}

fn names(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|listed| listed == name)
}

fn crate_name(package: &str) -> &str {
    match package {
        "stockroom" => "cli",
        other => other.strip_prefix("stockroom-").unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings about one dependency, except that others are unused.
    fn findings(package: &str, dependency: &str, kind: Option<&str>) -> Vec<String> {
        let mut found = all_findings(package, dependency, kind);
        found.retain(|finding| !finding.contains("the table allows"));
        found
    }

    /// All findings in a workspace of one package with one dependency, as `cargo metadata` prints
    /// it.
    fn all_findings(package: &str, dependency: &str, kind: Option<&str>) -> Vec<String> {
        let path = dependency
            .starts_with("stockroom")
            .then(|| format!("/repo/{dependency}"));
        let metadata = serde_json::json!({
            "workspace_root": "/repo",
            "target_directory": "/repo/target",
            "packages": [{
                "name": package,
                "manifest_path": "/repo/crates/x/Cargo.toml",
                "dependencies": [{ "name": dependency, "kind": kind, "path": path }],
            }],
        });
        check(&serde_json::from_value(metadata).unwrap())
    }

    #[test]
    fn dependencies_of_the_table_are_allowed() {
        for (package, dependency, kind) in [
            ("stockroom", "stockroom-http", None),
            ("stockroom-http", "stockroom-service", None),
            ("stockroom-store", "stockroom-filter", None),
            ("stockroom-store", "rusqlite", None),
            ("stockroom-bench", "rusqlite", None),
            ("stockroom-bench", "tokio-postgres", None),
            ("stockroom-bench", "stockroom-testcluster", None),
            ("stockroom-model", "serde", None),
            ("stockroom-model", "stockroom-testkit", Some("dev")),
            ("stockroom-testkit", "stockroom-http", None),
            ("stockroom-testkit", "stockroom-testcluster", None),
            ("stockroom-store", "stockroom-testcluster", Some("dev")),
            ("xtask", "stockroom-testcluster", None),
        ] {
            assert_eq!(
                findings(package, dependency, kind),
                Vec::<String>::new(),
                "{package} → {dependency}"
            );
        }
    }

    #[test]
    fn what_the_table_allows_is_used() {
        let unused = ["crates/x/Cargo.toml: the table allows model, which is not used"];
        assert_eq!(all_findings("stockroom-render", "serde", None), unused);
        assert!(all_findings("stockroom-render", "stockroom-model", None).is_empty());
    }

    #[test]
    fn every_other_dependency_is_named() {
        for (package, dependency, kind, expected) in [
            (
                "stockroom-http",
                "stockroom-store",
                None,
                "dependency http → store is not allowed",
            ),
            (
                "stockroom-model",
                "stockroom-filter",
                None,
                "dependency model → filter is not allowed; model may know: ",
            ),
            (
                "stockroom-model",
                "stockroom-filter",
                Some("dev"),
                "dependency model → filter",
            ),
            (
                "stockroom-model",
                "stockroom-filter",
                Some("build"),
                "dependency model → filter",
            ),
            (
                "stockroom-http",
                "stockroom-testkit",
                None,
                "dependency http → testkit is for dev-dependencies only",
            ),
            (
                "stockroom-store",
                "stockroom-testcluster",
                None,
                "dependency store → testcluster is not allowed",
            ),
            (
                "stockroom-testcluster",
                "stockroom-store",
                Some("dev"),
                "dependency testcluster → store is not allowed",
            ),
            (
                "stockroom-http",
                "rusqlite",
                Some("dev"),
                "http may not use rusqlite, it belongs to: store bench",
            ),
            (
                "stockroom-testcluster",
                "tokio-postgres",
                None,
                "testcluster may not use tokio-postgres",
            ),
            ("stockroom-model", "tokio", None, "model may not use tokio"),
            ("stockroom-attic", "serde", None, "crate `attic` has no row"),
        ] {
            let found = findings(package, dependency, kind);
            assert_eq!(found.len(), 1, "{package} → {dependency}: {found:?}");
            assert!(found[0].starts_with("crates/x/Cargo.toml: "), "{found:?}");
            assert!(
                found[0].contains(expected),
                "{found:?} should contain {expected:?}"
            );
        }
    }
}
