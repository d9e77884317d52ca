//! The tests: a random sequence, then every property of the past.

use stockroom_testkit::{Engine, apply, both};

use crate::world::World;

/// Set this variable to try another sequence, or a failing one again.
const SEED: &str = "STOCKROOM_HISTORY_SEED";
const STEPS: usize = 100;

/// Names the seed if the test fails.
struct Seed(u64);

impl Seed {
    fn new(default: u64) -> Self {
        let set = std::env::var(SEED).ok();
        Self(set.map_or(default, |text| text.parse().unwrap()))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{SEED}={}", self.0);
        }
    }
}

async fn run(engine: Engine, default: u64) {
    let seed = Seed::new(default);
    let mut world = World::start(engine, seed.0).await;
    for number in 0..STEPS {
        world.step(number).await;
    }
    world.check_everything().await;
    world.check_histories().await;
    world.check_revisions().await;
    world.check_past().await;
}

#[apply(both)]
async fn the_past_is_exact_after_any_writes(engine: Engine) {
    run(engine, 1).await;
}
