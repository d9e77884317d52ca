//! The configuration: flags, then the environment, then a TOML file, then defaults. A setting has
//! the same name in all three: `--token-lifetime`, `STOCKROOM_TOKEN_LIFETIME`, `token_lifetime`.
//!
//! To add a setting, add a field with default and parser to its group, and use it in the method of
//! that group. The file and `stockroom config` pick up every flag by themselves.

mod accounts;
mod backups;
mod database;
mod duration;
mod environment;
mod file;
mod history;
mod http;
mod limits;
mod logins;
mod print;
mod secrets;
mod sockets;
mod variables;

use std::path::PathBuf;

use anyhow::ensure;
use clap::{Arg, ArgAction, Args};
use stockroom_http::HttpConfig;
use stockroom_service::Config as ServiceConfig;
use stockroom_service::bootstrap;

pub(crate) use self::database::parse_location;
pub(crate) use self::file::parse;
pub(crate) use self::print::print;
pub(crate) use self::secrets::new_secret_key;

use crate::memory;

use self::accounts::Accounts;
use self::backups::Backups;
use self::database::Database;
use self::history::History;
use self::http::Http;
use self::limits::Limits;
use self::logins::Logins;
use self::sockets::Sockets;

/// All settings.
#[derive(Args, Clone)]
pub(crate) struct Config {
    #[command(flatten)]
    pub(crate) http: Http,
    #[command(flatten)]
    pub(crate) sockets: Sockets,
    #[command(flatten)]
    pub(crate) database: Database,
    #[command(flatten)]
    pub(crate) backups: Backups,
    #[command(flatten)]
    history: History,
    #[command(flatten)]
    pub(crate) accounts: Accounts,
    #[command(flatten)]
    logins: Logins,
    #[command(flatten)]
    limits: Limits,
    /// Fill an empty database with a demo inventory
    #[arg(
        long,
        env = "STOCKROOM_DEMO",
        help_heading = "Demo",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub(crate) demo: bool,
    /// Log filter, such as info, debug or warn
    #[arg(
        long,
        env = "STOCKROOM_LOG",
        help_heading = "General",
        value_name = "FILTER",
        default_value = "info"
    )]
    pub(crate) log: String,
    /// Log without colours on a terminal, too; so does the variable `NO_COLOR`
    #[arg(
        long,
        env = "STOCKROOM_NO_COLOR",
        help_heading = "General",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub(crate) no_color: bool,
    /// A TOML file with any of these settings
    #[arg(
        long = file::FLAG,
        env = "STOCKROOM_CONFIG",
        value_name = "FILE",
        help_heading = "General"
    )]
    file: Option<PathBuf>,
}

/// Hides what a command that serves nothing does not use.
pub(crate) fn of_database(setting: Arg) -> Arg {
    without(setting, &["Database", "General"])
}

/// Hides what a command for users and tokens does not use.
pub(crate) fn of_accounts(setting: Arg) -> Arg {
    without(setting, &["Accounts", "Database", "General"])
}

fn without(setting: Arg, groups: &[&str]) -> Arg {
    let is_foreign = setting
        .get_help_heading()
        .is_some_and(|group| !groups.contains(&group));
    setting.hide(is_foreign)
}

impl Config {
    /// The settings of the HTTP crate.
    pub(crate) fn routes(&self) -> HttpConfig {
        HttpConfig {
            bodies: self.limits.bodies().within(memory::available()),
            is_encrypted: self.sockets.is_encrypted(),
            has_monitoring_listener: self.sockets.metrics_listen.is_some(),
            ..self.http.routes()
        }
    }

    /// The settings of the service.
    pub(crate) fn service(&self) -> ServiceConfig {
        let mut service = ServiceConfig {
            limits: self.limits.filter(),
            records: self.limits.records(),
            read_seconds: self.limits.read_timeout,
            write_seconds: self.limits.write_timeout,
            preview_seconds: self.limits.preview_timeout,
            export_seconds: self.limits.export_timeout,
            exports: self.limits.exports,
            stored_import_bytes: self.limits.stored_import_bytes,
            stored_import_bytes_per_user: self.limits.stored_import_bytes_per_user,
            ..ServiceConfig::default()
        };
        self.history.apply(&mut service);
        self.accounts.apply(&mut service);
        self.logins.apply(&mut service);
        service
    }

    /// The secrets. They have no flag, because other users of the machine can see the arguments of
    /// a process.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a secret is malformed.
    pub(crate) fn secrets(&self) -> anyhow::Result<bootstrap::Secrets> {
        let secrets = secrets::read_secrets(self.file.as_deref())?;
        let shortest = self.accounts.minimum_password.max(1);
        ensure!(
            secrets
                .admin_password
                .as_ref()
                .is_none_or(|password| password.len() >= shortest),
            "the admin password is shorter than {shortest} bytes"
        );
        Ok(secrets)
    }
}
