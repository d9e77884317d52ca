//! The list of statements with the servers of a sharded database that run each of them. It is made
//! by querying such a database, is kept in the documentation, and has every fixed statement.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use crate::parameters;
use crate::recorded::Statement;
use crate::workspace::Workspace;

/// The path of the list, from the root of the workspace.
const LIST: &str = "crates/store/statements.md";

const PREFACE: &str = "\
# Statements on a sharded database

Every SQL statement of the store, and the servers of a Citus cluster that run it. The list is
generated from the plans of a cluster:

1. Run `STOCKROOM_TEST_DATABASE=postgres://… make test`, or a part of the tests, on the coordinator.
   This records the statements.
2. Run `stockroom serve --database postgres://… --database-schema listed` once. This creates the
   tables.
3. Run `cargo xtask statement-classes --database postgres://… --schema listed`. This writes this
   file.

You may add a statement by hand, in alphabetical order; `cargo xtask prepare-sql` reports fixed
statements that are missing. Statements of lists are built from predicates: the list has those that
the tests ran.
";

/// The types of the parameters of the prepared statement, one per line.
const PARAMETER_TYPES: &str =
    "SELECT UNNEST(parameter_types) FROM pg_prepared_statements WHERE name = 'asked';\n";

/// Which servers execute a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Coordinator,
    EveryServer,
    OneShard,
    FanOut,
    FanOutInSteps,
    ThroughCoordinator,
}

impl Class {
    const ALL: [Self; 6] = [
        Self::Coordinator,
        Self::EveryServer,
        Self::OneShard,
        Self::FanOut,
        Self::FanOutInSteps,
        Self::ThroughCoordinator,
    ];

    const fn title(self) -> &'static str {
        match self {
            Self::Coordinator => "Coordinator",
            Self::EveryServer => "A copy on every server",
            Self::OneShard => "One shard",
            Self::FanOut => "Co-located fan-out",
            Self::FanOutInSteps => "Co-located fan-out in two steps",
            Self::ThroughCoordinator => "Through the coordinator to the shards",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Coordinator => "The coordinator, to which the nodes connect, answers alone.",
            Self::EveryServer => {
                "Small tables: reads use the copy of the coordinator, writes change all copies."
            }
            Self::OneShard => "Only the server with the object runs it.",
            Self::FanOut => {
                "Each shard answers for its objects and their rows. The coordinator merges the answers."
            }
            Self::FanOutInSteps => {
                "The coordinator first collects a partial result and sends it to the shards:\n\
                 a counter, or with `NOT IN` the ids of objects."
            }
            Self::ThroughCoordinator => {
                "The coordinator receives rows as arrays, expands them, and sends the rows to the shards."
            }
        }
    }

    /// Derives the class from a plan.
    fn of(plan: &str, is_sharded: bool) -> Self {
        let tasks = plan
            .lines()
            .find_map(|line| line.trim().strip_prefix("Task Count: "))
            .and_then(|count| count.parse::<u32>().ok());
        match tasks {
            _ if plan.contains("pull to coordinator") && is_sharded => Self::ThroughCoordinator,
            Some(_) | None if !is_sharded && plan.contains("Citus") => Self::EveryServer,
            None => Self::Coordinator,
            Some(0 | 1) => Self::OneShard,
            Some(_) if plan.contains("Distributed Subplan") => Self::FanOutInSteps,
            Some(_) => Self::FanOut,
        }
    }
}

/// `--database URL --schema NAME`: queries that database and writes the list.
pub(crate) fn print_statement_classes(options: &[String]) -> anyhow::Result<()> {
    let [database_option, database, schema_option, schema] = options else {
        bail!("there are --database URL and --schema NAME");
    };
    ensure!(
        database_option == "--database" && schema_option == "--schema",
        "there are --database URL and --schema NAME"
    );
    let workspace = Workspace::load()?;
    let server = Server { database, schema };
    let sharded = server.sharded_tables()?;
    let mut list = List::default();
    let mut statements = Statement::read_all(&workspace.target_directory.join("sql"))?;
    statements.retain(|statement| !locks_rows(&statement.text));
    for statement in statements {
        let plan = server.plan(&statement)?;
        let is_sharded = words(&statement.text).any(|word| sharded.contains(word));
        list.0
            .insert(one_line(&statement.text), Class::of(&plan, is_sharded));
    }
    let file = workspace.root.join(LIST);
    fs::write(&file, list.write()).with_context(|| file.display().to_string())?;
    println!(
        "statement-classes: {} statements in {}",
        list.0.len(),
        file.display()
    );
    Ok(())
}

/// Fixed statements that are missing in the list. Statements of object lists are generated and
/// cannot all be in it.
pub(crate) fn missing(statements: &[Statement], root: &Path) -> anyhow::Result<Vec<String>> {
    let file: PathBuf = root.join(LIST);
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let list = List::read(&text)?;
    let lacks = |text: &String| !is_of_lists(text) && !list.0.contains_key(text);
    Ok(statements
        .iter()
        .map(|statement| one_line(&statement.text))
        .filter(lacks)
        .collect())
}

/// Whether a statement is generated from the conditions of a list.
fn is_of_lists(text: &str) -> bool {
    (text.starts_with("SELECT") || text.starts_with("WITH"))
        && (text.contains("FROM object ") || text.contains("FROM object_field "))
}

/// Whether a statement locks rows of several objects, which a sharded database refuses. It is only
/// sent to others.
fn locks_rows(text: &str) -> bool {
    text.ends_with(" FOR UPDATE") || text.ends_with(" FOR KEY SHARE")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// Statements with their classes.
#[derive(Debug, Default, PartialEq, Eq)]
struct List(BTreeMap<String, Class>);

impl List {
    fn write(&self) -> String {
        let mut text = PREFACE.to_owned();
        for class in Class::ALL {
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "\n## {}\n\n{}\n\n```sql\n",
                class.title(),
                class.meaning()
            );
            for (statement, _) in self.0.iter().filter(|(_, of)| **of == class) {
                let _ = writeln!(text, "{statement}");
            }
            text.push_str("```\n");
        }
        text
    }

    fn read(text: &str) -> anyhow::Result<Self> {
        let mut list = Self::default();
        for part in text.split("\n## ").skip(1) {
            let (title, rest) = part.split_once('\n').context("a heading alone")?;
            let class = Class::ALL.into_iter().find(|class| class.title() == title);
            let class = class.with_context(|| format!("{LIST} has an unknown class {title:?}"))?;
            let statements = rest.lines().skip_while(|line| *line != "```sql").skip(1);
            for statement in statements.take_while(|line| *line != "```") {
                list.0.insert(statement.to_owned(), class);
            }
        }
        Ok(list)
    }
}

/// A coordinator, with the schema that has the tables.
struct Server<'o> {
    database: &'o str,
    schema: &'o str,
}

impl Server<'_> {
    fn sharded_tables(&self) -> anyhow::Result<BTreeSet<String>> {
        let tables = self.ask(
            "SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h';\n",
        )?;
        let tables: BTreeSet<String> = tables.lines().map(str::to_owned).collect();
        ensure!(!tables.is_empty(), "no table of that database is sharded");
        Ok(tables)
    }

    fn plan(&self, statement: &Statement) -> anyhow::Result<String> {
        let text = parameters::to_postgres(&statement.text)?;
        let types = self.ask(&format!("PREPARE asked AS {text};\n{PARAMETER_TYPES}"));
        let types = types.with_context(|| statement.text.clone())?;
        // Citus shows no plan for an insert with parameters, so sample values replace them.
        let types: Vec<&str> = types.lines().collect();
        let text = (1..=types.len()).rev().fold(text, |text, place| {
            text.replace(&format!("${place}"), &sample(types[place - 1]))
        });
        let plan = self.ask(&format!("EXPLAIN (COSTS OFF) {text};\n"));
        plan.with_context(|| statement.text.clone())
    }

    /// Runs a script in psql and returns its output.
    fn ask(&self, script: &str) -> anyhow::Result<String> {
        let mut psql = Command::new("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"])
            .args(["--set", "ON_ERROR_STOP=1", "--dbname", self.database])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("psql did not start")?;
        let mut input = psql.stdin.take().context("psql reads nothing")?;
        write!(input, "SET search_path = {};\n{script}", self.schema)?;
        drop(input);
        let output = psql.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "psql: {}", said.trim());
        Ok(String::from_utf8(output.stdout)?)
    }
}

/// A sample value of a type.
fn sample(kind: &str) -> String {
    let text = match kind {
        "bigint" => "1",
        "bigint[]" => "{1,2}",
        _ if kind.ends_with("[]") => "{x,y}",
        _ => "x",
    };
    format!("CAST('{text}' AS {kind})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_tell_the_class() {
        let plans = [
            (
                "Index Scan using sequence_pkey on sequence",
                false,
                Class::Coordinator,
            ),
            (
                "Custom Scan (Citus Adaptive)\n  Task Count: 1",
                false,
                Class::EveryServer,
            ),
            (
                "Custom Scan (Citus Adaptive)\n  Task Count: 1",
                true,
                Class::OneShard,
            ),
            (
                "Sort\n  ->  Custom Scan (Citus Adaptive)\n        Task Count: 32",
                true,
                Class::FanOut,
            ),
            (
                "Custom Scan (Citus Adaptive)\n  ->  Distributed Subplan 5_1\n  Task Count: 4",
                true,
                Class::FanOutInSteps,
            ),
            (
                "Custom Scan (Citus INSERT ... SELECT)\n  INSERT/SELECT method: pull to coordinator",
                true,
                Class::ThroughCoordinator,
            ),
        ];
        for (plan, is_sharded, class) in plans {
            assert_eq!(Class::of(plan, is_sharded), class, "{plan}");
        }
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let list = List(BTreeMap::from([
            ("SELECT 1 FROM object".to_owned(), Class::FanOut),
            ("SELECT 1 FROM sequence".to_owned(), Class::Coordinator),
        ]));
        assert_eq!(List::read(&list.write()).unwrap(), list);
    }

    #[test]
    fn only_fixed_statements_are_missed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(LIST);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let listed = "DELETE FROM object WHERE public_id = ?1";
        let list = List(BTreeMap::from([(listed.to_owned(), Class::OneShard)]));
        fs::write(&file, list.write()).unwrap();
        let statements = [
            listed,
            "DELETE FROM type\n WHERE public_id = ?1",
            "SELECT doc FROM object WHERE type_id = ?1",
            "WITH few AS (SELECT object_id FROM object_field WHERE key = ?1) SELECT 1 FROM few",
        ];
        let statements = statements.map(|text| Statement {
            name: "recorded".to_owned(),
            text: text.to_owned(),
        });
        assert_eq!(
            missing(&statements, folder.path()).unwrap(),
            ["DELETE FROM type WHERE public_id = ?1"]
        );
    }
}
