//! The file with the API tokens of logins.
//!
//! Only its owner can read it, and a file that others can read is refused: whoever read it may use
//! the token.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::{Exit, Failure};

const FILE: &str = "credentials.toml";

/// The logins; the last one is the one that commands use by default.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Credentials {
    #[serde(default)]
    login: Vec<Login>,
}

/// A login to one server.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Login {
    pub(crate) server: String,
    pub(crate) user: String,
    pub(crate) token: String,
    pub(crate) token_id: i64,
    /// Whether the user wants the token to travel without encryption.
    #[serde(default)]
    pub(crate) insecure_http: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ca_file: Option<PathBuf>,
}

impl Credentials {
    /// The file's content; nothing if it is missing.
    pub(crate) fn read() -> Result<Self, Failure> {
        let path = path()?;
        let failed = |error: &dyn std::fmt::Display| {
            Failure::other(format!("cannot read {}: {error}", path.display()))
        };
        let mode = match fs::metadata(&path) {
            Ok(metadata) => metadata.mode(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(&error)),
        };
        if mode & 0o077 != 0 {
            let path = path.display();
            let message = format!(
                "other users can read {path}, which holds tokens; log in again after `rm {path}`"
            );
            return Err(Failure::new(Exit::Refused, message));
        }
        let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
        // The error would quote the line, which may hold a token.
        toml::from_str(&text).map_err(|_| failed(&"it is malformed; remove it and log in again"))
    }

    /// The login to this server, or the last one.
    pub(crate) fn find(&self, server: Option<&str>) -> Option<&Login> {
        match server {
            Some(server) => self.login.iter().find(|login| login.server == server),
            None => self.login.last(),
        }
    }

    /// Removes the login to this server.
    pub(crate) fn remove(&mut self, server: &str) {
        self.login.retain(|login| login.server != server);
    }

    /// Replaces the login to the same server, and makes this one the default.
    pub(crate) fn put(&mut self, login: Login) {
        self.remove(&login.server);
        self.login.push(login);
    }

    /// Replaces the file, or removes it if no login is left.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        let path = path()?;
        let written = if self.login.is_empty() {
            fs::remove_file(&path)
        } else {
            let text = toml::to_string(self).map_err(|error| Failure::other(error.to_string()))?;
            replace(&path, &text)
        };
        written.map_err(|error| Failure::other(format!("cannot write {}: {error}", path.display())))
    }
}

/// Writes beside the file and renames, so that a crash leaves the old file or the new one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)?;
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    let write = |mut file: File| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    let written = write(options.open(&new)?);
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

fn path() -> Result<PathBuf, Failure> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let configuration = variable("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".config")));
    let configuration = configuration.ok_or_else(|| {
        Failure::other("set HOME or XDG_CONFIG_HOME: there is no place for credentials")
    })?;
    Ok(configuration.join("stockroom").join(FILE))
}
