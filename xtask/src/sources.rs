//! The Rust files of the product. `bench/` and `xtask/` are tools, to which the rules about text do
//! not apply.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// One Rust file under `crates/`.
pub(crate) struct Source {
    /// The path from the root of the workspace, with `/` as separator.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Whether the whole file is test code, by its folder or its name.
    pub(crate) fn is_test(&self) -> bool {
        let (folders, name) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let stem = name.trim_end_matches(".rs");
        folders
            .split('/')
            .any(|folder| matches!(folder, "tests" | "benches"))
            || folders.starts_with("crates/testkit")
            || folders.starts_with("crates/testcluster")
            || stem == "tests"
            || stem.ends_with("_tests")
    }
}

/// All `.rs` files under `crates/`, sorted by path.
pub(crate) fn collect(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut found = Vec::new();
    descend(root, &root.join("crates"), "rs", &mut found)?;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

/// All documents: those beside `Cargo.toml` and those under `docs/`.
pub(crate) fn documents(root: &Path) -> anyhow::Result<Vec<Source>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        take(root, &entry?.path(), "md", &mut found)?;
    }
    descend(root, &root.join("docs"), "md", &mut found)?;
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn descend(
    root: &Path,
    folder: &Path,
    extension: &str,
    found: &mut Vec<Source>,
) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            descend(root, &path, extension, found)?;
        } else {
            take(root, &path, extension, found)?;
        }
    }
    Ok(())
}

/// Adds a file if it has this extension.
fn take(root: &Path, path: &Path, extension: &str, found: &mut Vec<Source>) -> anyhow::Result<()> {
    if path.extension().is_none_or(|own| own != extension) {
        return Ok(());
    }
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let parts = path.strip_prefix(root)?.iter();
    let parts: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
    found.push(Source {
        path: parts.join("/"),
        text,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_known_by_folder_and_name() {
        for (path, expected) in [
            ("crates/store/src/records/object.rs", false),
            ("crates/store/src/attestation.rs", false),
            ("crates/store/tests/object.rs", true),
            ("crates/store/src/records/object/tests.rs", true),
            ("crates/store/src/object_tests.rs", true),
            ("crates/testkit/src/lib.rs", true),
            ("crates/testcluster/src/cluster.rs", true),
            ("crates/http/benches/list.rs", true),
        ] {
            let source = Source {
                path: path.to_owned(),
                text: String::new(),
            };
            assert_eq!(source.is_test(), expected, "{path}");
        }
    }
}
