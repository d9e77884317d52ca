//! Which objects become hosts, and how: from flags, and from a file for what flags do not say.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::names::is_prefix;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::item_of_list;

/// Begins the names of variables, so that no field takes the place of one that Ansible reads.
const PREFIX: &str = "stockroom_";

/// The flags.
#[derive(Args)]
pub(super) struct SettingFlags {
    /// YAML or JSON file with the names of the flags below as keys
    #[arg(long, env = "STOCKROOM_INVENTORY", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Name or id of the type of the objects
    #[arg(long = "type", value_name = "TYPE")]
    type_name: Option<String>,
    /// A value that a member or field must have; repeat it for more
    #[arg(long = "where", value_name = "NAME=VALUE")]
    conditions: Vec<String>,
    /// Filter in JSON
    #[arg(long, value_name = "JSON")]
    filter: Option<String>,
    /// The field with the name of the host; REF.FIELD is a field of the object that REF references
    #[arg(long, value_name = "FIELD")]
    name: Option<String>,
    /// The field with the address, for `ansible_host`
    #[arg(long, value_name = "FIELD")]
    address: Option<String>,
    /// A field whose values become groups; repeat it for more. Types always become groups
    #[arg(long, value_name = "FIELD")]
    group_by: Vec<String>,
    /// Fields that become variables, between commas
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', value_parser = item_of_list)]
    vars: Vec<String>,
    /// Begins the names of variables of fields, and no name that Ansible reads [default: stockroom_]
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    /// Also objects that are not in use
    #[arg(long)]
    inactive: bool,
}

/// What flags and file say together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    #[serde(rename = "type")]
    pub(super) type_name: Option<Value>,
    #[serde(rename = "where")]
    pub(super) conditions: Vec<String>,
    pub(super) filter: Option<Value>,
    pub(super) name: String,
    pub(super) address: Option<String>,
    pub(super) group_by: Vec<String>,
    pub(super) vars: Vec<String>,
    pub(super) prefix: String,
    pub(super) inactive: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            type_name: None,
            conditions: Vec::new(),
            filter: None,
            name: String::new(),
            address: None,
            group_by: Vec::new(),
            vars: Vec::new(),
            prefix: PREFIX.to_owned(),
            inactive: false,
        }
    }
}

impl SettingFlags {
    pub(super) fn read(&self) -> Result<Settings, Failure> {
        let config = self.config.as_deref();
        let config = config.filter(|file| !file.as_os_str().is_empty());
        let mut settings = config.map(read_file).transpose()?.unwrap_or_default();
        if let Some(filter) = &self.filter {
            let filter = serde_json::from_str(filter);
            let filter =
                filter.map_err(|error| Failure::usage(format!("--filter is no JSON: {error}")))?;
            settings.filter = Some(filter);
        }
        if let Some(name) = &self.type_name {
            settings.type_name = Some(Value::from(name.as_str()));
        }
        if let Some(name) = &self.name {
            settings.name.clone_from(name);
        }
        if let Some(prefix) = &self.prefix {
            settings.prefix.clone_from(prefix);
        }
        if self.address.is_some() {
            settings.address.clone_from(&self.address);
        }
        for (given, setting) in [
            (&self.conditions, &mut settings.conditions),
            (&self.group_by, &mut settings.group_by),
            (&self.vars, &mut settings.vars),
        ] {
            if !given.is_empty() {
                setting.clone_from(given);
            }
        }
        settings.inactive |= self.inactive;
        if settings.name.is_empty() {
            let message = "name the field with the names of the hosts: --name FIELD";
            return Err(Failure::usage(message));
        }
        if !is_prefix(&settings.prefix) {
            let message = format!(
                "prefix: must begin a name, but none that Ansible reads, not {:?}",
                settings.prefix
            );
            return Err(Failure::usage(message));
        }
        Ok(settings)
    }
}

fn read_file(file: &Path) -> Result<Settings, Failure> {
    let document = input::document(file)?;
    serde_json::from_value(document).map_err(|error| {
        let message = format!("{}: {error}", file.display());
        Failure::new(Exit::BadInput, message)
    })
}

impl Settings {
    /// All fields that are needed, as they are named here.
    pub(super) fn fields(&self) -> impl Iterator<Item = &str> {
        let one = std::iter::once(&self.name).chain(&self.address);
        let all = one.chain(&self.group_by).chain(&self.vars);
        all.map(String::as_str)
    }

    /// The type by name or id.
    pub(super) fn type_name(&self) -> Option<String> {
        self.type_name.as_ref().map(|name| match name {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        })
    }
}
