//! The commands that talk to a server: `login`, the six resources, `search`, `export`, `import`,
//! `inventory` and `apply`.
//!
//! Each command has a file in `command/`. It gets a [`connection::Connection`], sends requests, and
//! prints the answers with `output/`. What tells one resource from another is in the table of
//! `resource.rs`; the commands are the same for all.

mod command;
mod connection;
mod credentials;
mod failure;
mod input;
mod output;
mod progress;
mod prompt;
mod resource;

use std::process::ExitCode;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use clap::Subcommand;

use crate::command::resource::{NoFlags, ObjectList, ObjectType};
use crate::command::{apply, completions, export, import, inventory, login, logout, search};
use crate::failure::Failure;

pub use crate::command::resource::Action;

/// The actions on records that are not objects.
pub type RecordAction = Action<NoFlags, NoFlags>;

/// What the commands need to know of the program that they belong to.
pub struct Program {
    /// The command line of the whole program, for completions and man pages.
    pub command: clap::Command,
    /// The time since 1970.
    pub now: Duration,
    /// From now on, an interrupt (Ctrl-C) does not end the program, but is received here. The
    /// channel stays open.
    pub interrupts: fn() -> Receiver<()>,
}

/// The commands that talk to a server. `user` is missing here, because the program has other
/// actions below it; see [`run_user`].
#[derive(Subcommand)]
pub enum Command {
    /// Log in to a server, and keep an API token for the other commands
    Login(login::Flags),
    /// Revoke the API token of the last login and forget it
    Logout(logout::Flags),
    /// List, read and change objects
    Object {
        /// What to do
        #[command(subcommand)]
        action: Action<ObjectList, ObjectType>,
    },
    /// List, read and change types
    Type {
        /// What to do
        #[command(subcommand)]
        action: RecordAction,
    },
    /// List, read and change categories
    Category {
        /// What to do
        #[command(subcommand)]
        action: RecordAction,
    },
    /// List, read and change groups
    Group {
        /// What to do
        #[command(subcommand)]
        action: RecordAction,
    },
    /// List, read and change saved views
    View {
        /// What to do
        #[command(subcommand)]
        action: RecordAction,
    },
    /// List, read and change sources of imports
    Source {
        /// What to do
        #[command(subcommand)]
        action: RecordAction,
    },
    /// Search in all records
    Search(search::Flags),
    /// Write objects to a file, as a table or as documents
    Export(export::Flags),
    /// Make objects of the rows of a file, and change those that are there
    Import(Box<import::Flags>),
    /// Print objects as a dynamic inventory of Ansible
    Inventory(inventory::Flags),
    /// Make types, categories, groups, views, sources and objects what files say
    Apply(apply::Flags),
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Write man pages into a directory
    Man(completions::Man),
}

/// Runs a command, prints why it failed, and returns the exit code.
#[must_use]
pub fn run_command(command: Command, program: &Program) -> ExitCode {
    let done = match command {
        Command::Login(flags) => login::run_login(&flags, program.now),
        Command::Logout(flags) => logout::run_logout(&flags),
        Command::Object { action } => action.run(&resource::OBJECT),
        Command::Type { action } => action.run(&resource::TYPE),
        Command::Category { action } => action.run(&resource::CATEGORY),
        Command::Group { action } => action.run(&resource::GROUP),
        Command::View { action } => action.run(&resource::VIEW),
        Command::Source { action } => action.run(&resource::SOURCE),
        Command::Search(flags) => search::run_search(&flags),
        Command::Export(flags) => export::run_export(&flags),
        Command::Import(flags) => import::run_import(&flags, program),
        Command::Inventory(flags) => inventory::run_inventory(&flags),
        Command::Apply(flags) => apply::run_apply(&flags),
        Command::Completions(flags) => completions::print(&flags, program),
        Command::Man(flags) => completions::write_man(&flags, program),
    };
    exit(done)
}

/// Runs an action on users.
#[must_use]
pub fn run_user(action: RecordAction) -> ExitCode {
    exit(action.run(&resource::USER))
}

fn exit(done: Result<(), Failure>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
