//! Runs raw statements on PostgreSQL in a loop, with as many connections as a node has for
//! snapshots: the upper bound for the rate of a node.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use tokio_postgres::{Row, Statement};

use super::postgres::Connection;
use crate::data;
use crate::environment::{self, BenchEnvironment, anywhere};
use crate::process::{Watched, on_server_core};

/// As many as a node has for snapshots. A node has half as many shared ones for single statements.
pub(crate) const CONNECTIONS: usize = 8;

const OBJECT: &str =
    "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id = $1";
const OBJECTS: &str = "SELECT public_id, type_id, revision, views, secrets, doc FROM object WHERE public_id = ANY($1)";
/// The page and its total in one round trip and one snapshot.
const PAGE: &str = "SELECT public_id, type_id, revision, views, secrets, doc, \
     (SELECT CAST(SUM(total) AS BIGINT) FROM object_count WHERE type_id = $1) \
     FROM object WHERE type_id = $1 ORDER BY public_id LIMIT 10";

/// The raw statements of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RawQuery {
    /// Any object
    Object,
    /// Any object, then the two that it references
    References,
    /// Ten objects of any type, and its total
    Page,
}

impl RawQuery {
    const fn statement(self) -> &'static str {
        match self {
            Self::Object | Self::References => OBJECT,
            Self::Page => PAGE,
        }
    }
}

/// The arguments of the process.
#[derive(Args)]
pub(crate) struct QueryArgs {
    #[arg(long)]
    database: String,
    #[arg(long)]
    question: RawQuery,
    /// Objects in the database
    #[arg(long)]
    objects: i64,
}

/// Controls the process that runs the statements.
pub(crate) struct QueryProcess {
    pub(crate) process: Watched,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl QueryProcess {
    /// Starts the process on the server's core.
    pub(crate) fn start(bench: &BenchEnvironment, question: RawQuery) -> anyhow::Result<Self> {
        let name = question.to_possible_value().context("a hidden question")?;
        let data = bench.data(bench.size());
        let mut command = on_server_core(&bench.own_program);
        command
            .args(["ask", "--question", name.get_name()])
            .args(["--objects", &bench.size().to_string()])
            .args(["--database", environment::url(&data)?])
            .stdin(Stdio::piped());
        let (mut process, output) = Watched::start(&mut command)?;
        let orders = process.input().context("no standard input")?;
        let mut queries = Self {
            process,
            orders,
            answers: BufReader::new(output),
        };
        queries
            .read()
            .context("the raw statement cannot be asked")?;
        Ok(queries)
    }

    /// Runs the statements for this long and returns the rate of answers.
    pub(crate) fn turn(&mut self, duration: Duration) -> anyhow::Result<f64> {
        writeln!(self.orders, "{}", duration.as_micros())?;
        Ok(self.read()?.parse()?)
    }

    fn read(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

/// The process itself. Prints that it is ready; then, for each duration in microseconds that it
/// reads, runs the statements for that long and prints the rate of answers.
pub(crate) fn run_queries(arguments: &QueryArgs) -> anyhow::Result<()> {
    let mut connections: Vec<PreparedConnection> = (0..CONNECTIONS)
        .map(|_| PreparedConnection::open(arguments))
        .collect::<anyhow::Result<_>>()?;
    let next = AtomicU64::new(0);
    let mut output = std::io::stdout();
    writeln!(output, "ready")?;
    for line in std::io::stdin().lines() {
        let duration = Duration::from_micros(line?.trim().parse()?);
        let rate = turn(&mut connections, &next, duration)?;
        writeln!(output, "{rate}")?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "far fewer answers than 2^53")]
fn turn(
    connections: &mut [PreparedConnection],
    next: &AtomicU64,
    duration: Duration,
) -> anyhow::Result<f64> {
    let started = Instant::now();
    thread::scope(|scope| {
        let threads: Vec<_> = connections
            .iter_mut()
            .map(|connection| scope.spawn(|| connection.ask_until(started + duration, next)))
            .collect();
        let mut answers = 0;
        for thread in threads {
            answers += thread.join().map_err(|_| anyhow!("a thread panicked"))??;
        }
        Ok(answers as f64 / started.elapsed().as_secs_f64())
    })
}

/// A connection with its prepared statements.
struct PreparedConnection {
    connection: Connection,
    statement: Statement,
    several_objects: Statement,
    question: RawQuery,
    objects: i64,
}

impl PreparedConnection {
    fn open(arguments: &QueryArgs) -> anyhow::Result<Self> {
        let connection = Connection::open(&arguments.database)?;
        Ok(Self {
            statement: connection.prepare(arguments.question.statement())?,
            several_objects: connection.prepare(OBJECTS)?,
            connection,
            question: arguments.question,
            objects: arguments.objects,
        })
    }

    fn ask_until(&self, end: Instant, next: &AtomicU64) -> anyhow::Result<u64> {
        let mut answers = 0;
        while Instant::now() < end {
            let object = anywhere(next.fetch_add(1, Ordering::Relaxed), self.objects);
            std::hint::black_box(self.ask(object)?);
            answers += 1;
        }
        Ok(answers)
    }

    fn ask(&self, object: i64) -> anyhow::Result<Vec<Object>> {
        let parameter = match self.question {
            RawQuery::Page => data::type_of(object),
            RawQuery::Object | RawQuery::References => object,
        };
        let mut objects = self.read(&self.statement, &parameter)?;
        if self.question == RawQuery::References {
            let (.., document, _) = objects.first().context("no such object")?;
            let named = data::references(document);
            objects.extend(self.read(&self.several_objects, &named)?);
        }
        Ok(objects)
    }

    fn read<P: tokio_postgres::types::ToSql + Sync>(
        &self,
        statement: &Statement,
        parameter: &P,
    ) -> anyhow::Result<Vec<Object>> {
        let rows = self.connection.query(statement, &[parameter])?;
        rows.iter().map(owned).collect()
    }
}

/// Id, type, revision; views; secrets; document; total.
type Object = ([i64; 3], Option<i64>, Option<String>, String, Option<i64>);

/// The values of a row as owned data, so that nothing is left to read on the connection.
fn owned(row: &Row) -> anyhow::Result<Object> {
    let total = match row.len() {
        7 => row.try_get(6)?,
        _ => None,
    };
    let numbers = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?];
    Ok((
        numbers,
        row.try_get(3)?,
        row.try_get(4)?,
        row.try_get(5)?,
        total,
    ))
}
