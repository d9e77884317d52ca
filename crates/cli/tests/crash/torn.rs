//! SQLite's log ends in the middle of a write, as after a loss of power.
//!
//! With `synchronous=FULL` a commit is synced before it is acknowledged, so what is torn was not
//! acknowledged. A log that was damaged further back has lost acknowledged writes, and the start is
//! refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use fastrand::Rng;
use rustix::process::Signal;
use tempfile::{TempDir, tempdir};

use crate::client::Client;
use crate::database::Database;
use crate::jobs;
use crate::model::Log;
use crate::process::{Server, run};
use crate::verify::{Rows, verify};
use crate::worker::Worker;

const DATABASE: &str = "stockroom.db";
const LOG: &str = "stockroom.db-wal";
const HIGH_WATER: &str = "stockroom.state";

const WRITES: usize = 40;
/// Damaged copies of each kind.
const COPIES: usize = 5;

/// A killed server's files, and what they were after each acknowledged write.
struct Killed {
    data: TempDir,
    log: Log,
    client: Client,
    moments: Vec<Moment>,
}

/// Right after a write was acknowledged.
struct Moment {
    acknowledged: usize,
    log_length: usize,
    high_water: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
enum Damage {
    /// The file ends there.
    Truncated,
    /// The file has its length, but the rest was not written.
    Zeros,
    /// A bit is wrong.
    Flipped,
}

const DAMAGES: [Damage; 3] = [Damage::Truncated, Damage::Zeros, Damage::Flipped];

impl Killed {
    fn after_writes(random: &mut Rng) -> Self {
        let data = tempdir().unwrap();
        let database = Database::Directory(data);
        let server = Server::start(database.serve());
        let Database::Directory(data) = database else {
            unreachable!()
        };
        let client = Client::admin(server.url());
        let (tell, _progress) = channel();
        let mut worker = Worker::new("torn.w0".to_owned(), random.fork(), client.clone(), tell);
        let mut moments = Vec::new();
        assert!(worker.begin().is_ok());
        while moments.len() < WRITES {
            assert!(worker.step().is_ok(), "{:?}", worker.log.violations);
            moments.push(Moment {
                acknowledged: worker.log.writes.len(),
                log_length: fs::read(data.path().join(LOG)).unwrap().len(),
                high_water: fs::read(data.path().join(HIGH_WATER)).unwrap(),
            });
        }
        // Some steps have nothing to do.
        moments.dedup_by_key(|moment| moment.log_length);
        server.signal(Signal::KILL);
        server.ended();
        Self {
            data,
            log: worker.log,
            client,
            moments,
        }
    }

    /// A copy of the files whose log has `length` bytes and is damaged at `place`.
    fn copy(&self, damage: Damage, place: usize, length: usize, high_water: &[u8]) -> Database {
        let mut bytes = fs::read(self.data.path().join(LOG)).unwrap();
        bytes.truncate(length);
        match damage {
            Damage::Truncated => bytes.truncate(place),
            Damage::Zeros => bytes[place..].fill(0),
            Damage::Flipped => bytes[place] ^= 1,
        }
        let copy = tempdir().unwrap();
        fs::set_permissions(copy.path(), Permissions::from_mode(0o700)).unwrap();
        // The index of the log is rebuilt, as on another machine.
        fs::copy(self.path(DATABASE), copy.path().join(DATABASE)).unwrap();
        write(copy.path(), LOG, &bytes);
        write(copy.path(), HIGH_WATER, high_water);
        Database::Directory(copy)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.data.path().join(name)
    }

    /// Starts a server on a copy, and expects the first writes.
    fn expect(&self, copy: &Database, acknowledged: usize, what: &str) {
        let server = Server::start(copy.serve());
        let client = self.client.at(server.url());
        let mut log = self.log.after(acknowledged);
        jobs::finish(&client);
        let mut rows = Rows::read(&client, "torn.");
        let tally = verify(&client, &mut log, &mut rows);
        log.violations.extend(rows.left());
        log.violations.extend(copy.check().err());
        assert_eq!(log.violations, Vec::<String>::new(), "{what}");
        assert_eq!(tally.acknowledged, acknowledged, "{what}");
        server.stopped();
    }
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn a_torn_end_of_the_log_costs_nothing_that_was_acknowledged() {
    let mut random = Rng::with_seed(1);
    let killed = Killed::after_writes(&mut random);
    for damage in DAMAGES {
        for _ in 0..COPIES {
            let index = random.usize(..killed.moments.len() - 1);
            let (before, next) = (&killed.moments[index], &killed.moments[index + 1]);
            let place = random.usize(before.log_length..next.log_length);
            let copy = killed.copy(damage, place, next.log_length, &before.high_water);
            let what = format!("{damage:?} at {place} after {} writes", before.acknowledged);
            killed.expect(&copy, before.acknowledged, &what);
        }
    }
}

#[test]
fn a_log_that_lost_acknowledged_writes_is_refused() {
    let mut random = Rng::with_seed(2);
    let killed = Killed::after_writes(&mut random);
    let newest = killed.moments.last().unwrap();
    for damage in DAMAGES {
        let index = random.usize(..killed.moments.len() - 1);
        let (before, next) = (&killed.moments[index], &killed.moments[index + 1]);
        let place = random.usize(before.log_length..next.log_length);
        let length = newest.log_length;
        let copy = killed.copy(damage, place, length, &newest.high_water);
        let refused = run(&mut copy.serve()).failed();
        assert!(refused.contains("acknowledged"), "{damage:?}: {refused}");
        // Without the mark nothing is known to be lost; what is left is sound.
        let Database::Directory(folder) = &copy else {
            unreachable!()
        };
        fs::remove_file(folder.path().join(HIGH_WATER)).unwrap();
        let what = format!("{damage:?} at {place}");
        killed.expect(&copy, before.acknowledged, &what);
    }
}
