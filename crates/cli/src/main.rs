//! Stockroom, the asset inventory server.

mod command;
mod config;
mod demo;
mod logging;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The system's allocator keeps what the first start with the demo, a password hash or a long list took for a moment.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    Serve(config::Flags),
    /// Print the configuration in force, secrets masked
    Config(config::Flags),
    /// Manage users while the server is stopped
    User {
        #[command(subcommand)]
        action: UserAction,
    },
    /// Print a token of a user, for scripts; works beside a running server
    Token {
        /// The user's name
        name: String,
        #[command(flatten)]
        flags: config::Flags,
    },
    /// Copy everything to another database that is empty, and verify it
    MigrateStore(command::migrate_store::Flags),
}

#[derive(Subcommand)]
enum UserAction {
    /// Set a user's password, read from standard input, and end all tokens of the user
    SetPassword {
        /// The user's name
        name: String,
        #[command(flatten)]
        flags: config::Flags,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(flags) => command::serve::run(flags),
        Command::Config(flags) => command::config::run(flags),
        Command::User {
            action: UserAction::SetPassword { name, flags },
        } => command::user::set_password(&name, flags),
        Command::Token { name, flags } => command::token::run(&name, flags),
        Command::MigrateStore(flags) => command::migrate_store::run(flags),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            logging::complain(&format!("stockroom: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
