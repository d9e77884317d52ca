//! Lets PostgreSQL prepare every SQL statement that the tests ran on the embedded store.
//!
//! Both engines run the same SQL, so this finds statements that only SQLite accepts.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use stockroom_testcluster::{Cluster, Settings};

use crate::parameters;
use crate::recorded::Statement;
use crate::statement_classes;
use crate::workspace::{Workspace, cargo};

/// Statements per `psql` process, as each is an argument and the length of a command line is
/// limited.
const BATCH: usize = 100;

/// The example of `stockroom-store` that prints its schema.
const EXAMPLE: &str = "postgres_schema";

/// `[--statements DIR] [--schema FILE]`, by default `sql` in the target folder and the store's own
/// schema.
pub(crate) fn prepare_statements(options: &[String]) -> anyhow::Result<()> {
    let options = Options::parse(options)?;
    let workspace = Workspace::load()?;
    let folder = match options.statements {
        Some(folder) => folder,
        None => workspace.target_directory.join("sql"),
    };
    let statements = Statement::read_all(&folder)?;
    ensure!(
        !statements.is_empty(),
        "no statement was recorded in {}: run the tests first",
        folder.display()
    );
    let schema = match options.schema {
        Some(file) => fs::read_to_string(&file).with_context(|| file.display().to_string())?,
        None => schema_of_the_store(&workspace)?,
    };
    // Queries of Citus's catalog only work on a sharded database.
    let statements: Vec<Statement> = statements
        .into_iter()
        .filter(|statement| !statement.text.contains("pg_dist_"))
        .collect();
    let refusals = refusals(&statements, &schema)?;
    for refusal in &refusals {
        println!("{refusal}\n");
    }
    ensure!(
        refusals.is_empty(),
        "PostgreSQL refuses {} of {} statements",
        refusals.len(),
        statements.len()
    );
    let missing = statement_classes::missing(&statements, &workspace.root)?;
    for statement in &missing {
        println!("{statement}");
    }
    ensure!(
        missing.is_empty(),
        "crates/store/statements.md does not say where a sharded database runs these {} statements",
        missing.len()
    );
    println!(
        "prepare-sql: PostgreSQL accepts all {} statements",
        statements.len()
    );
    Ok(())
}

#[derive(Default)]
struct Options {
    statements: Option<PathBuf>,
    schema: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Self> {
        let mut options = Self::default();
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--statements" => options.statements = Some(value.into()),
                [name, value] if name == "--schema" => options.schema = Some(value.into()),
                _ => bail!(
                    "unknown option {}: there are --statements DIR and --schema FILE",
                    pair.join(" ")
                ),
            }
        }
        Ok(options)
    }
}

/// Built for the whole workspace, as the tests were: for the package alone, cargo would build other
/// features.
fn schema_of_the_store(workspace: &Workspace) -> anyhow::Result<String> {
    let arguments = ["build", "--quiet", "--workspace", "--example", EXAMPLE];
    finish(Command::new(cargo()).args(arguments))?;
    let example = workspace
        .target_directory
        .join("debug/examples")
        .join(EXAMPLE);
    let schema = String::from_utf8(finish(&mut Command::new(example))?)?;
    ensure!(
        !schema.trim().is_empty(),
        "the example {EXAMPLE} of stockroom-store printed nothing"
    );
    Ok(schema)
}

fn refusals(statements: &[Statement], schema: &str) -> anyhow::Result<Vec<String>> {
    let cluster = Cluster::create(&Settings::for_tests())?;
    let file = tempfile::NamedTempFile::new()?;
    fs::write(file.path(), schema)?;
    let apply = ["--set", "ON_ERROR_STOP=1", "--single-transaction", "--file"];
    finish(cluster.psql().args(apply).arg(file.path()))
        .context("the schema for PostgreSQL does not apply")?;

    let mut refused = Vec::new();
    for batch in statements.chunks(BATCH) {
        refused.extend(prepare(&cluster, batch)?);
    }
    Ok(refused)
}

/// Runs a command and returns its output; the error has its error output.
fn finish(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{program} did not start"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program}: {}", said.trim());
    Ok(output.stdout)
}

/// Each statement is a `--command` of its own, so that an error affects no other statement.
fn prepare(cluster: &Cluster, batch: &[Statement]) -> anyhow::Result<Vec<String>> {
    let mut refused = Vec::new();
    let mut psql = cluster.psql();
    for (index, statement) in batch.iter().enumerate() {
        match parameters::to_postgres(&statement.text) {
            Ok(text) => {
                let prepare = format!("PREPARE recorded AS {text}");
                psql.args([
                    "--command",
                    &format!("\\warn {MARK}{index}"),
                    "--command",
                    &prepare,
                ]);
                psql.args(["--command", "DEALLOCATE ALL"]);
            }
            Err(error) => refused.push(statement.refused(&error.to_string())),
        }
    }
    psql.args(["--command", &format!("\\warn {MARK}end")]);
    let output = psql
        .stdin(Stdio::null())
        .output()
        .context("psql did not start")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        said.contains(&format!("{MARK}end")),
        "psql ended early: {said}"
    );
    refused.extend(
        complaints(&said)
            .filter_map(|(index, reason)| batch.get(index).map(|it| it.refused(reason))),
    );
    Ok(refused)
}

/// Marks in psql's error stream where the output for the next statement begins.
const MARK: &str = "== statement ";

fn complaints(said: &str) -> impl Iterator<Item = (usize, &str)> {
    said.split(MARK).filter_map(|part| {
        let (index, reason) = part.split_once('\n')?;
        (!reason.trim().is_empty()).then_some((index.trim().parse().ok()?, reason))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_belongs_to_the_statement_before_it() {
        let said = "== statement 0\n== statement 1\nERROR:  no\nLINE 1: x\n== statement 2\n== statement end\n";
        assert_eq!(
            complaints(said).collect::<Vec<_>>(),
            [(1, "ERROR:  no\nLINE 1: x\n")]
        );
    }

    #[test]
    fn options_are_pairs_of_known_names() {
        let parse = |arguments: &[&str]| {
            Options::parse(
                &arguments
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            parse(&["--schema", "a.sql"]).unwrap().schema,
            Some("a.sql".into())
        );
        assert!(parse(&["--schema"]).is_err());
        assert!(parse(&["--other", "a"]).is_err());
    }
}
