//! Answers while the database is down, and recovery without help.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use stockroom_testcluster::{Cluster, Direction, Proxy, Settings, Stop};

use crate::client::{Answer, Client, objects_where};
use crate::inventory::{having, object_body, type_body};
use crate::node::Node;
use crate::waiting::eventually;

/// Much longer than any recovery should take.
const BOUND: Duration = Duration::from_secs(20);

/// More bytes than an insert with its commit takes.
const LONGEST_WRITE: usize = 16_000;
const SHORTEST_COMMIT: usize = 20;

/// A node with short timeouts, on a server behind a proxy.
struct Stage {
    admin: Client,
    type_id: i64,
    node: Node,
    proxy: Proxy,
    cluster: Cluster,
}

impl Stage {
    fn start() -> Self {
        let cluster = Cluster::create(&Settings::durable()).unwrap();
        let proxy = Proxy::start(cluster.address()).unwrap();
        // With one connection for writes, it is known which connection is used.
        let options = [
            "--database-connections=2",
            "--database-patience=1",
            "--database-statement-timeout=1",
        ];
        let node = Node::start(&cluster.url_at(proxy.address()), &options);
        let admin = Client::admin(&node);
        let type_id = admin.insert("/rest/types", &type_body("machine", 0));
        Self {
            admin,
            type_id,
            node,
            proxy,
            cluster,
        }
    }

    fn insert(&self, key: &str) -> Answer {
        let body = object_body(self.type_id, key, "nobody", 0);
        self.admin.post("/rest/objects", &body)
    }

    /// Sends a read and a write, whatever their outcome.
    fn try_both(&self) -> [Answer; 2] {
        [self.admin.get("/rest/objects"), self.insert("door")]
    }

    /// Waits until the node reads and writes again.
    fn recovers(&self) {
        println!("recovered after {:.1?}", self.is_well());
        let ready = || (self.admin.get("/readyz").status == 200).then_some(());
        eventually("the node to be ready", BOUND, ready);
    }

    /// Waits until a read and a write succeed, and returns how long that took.
    fn is_well(&self) -> Duration {
        let recovered = eventually("the node to recover", BOUND, || {
            let answers = self.try_both();
            answers.iter().for_each(answers_or_says_when);
            let is_well = answers.iter().all(|answer| answer.status == 200);
            is_well.then_some(())
        });
        recovered.1
    }

    /// Checks that counters and rows agree.
    fn check_counters(&self) {
        let list = self.admin.get("/rest/objects?limit=0");
        let rows = list.body["results"].as_array().unwrap().len();
        assert_eq!(list.total, Some(rows));
        let counted = self.cluster.query("SELECT SUM(total) FROM object_count");
        assert_eq!(counted.unwrap(), rows.to_string());
    }
}

/// Allows success and a 503 with `Retry-After`, but no internal error.
#[track_caller]
fn answers_or_says_when(answer: &Answer) {
    let is_fine = answer.status == 200 || is_unavailable(answer);
    assert!(is_fine, "{answer:?}");
}

fn is_unavailable(answer: &Answer) -> bool {
    answer.status == 503 && answer.retry_after.is_some() && answer.body["status"] == 503
}

#[test]
fn requests_are_put_off_while_the_server_is_away_and_answered_when_it_is_back() {
    let mut stage = Stage::start();
    stage.cluster.stop(Stop::Fast).unwrap();
    let began = Instant::now();
    for answer in stage.try_both() {
        assert!(is_unavailable(&answer), "{answer:?}");
        let detail = answer.body["detail"].to_string();
        assert!(
            detail.contains("the database cannot be reached"),
            "{detail}"
        );
    }
    println!("two requests refused after {:.1?}", began.elapsed());
    let ready = stage.admin.get("/readyz");
    assert_eq!((ready.status, ready.retry_after), (503, Some(1)));
    assert_eq!(stage.admin.get("/healthz").status, 200);
    stage.cluster.start().unwrap();
    stage.recovers();
    stage.check_counters();
}

#[test]
fn a_restart_under_load_is_never_a_fault() {
    let mut stage = Stage::start();
    let (is_over, type_id) = (AtomicBool::new(false), stage.type_id);
    let answered = AtomicUsize::new(0);
    let clients: Vec<Client> = (0..4).map(|_| Client::admin(&stage.node)).collect();
    let cluster = &mut stage.cluster;
    std::thread::scope(|threads| {
        for (number, client) in clients.iter().enumerate() {
            let (is_over, answered) = (&is_over, &answered);
            threads.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let body = object_body(type_id, "door", "nobody", 0);
                    let answer = if number % 2 == 0 {
                        client.post("/rest/objects", &body)
                    } else {
                        client.get("/rest/objects?limit=5")
                    };
                    answers_or_says_when(&answer);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for fault in [restart, end_connections, crash] {
            let before = answered.load(Ordering::Relaxed);
            eventually("requests to be answered", BOUND, || {
                (answered.load(Ordering::Relaxed) > before + 50).then_some(())
            });
            fault(cluster);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    println!("{answered:?} requests answered");
    stage.recovers();
    stage.check_counters();
}

fn restart(cluster: &mut Cluster) {
    cluster.restart().unwrap();
}

fn end_connections(cluster: &mut Cluster) {
    cluster.terminate_connections().unwrap();
}

fn crash(cluster: &mut Cluster) {
    cluster.kill().unwrap();
    cluster.start().unwrap();
}

#[test]
fn a_write_that_is_cut_off_is_done_or_not_done() {
    let stage = Stage::start();
    // A commit that did not reach the server was not done; one whose confirmation was lost was
    // done.
    for (direction, doubtful) in [(Direction::ToServer, 0), (Direction::ToClient, 1)] {
        let mut ends = BTreeSet::new();
        // From the first byte of a write to the end of its commit.
        let mut cuts = (0..LONGEST_WRITE).step_by(SHORTEST_COMMIT);
        while !ends.contains(&(503, doubtful)) {
            let bytes = cuts.next().expect("a cut that leads to doubt");
            ends.insert(cut_off(&stage, direction, bytes));
        }
        println!("{direction:?}: answers and objects {ends:?}");
        // A write that was cut off before its commit is repeated on another connection.
        assert!(ends.contains(&(200, 1)), "{ends:?}");
    }
    stage.check_counters();
}

/// Inserts an object on a connection that breaks after this many bytes. Returns the status of the
/// insert, and how many such objects exist then.
fn cut_off(stage: &Stage, direction: Direction, bytes: usize) -> (u16, usize) {
    // With all statements prepared on the connection, only the write's own bytes count.
    stage.is_well();
    let key = format!("{direction:?} {bytes}");
    stage.proxy.cut_after(direction, bytes).unwrap();
    let answer = stage.insert(&key);
    stage.proxy.pass().unwrap();
    answers_or_says_when(&answer);
    stage.is_well();
    let rows = stage.admin.get(&objects_where(&having("key", &key), ""));
    let found = rows.body["results"].as_array().unwrap().len();
    let is_whole = if answer.status == 200 {
        found == 1
    } else {
        found <= 1
    };
    assert!(is_whole, "{key}: {answer:?}, then {rows:?}");
    (answer.status, found)
}

#[test]
fn nobody_waits_for_ever_on_a_connection_that_says_nothing() {
    let stage = Stage::start();
    stage.proxy.stall().unwrap();
    let began = Instant::now();
    for answer in stage.try_both() {
        assert!(is_unavailable(&answer), "{answer:?}");
    }
    let took = began.elapsed();
    println!("two requests refused after {took:.1?}");
    assert!(took < BOUND, "{took:?}");
    stage.proxy.pass().unwrap();
    stage.recovers();
    stage.check_counters();
}

#[test]
fn a_host_that_is_frozen_does_not_hide_the_next_one() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let [frozen, sound] = [(), ()].map(|()| Proxy::start(cluster.address()).unwrap());
    frozen.stall().unwrap();
    let hosts = format!("{},{}", frozen.address(), sound.address());
    let url = cluster
        .url()
        .replace(&cluster.address().to_string(), &hosts);
    let began = Instant::now();
    let node = Node::start(
        &url,
        &["--database-connect-timeout=1", "--database-patience=10"],
    );
    println!("started after {:.1?}", began.elapsed());
    assert_eq!(Client::admin(&node).get("/rest/users").status, 200);
}
