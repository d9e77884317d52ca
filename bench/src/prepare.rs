//! The data sets. They are kept as long as generator and schema do not change.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use stockroom_auth::{Clock as _, SystemClock, SystemEntropy};
use stockroom_service::bootstrap::Secrets;
use stockroom_service::{Config, Service};
use stockroom_store::{Dialect, Location, Store};

use crate::data::{self, Spread};
use crate::environment::{self, BenchEnvironment};
use crate::process::{Cores, Watched, on_all_cores};

/// The cost of loading a data set.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Loaded {
    pub(crate) seconds: f64,
    /// Peak `RssAnon` in bytes.
    pub(crate) peak: u64,
}

/// Identifies the data in a data set.
#[derive(Deserialize, PartialEq, Serialize)]
struct Stamp {
    generator: u32,
    schema: String,
}

impl Stamp {
    fn of_this_build(dialect: Dialect) -> Self {
        Self {
            generator: data::VERSION,
            schema: stockroom_store::schema(dialect),
        }
    }
}

/// Makes a data set unless it exists.
pub(crate) fn ensure(bench: &BenchEnvironment, size: i64) -> anyhow::Result<()> {
    let stamp = fs::read(stamp_path(bench, size)).ok();
    let stamp: Option<Stamp> = stamp.and_then(|text| serde_json::from_slice(&text).ok());
    if stamp == Some(Stamp::of_this_build(bench.plan.engine.dialect())) {
        return Ok(());
    }
    load(bench, size).map(drop)
}

/// Makes a data set and replaces an existing one.
pub(crate) fn load(bench: &BenchEnvironment, size: i64) -> anyhow::Result<Loaded> {
    let _ = fs::remove_file(stamp_path(bench, size));
    let data = bench.empty_set(size)?;
    if let Location::Server(_) = data {
        bench.postgres()?.move_to(Cores::All)?;
    }
    let loaded = load_into(bench, &data, size)?;
    if let Location::Server(_) = data {
        let postgres = bench.postgres()?;
        postgres.settle(&environment::set(size))?;
        postgres.move_to(Cores::Other)?;
    }
    let stamp = Stamp::of_this_build(bench.plan.engine.dialect());
    fs::write(stamp_path(bench, size), serde_json::to_vec(&stamp)?)?;
    Ok(loaded)
}

/// Fills an empty location.
pub(crate) fn load_into(
    bench: &BenchEnvironment,
    data: &Location,
    objects: i64,
) -> anyhow::Result<Loaded> {
    let mut command = on_all_cores(&bench.own_program);
    command.args(["load", "--objects", &objects.to_string()]);
    let (mut loader, mut output) = Watched::start(environment::on(data, &mut command))?;
    let mut seconds = String::new();
    output.read_to_string(&mut seconds)?;
    let peak = loader.wait().context("loading failed")?;
    Ok(Loaded {
        seconds: seconds.trim().parse().context("the loader gave no time")?,
        peak,
    })
}

fn stamp_path(bench: &BenchEnvironment, size: i64) -> PathBuf {
    match bench.data(size) {
        Location::Directory(data) => data.with_file_name("stamp.json"),
        Location::Server(_) => bench
            .folder
            .join(format!("{}.json", environment::set(size))),
    }
}

/// The loader, which runs in its own process to measure its memory. It fills an empty location and
/// prints the seconds that this took.
pub(crate) fn run_load(location: &Location, objects: i64, spread: Spread) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let elapsed = runtime.block_on(fill(location, objects, spread))?;
    writeln!(std::io::stdout(), "{}", elapsed.as_secs_f64())?;
    Ok(())
}

/// Loads through the same use cases as any client. The time includes closing, which makes
/// everything durable.
async fn fill(location: &Location, objects: i64, spread: Spread) -> anyhow::Result<Duration> {
    let store = Store::open_at(location, SystemClock.now())?;
    let secrets = Secrets {
        admin_password: Some("only for measuring".to_owned()),
        master_key: None,
    };
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    let started = Service::start(store, Config::default(), secrets, clock, entropy).await?;
    let began = Instant::now();
    started
        .service
        .load(|| data::records(objects, spread))
        .await?;
    started.service.close().await?;
    Ok(began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_service_takes_every_body() {
        // Enough objects for some to have references.
        let objects = data::FIRST_WITH_REFERENCES + 40;
        for (spread, of_first) in [(Spread::Even, objects), (Spread::One, objects - 40)] {
            let directory = tempfile::tempdir().unwrap();
            let location = Location::Directory(directory.path().to_owned());
            fill(&location, objects, spread).await.unwrap();
            let count = Store::peek(&location, |tx| {
                let group = stockroom_model::GroupId::new(1).unwrap();
                let scope = tx.catalog().scope(group);
                let kind = stockroom_model::TypeId::new(1).unwrap();
                tx.count_objects_of_type(&scope, kind)
            });
            assert_eq!(count.unwrap(), of_first / data::TYPES);
        }
    }
}
