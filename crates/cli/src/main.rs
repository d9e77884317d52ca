//! Stockroom, the asset inventory server.

mod background;
mod command;
mod config;
mod demo;
mod hardening;
mod listener;
mod logging;
mod memory;
mod scheduled_backups;
mod signals;
mod system_calls;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory as _, Parser, Subcommand};
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_model::TokenId;

use crate::config::Config;

/// The system's allocator does not return the memory that the first start with the demo, a password
/// hash or a long list used briefly.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Asset inventory server: one binary with a REST API and its own store.
#[derive(Parser)]
#[command(name = "stockroom", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API
    Serve(Config),
    /// Print the configuration in force, secrets masked
    Config(Config),
    /// List, read and change users, and set a password while the server is stopped
    User {
        #[command(subcommand)]
        action: UserAction,
    },
    /// Manage API tokens, and print session tokens
    Token {
        #[command(subcommand)]
        action: TokenAction,
    },
    /// Save everything to a compressed file; also while the server runs
    #[command(mut_args = config::of_database)]
    Backup {
        /// The file, which must not exist; only its owner can read it
        #[arg(value_name = "FILE")]
        backup: PathBuf,
        #[command(flatten)]
        config: Config,
    },
    /// Restore a backup into an empty database, and verify it
    #[command(mut_args = config::of_database)]
    Restore {
        /// A file made by `stockroom backup`, with either engine
        #[arg(value_name = "FILE")]
        backup: PathBuf,
        #[command(flatten)]
        config: Config,
    },
    /// Move the inventory of DATAGERRY 1.5 to 2.2 into an empty database, from a dump of its
    /// MongoDB. With a database in a directory, while the server is stopped
    #[command(mut_args = config::of_database)]
    ImportDatagerry {
        #[command(flatten)]
        flags: command::import_datagerry::Flags,
        // Much larger than other variants.
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Look for damage in the database; also while the server runs. Ends with the status 1 if there
    /// are problems, and with 2 if it could not be checked
    #[command(mut_args = config::of_database)]
    Check {
        /// Rebuild index, counters, name keys and next ids from the documents, while all servers
        /// are stopped
        #[arg(long)]
        repair: bool,
        #[command(flatten)]
        config: Config,
    },
    /// Manage the secret key while all servers are stopped
    Key {
        #[command(subcommand)]
        action: KeyAction,
    },
    /// Copy everything into an empty database, and verify the copy
    MigrateStore(command::migrate_store::Flags),
    #[command(flatten)]
    Client(stockroom_client::Command),
}

#[derive(Subcommand)]
enum UserAction {
    #[command(flatten)]
    Client(stockroom_client::RecordAction),
    /// Set a user's password, read from standard input, and end all sessions of the user. With a
    /// database in a directory, while the server is stopped
    #[command(mut_args = config::of_accounts)]
    SetPassword {
        /// The user's name
        name: String,
        // Much larger than the other variant.
        #[command(flatten)]
        config: Box<Config>,
    },
}

#[derive(Subcommand)]
enum TokenAction {
    /// Make an API token of a user and print it, once. With a database in a directory, while the
    /// server is stopped
    #[command(mut_args = config::of_accounts)]
    Create {
        /// The user's name
        user: String,
        #[command(flatten)]
        new: command::token::NewToken,
        #[command(flatten)]
        config: Config,
    },
    /// Print API tokens without their secrets, one JSON object in a line; also while the server
    /// runs
    #[command(mut_args = config::of_accounts)]
    List {
        /// The user's name; all users by default
        user: Option<String>,
        #[command(flatten)]
        config: Config,
    },
    /// Revoke an API token. With a database in a directory, while the server is stopped
    #[command(mut_args = config::of_accounts)]
    Revoke {
        /// The id of the token
        id: TokenId,
        #[command(flatten)]
        config: Config,
    },
    /// Print a session token of a user, for scripts on this machine; also while the server runs
    #[command(mut_args = config::of_accounts)]
    Session {
        /// The user's name
        user: String,
        #[command(flatten)]
        config: Config,
    },
}

#[derive(Subcommand)]
enum KeyAction {
    /// Encrypt all secrets with a new key: `STOCKROOM_NEW_SECRET_KEY`, the file that
    /// `STOCKROOM_NEW_SECRET_KEY_FILE` names, or a random one if the old one is in the database.
    /// All sessions end; API tokens do not depend on the key
    #[command(mut_args = config::of_database)]
    Rotate {
        #[command(flatten)]
        config: Config,
    },
}

fn main() -> ExitCode {
    if system_calls::is_probe() {
        return system_calls::probe();
    }
    let result = hardening::protect_memory()
        .and_then(|()| config::parse::<Cli>())
        .and_then(|(cli, matches)| run(cli.command, &matches));
    match result {
        Ok(status) => status,
        Err(error) => {
            logging::complain(&format!("stockroom: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn token(action: TokenAction) -> anyhow::Result<()> {
    match action {
        TokenAction::Create { user, new, config } => command::token::create(user, new, config),
        TokenAction::List { user, config } => command::token::list(user.as_deref(), &config),
        TokenAction::Revoke { id, config } => command::token::revoke(id, config),
        TokenAction::Session { user, config } => command::token::session(&user, &config),
    }
}

fn run(command: Command, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    if !command.is_client() {
        hardening::make_files_private();
        system_calls::respect_filter();
    }
    match command {
        Command::Client(command) => return Ok(stockroom_client::run_command(command, &program())),
        Command::Check { repair, config } => return Ok(command::check::run_check(repair, &config)),
        Command::Serve(config) => command::serve::run_server(config),
        Command::Config(config) => command::config::run_config(&Cli::command(), matches, &config),
        Command::User { action } => match action {
            UserAction::Client(action) => return Ok(stockroom_client::run_user(action)),
            UserAction::SetPassword { name, config } => command::user::set_password(&name, *config),
        },
        Command::Token { action } => token(action),
        Command::Backup { backup, config } => command::backup::run_backup(&backup, &config),
        Command::Restore { backup, config } => command::restore::run_restore(&backup, &config),
        Command::ImportDatagerry { flags, config } => {
            command::import_datagerry::run_import_datagerry(&flags, *config)
        }
        Command::Key {
            action: KeyAction::Rotate { config },
        } => command::key::rotate(&config),
        Command::MigrateStore(flags) => command::migrate_store::run_migrate_store(flags),
    }?;
    Ok(ExitCode::SUCCESS)
}

impl Command {
    /// Whether it talks to a server. The files that it writes are as private as its user wants.
    const fn is_client(&self) -> bool {
        let is_client_of_user = matches!(
            self,
            Self::User {
                action: UserAction::Client(_)
            }
        );
        is_client_of_user || matches!(self, Self::Client(_))
    }
}

fn program() -> stockroom_client::Program {
    let since_epoch = u64::try_from(SystemClock.now().0).unwrap_or_default();
    stockroom_client::Program {
        command: Cli::command(),
        now: Duration::from_micros(since_epoch),
        interrupts: signals::interrupts,
    }
}
