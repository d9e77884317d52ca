//! Three nodes under load on a primary with a replica, while nodes and primaries are killed.

use std::time::{Duration, Instant};

use stockroom_testcluster::{Cluster, Direction, Ending};

use crate::checker::check;
use crate::client::Client;
use crate::load::Load;
use crate::node::Node;
use crate::pair::Pair;
use crate::waiting::{PATIENCE, eventually};

/// How many requests each node answers between two faults; that takes some seconds.
const ANSWERS: usize = 500;

/// How long the soak runs.
const SECONDS: &str = "STOCKROOM_SOAK_SECONDS";
const DEFAULT_SECONDS: u64 = 60;

#[test]
fn three_nodes_lose_nothing_when_a_node_and_the_primary_die() {
    let mut stage = Stage::start();
    for fault in [kill_node, end_connections, fail_over] {
        stage.go_on("working");
        fault(&mut stage);
    }
    stage.go_on("after the last fault");
    stage.finish();
}

/// `make soak`
#[test]
#[ignore = "takes a minute and more"]
fn three_nodes_lose_nothing_whatever_happens_again_and_again() {
    let seconds = std::env::var(SECONDS).map_or(DEFAULT_SECONDS, |text| {
        text.parse().expect("a number of seconds")
    });
    let faults: [fn(&mut Stage); 9] = [
        kill_node,
        end_connections,
        fail_over,
        drop_connections,
        cut_a_commit,
        stall,
        restart_primary,
        cut_a_request,
        crash_primary,
    ];
    let began = Instant::now();
    let mut stage = Stage::start();
    for fault in faults.iter().cycle() {
        if began.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        stage.go_on("working");
        fault(&mut stage);
    }
    stage.go_on("after the last fault");
    stage.finish();
}

struct Stage {
    pair: Pair,
    nodes: Vec<Node>,
    load: Load,
    /// Which node to kill next.
    next: usize,
}

impl Stage {
    fn start() -> Self {
        let pair = Pair::start();
        let url = pair.url();
        let options = ["--database-statement-timeout", "3"];
        let nodes: Vec<Node> = (0..3).map(|_| Node::start(&url, &options)).collect();
        let load = Load::start(&nodes);
        Self {
            pair,
            nodes,
            load,
            next: 0,
        }
    }

    /// Waits until every node has answered for a while.
    fn go_on(&self, what: &str) {
        let began = Instant::now();
        let first = self.load.go_on(ANSWERS);
        println!(
            "{what}: first answers after {first:.1?}, {ANSWERS} of each node after {:.1?}",
            began.elapsed()
        );
    }

    /// Stops the load and checks the state of every node against the acknowledged writes.
    fn finish(self) {
        let Self {
            pair, nodes, load, ..
        } = self;
        let shared = load.shared();
        let logs = load.stop();
        let clients: Vec<Client> = nodes.iter().map(Client::admin).collect();
        for client in &clients {
            let is_ready = || (client.get("/readyz").status == 200).then_some(());
            eventually("a node to be ready", PATIENCE, is_ready);
        }
        let mut violations = check(&clients, &shared, &logs);
        violations.extend(wrong_counters(pair.primary()));
        // Every node shows the same violation.
        violations.sort();
        violations.dedup();
        let written: usize = logs.iter().map(|log| log.objects.len()).sum();
        let answered: usize = logs.iter().map(|log| log.answered).sum();
        let doubted: usize = logs.iter().map(|log| log.doubted).sum();
        println!("{written} objects inserted, {answered} requests answered, {doubted} not");
        drop(clients);
        let logged: Vec<String> = nodes.into_iter().map(Node::stop).collect();
        assert!(
            violations.is_empty(),
            "{violations:#?}\n{}",
            logged.join("\n-----\n")
        );
    }
}

fn kill_node(stage: &mut Stage) {
    let node = stage.next % stage.nodes.len();
    stage.next += 1;
    stage.nodes[node].kill();
    stage.nodes[node].start_again();
    println!("node {node} was killed and started again");
}

fn end_connections(stage: &mut Stage) {
    stage.pair.primary().terminate_connections().unwrap();
    println!("the server ended all connections");
}

fn fail_over(stage: &mut Stage) {
    stage.pair.fail_over();
    println!("the primary was killed, its replica promoted");
    stage.go_on("after the failover");
    stage.pair.rebuild();
    println!("there is a new replica");
}

fn drop_connections(stage: &mut Stage) {
    for ending in [Ending::Reset, Ending::Finish] {
        stage.pair.proxy().drop_connections(ending).unwrap();
    }
    println!("all connections were reset");
}

fn cut_a_commit(stage: &mut Stage) {
    let proxy = stage.pair.proxy();
    proxy.cut_after(Direction::ToClient, 0).unwrap();
    println!("an answer was lost");
}

fn cut_a_request(stage: &mut Stage) {
    let proxy = stage.pair.proxy();
    proxy.cut_after(Direction::ToServer, 1_000).unwrap();
    println!("a request was cut off");
}

fn stall(stage: &mut Stage) {
    stage.pair.proxy().stall().unwrap();
    stage.load.until_doubt(usize::MAX);
    stage.pair.proxy().pass().unwrap();
    println!("the network had lost everything until somebody noticed");
}

fn restart_primary(stage: &mut Stage) {
    stage.pair.primary_mut().restart().unwrap();
    println!("the primary was restarted");
}

fn crash_primary(stage: &mut Stage) {
    let primary = stage.pair.primary_mut();
    primary.kill().unwrap();
    primary.start().unwrap();
    println!("the primary was killed and started again");
}

/// Differences between counters and rows.
fn wrong_counters(primary: &Cluster) -> Vec<String> {
    let counted = "SELECT type_id, SUM(total), SUM(active), SUM(irregular) FROM object_count GROUP BY type_id \
         HAVING SUM(total) > 0 ORDER BY type_id";
    let actual = "SELECT type_id, COUNT(*), SUM(active), \
         (SELECT COUNT(*) FROM object_irregular AS irregular WHERE irregular.type_id = object.type_id) \
         FROM object GROUP BY type_id ORDER BY type_id";
    let (counted, actual) = (
        primary.query(counted).unwrap(),
        primary.query(actual).unwrap(),
    );
    if counted == actual {
        Vec::new()
    } else {
        vec![format!("counters say {counted:?}, rows {actual:?}")]
    }
}
