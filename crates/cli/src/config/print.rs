//! The effective configuration as a TOML file that can be used again, with secrets masked.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::Config;
use super::file::{SECRETS, is_setting};

/// All settings of `command` with the values that `matches` holds.
///
/// # Errors
///
/// A secret cannot be read.
pub(crate) fn print(
    command: &Command,
    matches: &ArgMatches,
    config: &Config,
) -> anyhow::Result<String> {
    let found = config.secrets()?;
    let mut text = String::new();
    for arg in command.get_arguments().filter(|arg| is_setting(arg)) {
        let line = setting(arg, matches);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}");
    }
    let is_set = [found.admin_password.is_some(), found.master_key.is_some()];
    for (name, is_set) in SECRETS.into_iter().zip(is_set) {
        let shown = if is_set { "\"***\"" } else { "unset" };
        let _ = writeln!(text, "# {name}: {shown}");
    }
    Ok(text)
}

fn setting(arg: &Arg, matches: &ArgMatches) -> String {
    let name = arg.get_id().as_str();
    let values: Vec<String> = matches
        .get_raw(name)
        .into_iter()
        .flatten()
        .map(|value| literal(value.to_string_lossy().trim()))
        .collect();
    if matches!(arg.get_action(), ArgAction::Append) {
        return format!("{name} = [{}]", values.join(", "));
    }
    match values.first() {
        None => format!("# {name}: unset"),
        Some(_) if arg.is_hide_env_values_set() => format!("# {name}: \"***\""),
        Some(value) => format!("{name} = {value}"),
    }
}

/// A value in TOML syntax.
fn literal(value: &str) -> String {
    if value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok() {
        value.to_owned()
    } else {
        toml::Value::from(value).to_string()
    }
}
