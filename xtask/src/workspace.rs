//! The output of `cargo metadata` about the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// The packages of the workspace, and its location.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    /// The members, without external dependencies.
    pub(crate) packages: Vec<Package>,
    /// The folder of the root `Cargo.toml`.
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    /// The target directory, which respects `CARGO_TARGET_DIR`.
    pub(crate) target_directory: PathBuf,
}

/// A member of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency of any kind.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or `None` for a normal dependency.
    kind: Option<String>,
    /// Only set for members of the workspace.
    pub(crate) path: Option<PathBuf>,
}

impl Workspace {
    /// Runs `cargo metadata` in the current directory.
    pub(crate) fn load() -> anyhow::Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cargo metadata did not start")?;
        ensure!(
            output.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout)
            .context("cargo metadata answered in an unknown shape")
    }

    /// The path relative to the root of the workspace.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

impl Dependency {
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

/// The cargo that runs this task, so that its children use the same toolchain.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
