//! Creates the data directory of a cluster before the server starts.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use anyhow::ensure;

use super::{Cluster, OWN_SETTINGS, SUPERUSER};
use crate::Settings;
use crate::programs::finish;

impl Cluster {
    /// Makes the data directory of a new cluster.
    pub(super) fn initialize(&self, settings: &Settings) -> anyhow::Result<()> {
        if settings.data.is_some() {
            self.make_folder_of_data()?;
        }
        let mut initdb = self.programs.server("initdb", self.folder());
        initdb
            .args(["--encoding=UTF8", "--no-locale", "--auth-local=trust"])
            .args(["--username", SUPERUSER, "--pgdata"])
            .arg(&self.data);
        if !settings.durable {
            initdb.arg("--no-sync");
        }
        match &self.password {
            None => initdb.arg("--auth-host=trust"),
            Some(password) => {
                ensure!(
                    password.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                    "a password for tests has letters and digits only"
                );
                let file = self.folder().join("password");
                fs::write(&file, password)?;
                self.programs.hand_over(&file)?;
                initdb
                    .arg("--auth-host=scram-sha-256")
                    .arg("--pwfile")
                    .arg(file)
            }
        };
        finish(&mut initdb)?;
        let file = self.data.join("postgresql.conf");
        let generated = fs::read_to_string(&file)?;
        fs::write(&file, format!("{generated}\ninclude '{OWN_SETTINGS}'\n"))?;
        if let Some((certificate, key)) = &settings.identity {
            self.write_own("server.crt", certificate)?;
            self.write_own("server.key", key)?;
        }
        Ok(())
    }

    /// Writes a file that only the server can read: PostgreSQL refuses keys that others can read.
    fn write_own(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.data.join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(text.as_bytes())?;
        self.programs.hand_over(&path)
    }

    /// Makes an empty data directory for the account of the server, and removes the remains of an
    /// interrupted initialization.
    fn make_folder_of_data(&self) -> anyhow::Result<()> {
        if self.data.exists() {
            fs::remove_dir_all(&self.data)?;
        }
        fs::create_dir_all(&self.data)?;
        self.programs.hand_over(&self.data)
    }

    /// Writes the settings of this run.
    pub(super) fn set(&self, settings: &Settings) -> anyhow::Result<()> {
        let file = self.data.join(OWN_SETTINGS);
        fs::write(&file, settings.lines())?;
        self.programs.hand_over(&file)
    }
}
