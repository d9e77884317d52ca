//! A server with its database, clients that write, and what is killed.

use std::sync::mpsc::channel;

use fastrand::Rng;
use rustix::process::Signal;
use stockroom_testcluster::Direction;

use crate::client::Client;
use crate::crowd::Crowd;
use crate::database::Database;
use crate::model::{Log, Record};
use crate::process::Server;
use crate::verify::Tally;
use crate::worker::{Progress, Worker};

const WORKERS: u32 = 4;
/// The kill comes after fewer requests or answers.
const MOST_EVENTS: usize = 80;
/// More bytes than some writes take.
const MOST_BYTES: usize = 60_000;

/// What is killed in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Victim {
    Server,
    /// Also while it starts again.
    ServerTwice,
    Database,
    Both,
    /// A connection breaks at some byte, and later the server is killed.
    Connection,
}

pub(crate) struct Stage {
    pub(crate) database: Database,
    /// `None` between a kill and the next start.
    server: Option<Server>,
    pub(crate) client: Client,
    /// Of the server that was killed last.
    log: String,
    pub(crate) seed: u64,
    pub(crate) random: Rng,
    /// Changes in the history.
    pub(crate) changes: u64,
    /// Records of earlier rounds.
    pub(crate) settled: Vec<Record>,
    pub(crate) total: Tally,
    pub(crate) crowd: Crowd,
}

impl Stage {
    pub(crate) fn start(database: Database, seed: u64) -> Self {
        let server = Server::start(database.serve());
        let client = Client::admin(server.url());
        Self {
            crowd: Crowd::make(&client),
            client,
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

    pub(crate) fn victim(&mut self) -> Victim {
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
    pub(crate) fn write_until_killed(&mut self, name: &str, victim: Victim) -> Vec<Log> {
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
    pub(crate) fn logged(&mut self) -> String {
        if let Some(server) = self.server.take() {
            server.signal(Signal::KILL);
            self.log += &server.ended().err;
        }
        std::mem::take(&mut self.log)
    }

    pub(crate) fn start_again(&mut self, victim: Victim) {
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
            self.database.free_leases();
            let server = Server::start(self.database.serve());
            self.client = self.client.at(server.url());
            self.server = Some(server);
        }
        while self.client.get("/readyz").status != 200 {}
    }
}
