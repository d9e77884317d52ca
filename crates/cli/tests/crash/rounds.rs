//! Clients write, something is killed, and everything is compared; again and again.

use std::sync::mpsc::channel;

use fastrand::Rng;
use rustix::process::Signal;
use serde_json::json;
use stockroom_testcluster::Direction;

use crate::client::Client;
use crate::database::Database;
use crate::model::{Kind, Log, Record};
use crate::process::Server;
use crate::verify::{Rows, Tally, check_now, verify};
use crate::worker::{Progress, Worker};

const ROUNDS: u32 = 20;
/// How many rounds the soak has.
const SOAK_ROUNDS: &str = "STOCKROOM_CRASH_ROUNDS";
const DEFAULT_SOAK_ROUNDS: u32 = 500;
/// Where its random choices begin.
const SOAK_SEED: &str = "STOCKROOM_CRASH_SEED";

const ROUNDS_PER_DATABASE: u32 = 50;
const WORKERS: u32 = 4;
/// The kill comes after fewer requests or answers.
const MOST_EVENTS: usize = 80;
/// More bytes than some writes take.
const MOST_BYTES: usize = 60_000;
/// Records of earlier rounds that are compared again in each round.
const SAMPLE: usize = 20;

#[test]
fn a_killed_server_keeps_what_it_acknowledged_on_sqlite() {
    run(Database::sqlite, 1, ROUNDS);
}

#[test]
fn a_killed_server_or_database_keeps_what_it_acknowledged_on_postgres() {
    run(Database::postgres, 1, ROUNDS);
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

fn soak_rounds() -> u32 {
    let rounds = std::env::var(SOAK_ROUNDS);
    rounds.map_or(DEFAULT_SOAK_ROUNDS, |text| text.parse().expect("a number"))
}

fn soak_seed() -> u64 {
    let seed = std::env::var(SOAK_SEED);
    seed.map_or(std::process::id().into(), |text| {
        text.parse().expect("a number")
    })
}

/// What is killed in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Server,
    /// Also while it starts again.
    ServerTwice,
    Database,
    Both,
    /// A connection breaks at some byte, and later the server is killed.
    Connection,
}

struct Stage {
    database: Database,
    /// `None` between a kill and the next start.
    server: Option<Server>,
    client: Client,
    /// Of the server that was killed last.
    log: String,
    seed: u64,
    random: Rng,
    /// Changes in the history.
    changes: u64,
    /// Records of earlier rounds.
    settled: Vec<Record>,
    total: Tally,
}

impl Stage {
    fn start(database: Database, seed: u64) -> Self {
        let server = Server::start(database.serve());
        Self {
            client: Client::admin(server.url()),
            changes: database.check().expect("a sound database"),
            database,
            server: Some(server),
            log: String::new(),
            seed,
            random: Rng::with_seed(seed),
            settled: Vec::new(),
            total: Tally::default(),
        }
    }

    fn round(&mut self, round: u32) {
        let victim = self.victim();
        let name = format!("r{round}.");
        let mut logs = self.write_until_killed(&name, victim);
        self.start_again(victim);
        let mut rows = Rows::read(&self.client, &name);
        let mut violations = Vec::new();
        for log in &mut logs {
            let tally = verify(&self.client, log, &mut rows);
            self.add(tally);
            violations.append(&mut log.violations);
        }
        violations.extend(rows.left());
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

    fn victim(&mut self) -> Victim {
        let victims = [
            Victim::Server,
            Victim::ServerTwice,
            Victim::Database,
            Victim::Both,
            Victim::Connection,
            Victim::Connection,
        ];
        let choices = match self.database {
            Database::Directory(_) => &victims[..2],
            Database::Cluster(..) => &victims,
        };
        choices[self.random.usize(..choices.len())]
    }

    /// Lets clients write until the victim is killed, and returns what they did.
    fn write_until_killed(&mut self, name: &str, victim: Victim) -> Vec<Log> {
        let (tell, progress) = channel();
        let workers = (0..WORKERS).map(|number| {
            let (random, client) = (self.random.fork(), self.client.clone());
            let worker = Worker::new(format!("{name}w{number}"), random, client, tell.clone());
            std::thread::spawn(move || worker.run())
        });
        let workers: Vec<_> = workers.collect();
        drop(tell);
        if victim == Victim::Connection {
            self.cut_a_connection();
        }
        // The moment of the kill: after so many requests or answers, and some work of the processor.
        let event = [Progress::Sent, Progress::Acknowledged][self.random.usize(..2)];
        let count = self.random.usize(1..MOST_EVENTS);
        let events = progress.iter().filter(|told| *told == event);
        assert_eq!(events.take(count).count(), count, "the clients ended");
        for _ in 0..self.random.u32(0..300_000) {
            std::hint::spin_loop();
        }
        self.kill(victim);
        let logs = workers.into_iter().map(std::thread::JoinHandle::join);
        logs.map(|log| log.expect("a worker that does not panic"))
            .collect()
    }

    /// A request to PostgreSQL or its answer is cut off, which may be those of a commit.
    fn cut_a_connection(&mut self) {
        let directions = [Direction::ToClient, Direction::ToServer];
        let direction = directions[self.random.usize(..2)];
        if let Database::Cluster(_, proxy) = &self.database {
            let bytes = self.random.usize(..MOST_BYTES);
            proxy.cut_after(direction, bytes).expect("a proxy");
        }
    }

    fn kill(&mut self, victim: Victim) {
        if let (Victim::Database | Victim::Both, Database::Cluster(cluster, _)) =
            (victim, &mut self.database)
        {
            cluster.kill().expect("a running database");
        }
        if victim != Victim::Database
            && let Some(server) = self.server.take()
        {
            server.signal(Signal::KILL);
            self.log = server.ended().err;
        }
    }

    /// What the server of this round logged.
    fn logged(&mut self) -> String {
        if let Some(server) = self.server.take() {
            server.signal(Signal::KILL);
            self.log += &server.ended().err;
        }
        std::mem::take(&mut self.log)
    }

    fn start_again(&mut self, victim: Victim) {
        if let (Victim::Database | Victim::Both, Database::Cluster(cluster, _)) =
            (victim, &mut self.database)
        {
            cluster.start().expect("a database that starts again");
        }
        if let Database::Cluster(_, proxy) = &self.database {
            proxy.pass().expect("a proxy");
        }
        if victim == Victim::ServerTwice {
            let mut starting = self.database.serve();
            starting.stdout(std::process::Stdio::null());
            starting.stderr(std::process::Stdio::null());
            let mut starting = starting.spawn().expect("the program");
            for _ in 0..self.random.u32(0..3_000_000) {
                std::hint::spin_loop();
            }
            starting.kill().expect("a child");
            starting.wait().expect("a child");
        }
        if self.server.is_none() {
            self.database.settle();
            let server = Server::start(self.database.serve());
            self.client = self.client.at(server.url());
            self.server = Some(server);
        }
        while self.client.get("/readyz").status != 200 {}
    }

    fn add(&mut self, tally: Tally) {
        self.changes += tally.changes;
        self.total.add(tally);
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
                Kind::Type => ("PATCH", Some(&label), Some(before.clone())),
                // A user may not have thousands of settings.
                Kind::Setting => ("DELETE", None, None),
                Kind::Object | Kind::Category => continue,
            };
            let answer = self.client.send("after", method, path, body);
            let answer = answer.expect("an answer");
            record.states.push(after.map(|mut view| {
                view["label"] = label["label"].clone();
                view
            }));
            self.changes += 1;
            let revision = answer.revision.unwrap_or_else(|| record.revision());
            if !(200..300).contains(&answer.status) || revision != record.revision() {
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
