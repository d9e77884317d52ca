//! Clients write, something is killed, and everything is compared; again and again.

use serde_json::json;

use crate::client::Request;
use crate::crowd::CROWD;
use crate::database::Database;
use crate::model::{Kind, Log};
use crate::stage::Stage;
use crate::verify::{Rows, Tally, check_now, verify};
use crate::{jobs, repeats};

const ROUNDS: u32 = 20;
/// A database server takes several seconds to recover; the soak has all rounds of it.
const ROUNDS_ON_POSTGRES: u32 = 10;
/// How many rounds the soak has.
const SOAK_ROUNDS: &str = "STOCKROOM_CRASH_ROUNDS";
const DEFAULT_SOAK_ROUNDS: u32 = 500;
/// Where its random choices begin.
const SOAK_SEED: &str = "STOCKROOM_CRASH_SEED";

const ROUNDS_PER_DATABASE: u32 = 50;
/// Records of earlier rounds that are compared again in each round.
const SAMPLE: usize = 20;

#[test]
fn a_killed_server_keeps_what_it_acknowledged_on_sqlite() {
    run(Database::sqlite, 1, ROUNDS);
}

#[test]
fn a_killed_server_or_database_keeps_what_it_acknowledged_on_postgres() {
    run(Database::postgres, 1, ROUNDS_ON_POSTGRES);
}

/// `make soak`
#[test]
#[ignore = "takes many minutes"]
fn killed_again_and_again_on_sqlite() {
    run(Database::sqlite, soak_seed(), soak_rounds());
}

/// `make soak`
#[test]
#[ignore = "takes many minutes"]
fn killed_again_and_again_on_postgres() {
    run(Database::postgres, soak_seed(), soak_rounds());
}

/// Runs rounds on one database after another: each round leaves types behind, which all later ones
/// must load.
fn run(database: fn() -> Database, seed: u64, rounds: u32) {
    let mut total = Tally::default();
    for first in (1..=rounds).step_by(ROUNDS_PER_DATABASE as usize) {
        let mut stage = Stage::start(database(), seed + u64::from(first));
        let last = rounds.min(first + ROUNDS_PER_DATABASE - 1);
        for round in first..=last {
            stage.round(round);
        }
        total.add(stage.total);
        println!("seed {seed}, {last} rounds: {total}");
    }
}

pub(crate) fn soak_rounds() -> u32 {
    let rounds = std::env::var(SOAK_ROUNDS);
    rounds.map_or(DEFAULT_SOAK_ROUNDS, |text| text.parse().expect("a number"))
}

pub(crate) fn soak_seed() -> u64 {
    let seed = std::env::var(SOAK_SEED);
    seed.map_or(std::process::id().into(), |text| {
        text.parse().expect("a number")
    })
}

impl Stage {
    fn round(&mut self, round: u32) {
        let victim = self.victim();
        let name = format!("r{round}.");
        let crowd_job = (self.random.u32(0..3) == 0).then(|| format!("{name}crowd"));
        if let Some(job) = &crowd_job {
            self.crowd.change(&self.client, job);
        }
        let mut logs = self.write_until_killed(&name, victim);
        self.start_again(victim);
        for log in &mut logs {
            self.total.add(repeats::send_lost_again(&self.client, log));
            repeats::send_known_again(&self.client, log);
        }
        jobs::finish(&self.client);
        let mut violations = self.compare(&mut logs, &name, crowd_job.as_deref());
        for log in &mut logs {
            violations.extend(self.go_on(log));
        }
        violations.extend(self.check_database());
        violations.extend(self.check_settled());
        let seed = self.seed;
        assert!(
            violations.is_empty(),
            "seed {seed}, round {round}, {victim:?} killed: {violations:#?}\n{}",
            self.logged()
        );
        let records = logs.into_iter().flat_map(|log| log.records);
        self.settled
            .extend(records.filter(|record| record.path.is_some()));
    }

    /// Compares what the clients were told with what is there.
    fn compare(&mut self, logs: &mut [Log], name: &str, crowd_job: Option<&str>) -> Vec<String> {
        let mut rows = Rows::read(&self.client, name);
        let mut violations = Vec::new();
        if let Some(job) = crowd_job {
            violations.extend(self.crowd.check_rows(&mut rows, job));
            violations.extend(self.crowd.check(&self.client));
            self.changes += CROWD as u64;
        }
        for log in logs {
            let tally = verify(&self.client, log, &mut rows);
            self.changes += tally.changes;
            self.total.add(tally);
            violations.append(&mut log.violations);
        }
        violations.extend(rows.left());
        violations
    }

    /// The revisions of a worker's type and setting continue after the crash.
    fn go_on(&mut self, log: &mut Log) -> Vec<String> {
        let label = json!({"label": "after the crash"});
        let mut wrong = Vec::new();
        for record in &mut log.records {
            let (Some(path), Some(before)) = (&record.path, record.now()) else {
                continue;
            };
            let (method, body, after) = match record.kind {
                Kind::Type => ("PATCH", Some(label.clone()), Some(before.clone())),
                // A user may not have thousands of settings.
                Kind::Setting => ("DELETE", None, None),
                _ => continue,
            };
            let request = Request::new("after", method, path, body);
            let answer = self.client.send(&request).expect("an answer");
            record.states.push(after.map(|mut view| {
                view["label"] = label["label"].clone();
                view
            }));
            self.changes += 1;
            let revision = answer.revision.unwrap_or_else(|| record.revision());
            if !answer.is_success() || revision != record.revision() {
                wrong.push(format!("{answer:?} after {record:?}"));
            }
        }
        wrong
    }

    /// Nothing is damaged, and no change of this or an earlier round is lost.
    fn check_database(&self) -> Option<String> {
        match self.database.check() {
            Ok(changes) if changes == self.changes => None,
            Ok(changes) => Some(format!("{changes} changes instead of {}", self.changes)),
            Err(problems) => Some(problems),
        }
    }

    fn check_settled(&mut self) -> Vec<String> {
        let count = SAMPLE.min(self.settled.len());
        let sample = (0..count).map(|_| self.random.usize(..self.settled.len()));
        let sample: Vec<usize> = sample.collect();
        let wrong = sample
            .into_iter()
            .filter_map(|index| check_now(&self.client, &self.settled[index]));
        wrong.collect()
    }
}
