//! Compares lists with the evaluator, and the index with one rebuilt from the documents.

mod aggregates;
mod corpus;
mod expected;
mod histories;
mod inventory;
mod jumps;
mod limited_reads;
mod lists;
mod old_documents;
mod own_writes;
mod queries;
mod recording;
mod statements;
pub(crate) mod test_database;
mod values;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// If set to a number, it seeds far more cases than a build has time for.
const SOAK: &str = "STOCKROOM_SOAK";
const SEED: u64 = 20_240_229;
const SOAK_FACTOR: u32 = 40;

/// The same cases in every run, unless [`SOAK`] is set.
fn config(cases: u32) -> ProptestConfig {
    let soak = std::env::var(SOAK)
        .ok()
        .and_then(|seed| seed.parse::<u64>().ok());
    ProptestConfig {
        cases: soak.map_or(cases, |_| cases * SOAK_FACTOR),
        rng_seed: RngSeed::Fixed(soak.unwrap_or(SEED)),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    }
}
