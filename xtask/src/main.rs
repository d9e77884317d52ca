//! `cargo xtask <task>`: project checks that need more than a line of shell.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool speaks on its standard streams"
)]

mod circles;
mod dependencies;
mod imports;
mod layers;
mod parameters;
mod prepare_sql;
mod recorded;
mod rules;
mod sources;
mod statement_classes;
mod vocabulary;
mod with_postgres;
mod words;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  check-dependencies          check which crate may know which, what each may contain, and its words
  circles                     print the groups of files that need one another
  prepare-sql [--statements DIR] [--schema FILE]
                              have PostgreSQL prepare every SQL statement that the tests recorded
  statement-classes --database URL --schema NAME
                              ask a sharded database for the plans of these statements and write crates/store/statements.md
  with-postgres COMMAND…      run the command with STOCKROOM_TEST_DATABASE set to a PostgreSQL of its own, unless it is set";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = |()| ExitCode::SUCCESS;
    let outcome = match arguments.split_first() {
        Some((task, [])) if task == "check-dependencies" => check_dependencies().map(done),
        Some((task, [])) if task == "circles" => print_circles().map(done),
        Some((task, options)) if task == "prepare-sql" => {
            prepare_sql::prepare_statements(options).map(done)
        }
        Some((task, options)) if task == "statement-classes" => {
            statement_classes::print_statement_classes(options).map(done)
        }
        Some((task, [command, arguments @ ..])) if task == "with-postgres" => {
            with_postgres::run_with_postgres(command, arguments)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn check_dependencies() -> anyhow::Result<()> {
    let workspace = workspace::Workspace::load()?;
    let mut findings = dependencies::check(&workspace);
    let sources = sources::collect(&workspace.root)?;
    for source in &sources {
        findings.extend(rules::check(source)?);
    }
    let crates = imports::of_crates(&sources)?;
    findings.extend(circles::check(&crates));
    findings.extend(layers::check(&crates));
    let documents = sources::documents(&workspace.root)?;
    findings.extend(sources.iter().chain(&documents).flat_map(vocabulary::check));
    for finding in &findings {
        println!("{finding}");
    }
    anyhow::ensure!(
        findings.is_empty(),
        "{} findings against the architecture",
        findings.len()
    );
    println!(
        "dependencies: {} crates and {} files are as ARCHITECTURE.md says",
        workspace.packages.len(),
        sources.len()
    );
    Ok(())
}

fn print_circles() -> anyhow::Result<()> {
    let workspace = workspace::Workspace::load()?;
    let sources = sources::collect(&workspace.root)?;
    for (crate_name, imports) in imports::of_crates(&sources)? {
        for circle in circles::circles(&imports) {
            println!("{crate_name}: {} files", circle.len());
            for file in &circle {
                println!("  {file}");
                let taken = imports[file].iter();
                for other in taken.filter(|other| circle.contains(other)) {
                    println!("    {other}");
                }
            }
        }
    }
    Ok(())
}
