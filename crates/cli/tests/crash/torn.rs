//! SQLite's log ends in the middle of a write, as after a loss of power.
//!
//! With `synchronous=FULL` a commit is synced before it is acknowledged, so what is torn was not
//! acknowledged. A log that was damaged further back has lost acknowledged writes, and the start is
//! refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
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

/// What the files of a server were after each acknowledged write, until its log began again.
struct Killed {
    log: Log,
    client: Client,
    moments: Vec<Moment>,
}

/// Right after a write was acknowledged.
struct Moment {
    acknowledged: usize,
    /// A checkpoint may have copied some of the log to it.
    database: Vec<u8>,
    log: Vec<u8>,
    high_water: Vec<u8>,
}

impl Moment {
    fn read(data: &TempDir, acknowledged: usize) -> Self {
        let read = |name| fs::read(data.path().join(name)).unwrap();
        Self {
            acknowledged,
            database: read(DATABASE),
            log: read(LOG),
            high_water: read(HIGH_WATER),
        }
    }
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
        let mut moments: Vec<Moment> = Vec::new();
        assert!(worker.begin().is_ok());
        while moments.len() < WRITES {
            assert!(worker.step().is_ok(), "{:?}", worker.log.violations);
            let moment = Moment::read(&data, worker.log.writes.len());
            let last = moments.last();
            if last.is_some_and(|last| !moment.log.starts_with(&last.log)) {
                break;
            }
            moments.push(moment);
        }
        // Some steps have nothing to do.
        moments.dedup_by_key(|moment| moment.log.len());
        assert!(moments.len() > 5, "{} moments", moments.len());
        server.signal(Signal::KILL);
        server.ended();
        Self {
            log: worker.log,
            client,
            moments,
        }
    }

    /// The files of a moment with a later log, which is damaged at `place`.
    fn copy(before: &Moment, later: &Moment, damage: Damage, place: usize) -> TempDir {
        let mut bytes = later.log.clone();
        match damage {
            Damage::Truncated => bytes.truncate(place),
            Damage::Zeros => bytes[place..].fill(0),
            Damage::Flipped => bytes[place] ^= 1,
        }
        let copy = tempdir().unwrap();
        fs::set_permissions(copy.path(), Permissions::from_mode(0o700)).unwrap();
        // The index of the log is rebuilt, as on another machine.
        write(copy.path(), DATABASE, &before.database);
        write(copy.path(), LOG, &bytes);
        copy
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
            let place = random.usize(before.log.len()..next.log.len());
            let copy = Killed::copy(before, next, damage, place);
            write(copy.path(), HIGH_WATER, &before.high_water);
            let what = format!("{damage:?} at {place} after {} writes", before.acknowledged);
            killed.expect(&Database::Directory(copy), before.acknowledged, &what);
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
        let place = random.usize(before.log.len()..next.log.len());
        let copy = Killed::copy(before, newest, damage, place);
        write(copy.path(), HIGH_WATER, &newest.high_water);
        let mark = copy.path().join(HIGH_WATER);
        let copy = Database::Directory(copy);
        let refused = run(&mut copy.serve()).failed();
        assert!(refused.contains("acknowledged"), "{damage:?}: {refused}");
        // Without the mark nothing is known to be lost; what is left is sound.
        fs::remove_file(mark).unwrap();
        let what = format!("{damage:?} at {place}");
        killed.expect(&copy, before.acknowledged, &what);
    }
}
