//! What `cargo metadata` tells about the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// The workspace's own packages and where it lives.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    /// The members, without what they depend on.
    pub(crate) packages: Vec<Package>,
    /// Where the root `Cargo.toml` stands.
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    /// Where builds go; `CARGO_TARGET_DIR` is already respected.
    pub(crate) target_directory: PathBuf,
}

/// One member of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a `[dependencies]` table of any kind.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or nothing for the ordinary kind.
    kind: Option<String>,
    /// Set for members of the workspace only.
    pub(crate) path: Option<PathBuf>,
}

impl Workspace {
    /// Asks cargo about the workspace of the current directory.
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

    /// The path as people write it: from the root of the workspace.
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
