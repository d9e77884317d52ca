//! `stockroom inventory`: objects as a dynamic inventory of Ansible.
//!
//! | stage | file in `inventory/` | input → output |
//! |---|---|---|
//! | settings | `settings.rs` | flags and a file → `Settings` |
//! | read | `objects.rs` | `Settings` → documents, from one export; the objects that they reference |
//! | print | `hosts.rs`, `names.rs` | documents → hosts in groups |

mod hosts;
mod names;
mod objects;
mod settings;

use clap::{ArgGroup, Args};
use serde_json::json;

use self::hosts::Hosts;
use self::settings::SettingFlags;
use crate::connection::ConnectionFlags;
use crate::failure::Failure;
use crate::output::{complain, say};

/// What to print.
#[derive(Args)]
#[command(group = ArgGroup::new("inventory").required(true).args(["list", "host"]))]
pub struct Flags {
    /// Print all hosts with their groups and variables
    #[arg(long)]
    list: bool,
    /// Print the variables of a host
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    #[command(flatten)]
    settings: SettingFlags,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Prints the inventory, as Ansible reads it from scripts.
pub(crate) fn run_inventory(flags: &Flags) -> Result<(), Failure> {
    let settings = flags.settings.read()?;
    let connection = flags.connection.connect()?;
    let mut hosts = Hosts::default();
    objects::read_objects(&connection, &settings, |object| {
        hosts.add(&settings, object);
    })?;
    hosts.leave_out_groups();
    for warning in hosts.warnings() {
        complain(&format!("warning: {warning}"));
    }
    let document = match &flags.host {
        None => hosts.into_document(),
        Some(name) => hosts.variables(name).unwrap_or_else(|| json!({})),
    };
    say(&format!("{document}\n"))
}
