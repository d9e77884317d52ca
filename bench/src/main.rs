//! `make bench`: measures all rows of the table and writes `docs/benchmarks/measurements.md`.
//!
//! Outside of the store, only this writes SQL and uses the database libraries, as it measures the
//! store against raw statements.

mod baseline;
mod client;
mod data;
mod engine;
mod environment;
mod http;
mod import;
mod load;
mod machine;
mod measure;
mod postgres;
mod prepare;
mod process;
mod raw;
mod report;
mod stats;
mod store;
mod table;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use stockroom_store::{Location, PostgresConfig};

use engine::Engine;
use environment::{BenchEnvironment, Plan};
use measure::Measurement;
use report::Figure;

/// The allocator of the server, as baselines and loader are compared with it.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Measures the server, and writes the engine's part of docs/benchmarks/measurements.md if all rows
/// were measured
///
/// Needs Linux with two cores, and the release build of `stockroom` next to this program. Data sets
/// are kept in `target/bench` as long as their generator and the schema do not change; the row
/// bulk-load makes the largest one again.
///
/// Rows: bulk-load, import, bulk-import, native-read, list, rendered-read, selective-filter, total,
/// regex, substring, documents, deep-page, cold-jump, jump-cold, jump-again, jump-anywhere, inserts,
/// insert-p99, as-of, feed, export, backup, growth, memory, cold-start, demo; two-nodes on PostgreSQL only.
#[derive(Parser)]
#[command(name = "stockroom-bench", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Args)]
struct Options {
    /// Database engine
    #[arg(long, value_enum, default_value_t = Engine::Sqlite)]
    engine: Engine,
    /// Short measurements of 10,000 and 100,000 objects: three minutes, without a report
    #[arg(long)]
    quick: bool,
    /// Measure these rows only, without a report
    #[arg(long, value_name = "ROW,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Sizes of the data sets, ascending; most rows are measured on the last one
    #[arg(long, value_name = "OBJECTS,…", value_delimiter = ',')]
    sizes: Vec<i64>,
    /// Where to write the report [default: docs/benchmarks/measurements.md if all were measured]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Make the data sets again, for a store that writes other rows with the same schema
    #[arg(long)]
    reload: bool,
}

/// Subcommands that run in processes of their own.
#[derive(Subcommand)]
enum Part {
    /// Serve a greeting
    #[command(hide = true)]
    Hello,
    /// Serve a static answer
    #[command(hide = true)]
    Static {
        #[arg(long)]
        bytes: usize,
    },
    /// Fill an empty location
    #[command(hide = true)]
    Load {
        #[arg(long, required_unless_present = "database")]
        data: Option<PathBuf>,
        #[arg(long)]
        database: Option<String>,
        #[arg(long)]
        objects: i64,
        /// Nearly all objects have the same type
        #[arg(long)]
        one_type: bool,
    },
    /// Run a raw statement on PostgreSQL in a loop
    #[command(hide = true)]
    Ask(raw::QueryArgs),
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.part {
        Some(Part::Hello) => baseline::run_baseline(None),
        Some(Part::Static { bytes }) => baseline::run_baseline(Some(bytes)),
        Some(Part::Load {
            data,
            database,
            objects,
            one_type,
        }) => {
            let directory = Location::Directory(data.unwrap_or_default());
            let location =
                database.map(|url| Location::Server(Box::new(PostgresConfig::new(&url))));
            let spread = if one_type {
                data::Spread::One
            } else {
                data::Spread::Even
            };
            prepare::run_load(&location.unwrap_or(directory), objects, spread)
        }
        Some(Part::Ask(asked)) => raw::ask(&asked),
        None => measure(&cli.options),
    }
}

fn measure(options: &Options) -> anyhow::Result<()> {
    let measurements = measure::all(options.engine);
    let known = |name: &String| {
        measurements
            .iter()
            .flat_map(|measurement| measurement.rows)
            .any(|row| row.name == name)
    };
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        anyhow::bail!("there is no row {unknown:?}; see --help");
    }
    let complete = !options.quick && options.only.is_empty() && options.sizes.is_empty();
    let bench = BenchEnvironment::new(plan(options))?;
    process::pin_self(options.engine.generator())?;
    let wanted: Vec<&Measurement> = measurements
        .iter()
        .filter(|measurement| {
            measurement
                .rows
                .iter()
                .any(|row| bench.plan.wants(row.name))
        })
        .collect();
    prepare_sets(&bench, options.reload)?;
    let mut figures = Vec::new();
    for measurement in wanted {
        let measured = run(&bench, measurement);
        for figure in &measured {
            say(&figure.line())?;
        }
        figures.extend(measured);
    }
    say(&format!(
        "\n{}\n{}",
        report::table(&bench, &figures),
        bench.growth.borrow()
    ))?;
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks/measurements.md");
    let report = options.output.clone().or(complete.then_some(report));
    report.map_or(Ok(()), |path| report::write(&path, &bench, &figures))
}

/// Only growth compares sizes, and the bulk load makes the largest set itself.
fn prepare_sets(bench: &BenchEnvironment, reload: bool) -> anyhow::Result<()> {
    for size in bench.plan.sizes.iter().copied() {
        let is_largest = size == bench.size();
        if !is_largest && !bench.plan.wants(table::GROWTH.name)
            || is_largest && bench.plan.wants(table::BULK_LOAD.name)
        {
            continue;
        }
        if reload {
            prepare::load(bench, size)?;
        } else {
            prepare::ensure(bench, size)?;
        }
    }
    Ok(())
}

fn plan(options: &Options) -> Plan {
    let (sizes, turn, patience): (&[i64], _, _) = if options.quick {
        (
            &[10_000, 100_000],
            Duration::from_millis(700),
            Duration::from_secs(8),
        )
    } else {
        (
            &[10_000, 100_000, 1_000_000],
            Duration::from_secs(2),
            Duration::from_secs(40),
        )
    };
    Plan {
        engine: options.engine,
        sizes: if options.sizes.is_empty() {
            sizes.to_vec()
        } else {
            options.sizes.clone()
        },
        rounds: 5,
        turn,
        patience,
        command: command(options),
        only: options.only.clone(),
    }
}

fn command(options: &Options) -> String {
    let mut command = options.engine.command().to_owned();
    if options.quick {
        command.push_str(" QUICK=1");
    }
    if !options.only.is_empty() {
        command.push_str(" ONLY=");
        command.push_str(&options.only.join(","));
    }
    if !options.sizes.is_empty() {
        command.push_str(", other sizes");
    }
    command
}

/// A failing measurement only costs its own rows.
fn run(bench: &BenchEnvironment, measurement: &Measurement) -> Vec<Figure> {
    let wanted = |row: &&'static table::Row| bench.plan.wants(row.name);
    match (measurement.run)(bench) {
        Ok(figures) => figures
            .into_iter()
            .filter(|figure| wanted(&figure.row))
            .collect(),
        Err(error) => measurement
            .rows
            .iter()
            .copied()
            .filter(wanted)
            .map(|row| Figure::missing(row, format!("{error:#}")))
            .collect(),
    }
}

fn say(text: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{text}")
}
