//! Jobs of nodes that go away, and of nodes that work at the same time.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stockroom_service::background::ObjectJobs;
use stockroom_testcluster::Cluster;
use stockroom_testkit::{Client, Setup, TestServer};

use crate::fixture::{cluster, network, node, run};

const JOBS: &str = "/rest/objects/jobs";
/// More than two chunks.
const MANY: i64 = 1_001;
const CHUNK: i64 = 500;
const TYPE: i64 = 7;
/// Longer than a node that gives no signs of life keeps a job.
const LEASE: Duration = Duration::from_secs(13);
const BOUND: Duration = Duration::from_secs(10);
/// As if no node had given a sign of life for a while.
const SILENCE: &str = "UPDATE node_heartbeat SET alive_until = 0";

/// A node of a database with many objects.
async fn node_with_many(cluster: &Cluster) -> TestServer {
    let documents = (1..=MANY).map(|id| {
        json!({
            "public_id": id, "type_id": TYPE, "status": true, "version": "1.0.0", "author_id": 1,
            "creation_time": {"$date": 1_577_836_800_000_i64}, "last_edit_time": null,
            "editor_id": null, "active": true, "views": 0,
            "fields": [{"name": "note", "value": "old"}],
        })
    });
    let setup = Setup {
        documents: documents.collect(),
        ..Setup::default()
    };
    setup.connect(&network(cluster)).await
}

/// Starts a job that shows how often each object was changed. Returns its path.
async fn start(admin: &Client) -> String {
    let body = json!({"filter": {"type_id": TYPE}, "total": MANY, "append": {"note": "!"}});
    let answer = admin.post(JOBS, body).await.expect(202);
    format!("{JOBS}/{}", answer.member("result")["id"])
}

async fn read(admin: &Client, job: &str) -> Value {
    admin.get(job).await.expect(200).member("result")
}

fn progress(job: &Value) -> (&str, [i64; 4]) {
    let counts = ["done", "changed", "skipped", "failed_total"];
    let counts = counts.map(|name| job[name].as_i64().unwrap());
    (job["state"].as_str().unwrap(), counts)
}

async fn run_chunk(node: &TestServer) -> bool {
    node.service().step(ObjectJobs).await.unwrap()
}

async fn run_all(node: &TestServer) {
    node.service().finish(ObjectJobs).await.unwrap();
}

/// Every object was changed exactly so many times.
async fn check_changed(admin: &Client, times: usize) {
    let note = format!("old{}", "!".repeat(times));
    let filter = json!({"type_id": TYPE, "fields.note": note}).to_string();
    let parameters = [("filter", filter.as_str()), ("limit", "1")];
    let list = admin.query("/rest/objects", &parameters).await.expect(200);
    assert_eq!(list.member("total"), MANY, "objects with the note {note}");
    for id in [1, CHUNK, CHUNK + 1, MANY] {
        let path = format!("/rest/objects/{id}/history");
        let updates = [("filter", r#"{"action": "update"}"#)];
        let history = admin.query(&path, &updates).await.expect(200);
        let changes = history.member("results");
        assert_eq!(changes.as_array().unwrap().len(), times, "object {id}");
    }
}

#[test]
fn the_job_of_a_node_that_is_gone_is_finished_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let gone = node_with_many(&cluster).await;
        let there = node(&cluster).await;
        let admin = there.admin();
        let job = start(&gone.admin()).await;
        assert!(run_chunk(&gone).await);
        drop(gone);
        let one_chunk = ("running", [CHUNK, CHUNK, 0, 0]);
        assert!(!run_chunk(&there).await, "the lease has not ended");
        assert_eq!(progress(&read(&admin, &job).await), one_chunk);

        there.advance(LEASE);
        run_all(&there).await;
        let ended = ("done", [MANY, MANY, 0, 0]);
        assert_eq!(progress(&read(&admin, &job).await), ended);
        check_changed(&admin, 1).await;
        assert!(!run_chunk(&there).await);
    });
}

#[test]
fn a_node_that_comes_back_leaves_its_job_to_the_other_on_postgres() {
    run(async {
        let cluster = cluster();
        let here = node_with_many(&cluster).await;
        let there = node(&cluster).await;
        let job = start(&here.admin()).await;
        assert!(
            !run_chunk(&there).await,
            "the other node has just started it"
        );
        assert!(run_chunk(&here).await);
        for node in [&here, &there] {
            node.advance(LEASE);
        }
        assert!(run_chunk(&there).await);
        assert!(!run_chunk(&here).await, "it has the lease no more");
        run_all(&here).await;
        let two_chunks = ("running", [2 * CHUNK, 2 * CHUNK, 0, 0]);
        assert_eq!(progress(&read(&there.admin(), &job).await), two_chunks);
        run_all(&there).await;
        let ended = ("done", [MANY, MANY, 0, 0]);
        assert_eq!(progress(&read(&there.admin(), &job).await), ended);
        check_changed(&there.admin(), 1).await;
    });
}

#[test]
fn of_two_nodes_that_want_a_chunk_one_does_it_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = [node_with_many(&cluster).await, node(&cluster).await];
        let admin = nodes[0].admin();
        for round in 1..=3 {
            let job = start(&nodes[round % 2].admin()).await;
            for done in [CHUNK, 2 * CHUNK, MANY] {
                for node in &nodes {
                    node.advance(LEASE);
                }
                let [here, there] = nodes.each_ref();
                let worked = tokio::join!(run_chunk(here), run_chunk(there));
                assert_ne!(worked, (false, false));
                let job = read(&admin, &job).await;
                assert_eq!(progress(&job).1, [done, done, 0, 0], "{job}");
            }
            assert_eq!(progress(&read(&admin, &job).await).0, "done");
            check_changed(&admin, round).await;
        }
    });
}

#[test]
fn a_node_that_is_alive_keeps_its_job_whatever_the_clocks_say_on_postgres() {
    run(async {
        let cluster = cluster();
        let here = node_with_many(&cluster).await;
        let (there, third) = (node(&cluster).await, node(&cluster).await);
        let job = start(&here.admin()).await;
        here.service().announce();
        let since = Instant::now();
        while cluster
            .query("SELECT COUNT(*) FROM node_heartbeat")
            .unwrap()
            != "1"
        {
            assert!(since.elapsed() < BOUND, "no sign of life");
        }
        for jump in [LEASE, 1_000 * LEASE] {
            there.advance(jump);
            assert!(!run_chunk(&there).await, "the other node is alive");
        }
        assert!(run_chunk(&here).await);

        drop(here);
        let since = Instant::now();
        loop {
            cluster.query(SILENCE).unwrap();
            if run_chunk(&there).await {
                break;
            }
            assert!(since.elapsed() < BOUND, "nobody goes on");
        }
        // Its lease was given by a clock that is far ahead.
        assert!(run_chunk(&third).await);
        let ended = ("done", [MANY, MANY, 0, 0]);
        assert_eq!(progress(&read(&third.admin(), &job).await), ended);
        check_changed(&third.admin(), 1).await;
    });
}
