//! `stockroom completions` and `stockroom man`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::Shell;

use crate::Program;
use crate::failure::Failure;
use crate::output::say;

const NAME: &str = "stockroom";

/// Which shell.
#[derive(Args)]
pub struct Completions {
    /// The shell that reads them
    shell: SupportedShell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SupportedShell {
    Bash,
    Zsh,
    Fish,
}

/// Where to.
#[derive(Args)]
pub struct Man {
    /// The directory, made if it is missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Prints a script for the shell.
pub(crate) fn print(flags: &Completions, program: &Program) -> Result<(), Failure> {
    let shell = match flags.shell {
        SupportedShell::Bash => Shell::Bash,
        SupportedShell::Zsh => Shell::Zsh,
        SupportedShell::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program.command.clone(), NAME, &mut script);
    say(&String::from_utf8_lossy(&script))
}

/// Writes a page for the program and one for each command.
pub(crate) fn write_man(flags: &Man, program: &Program) -> Result<(), Failure> {
    let directory = &flags.directory;
    let command = program.command.clone().disable_help_subcommand(true);
    std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .map_err(|error| {
            Failure::other(format!("cannot write to {}: {error}", directory.display()))
        })
}
