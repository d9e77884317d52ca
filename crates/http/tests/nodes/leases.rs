//! The lease on work comes before the work: a node that finds work which another one has begun to
//! do does not begin it as well.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::json;
use stockroom_service::Service;
use stockroom_service::background::{Imports, ObjectJobs};
use stockroom_testcluster::Cluster;
use stockroom_testkit::inventory::insert;
use stockroom_testkit::{Client, TestServer};

use crate::fixture::{cluster, node, run};

/// Longer than a node that gives no signs of life keeps its work.
const LEASE: Duration = Duration::from_secs(13);
const BOUND: Duration = Duration::from_secs(10);

/// A transaction that has locked all objects, so that no work on them gets on.
struct LockedObjects(Child);

impl LockedObjects {
    fn of(cluster: &Cluster) -> Self {
        let mut psql = cluster.psql();
        psql.arg("--no-align").arg("--tuples-only");
        let mut psql = psql
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lock = b"BEGIN;\nSELECT COUNT(*) FROM (SELECT 1 FROM object FOR UPDATE) AS locked;\n";
        psql.stdin.as_mut().unwrap().write_all(lock).unwrap();
        let mut answer = String::new();
        let mut output = BufReader::new(psql.stdout.as_mut().unwrap());
        output.read_line(&mut answer).unwrap();
        assert_ne!(answer.trim(), "0", "objects to lock");
        Self(psql)
    }

    fn release(mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}

/// Waits until `query` has another result than `before`.
async fn changed(cluster: &Cluster, query: &str, before: &str) {
    let since = Instant::now();
    while cluster.query(query).unwrap() == before {
        assert!(since.elapsed() < BOUND, "nobody has taken the lease");
        tokio::task::yield_now().await;
    }
}

async fn make_type(admin: &Client) -> i64 {
    let fields = json!([{"type": "text", "name": "name", "label": "Name"}]);
    let body = json!({"name": "host", "author_id": 1, "fields": fields});
    insert(admin, "/rest/types", body).await
}

/// Two nodes find the work of a third one, which is gone. `work` does the next part of it.
async fn one_node_begins<W: Future<Output = bool>>(
    cluster: &Cluster,
    node_of_work: &str,
    work: impl Fn(Arc<Service>) -> W,
    nodes: [&TestServer; 2],
) {
    let holder = cluster.query(node_of_work).unwrap();
    for node in nodes {
        node.advance(LEASE);
    }
    let locked = LockedObjects::of(cluster);
    let others = async {
        changed(cluster, node_of_work, &holder).await;
        assert!(
            !work(Arc::clone(nodes[1].service())).await,
            "another node has begun"
        );
        locked.release();
    };
    let (begun, ()) = tokio::join!(work(Arc::clone(nodes[0].service())), others);
    assert!(begun);
}

#[test]
fn a_node_takes_the_lease_on_a_job_before_it_begins_on_postgres() {
    run(async {
        let cluster = cluster();
        let (gone, here) = (node(&cluster).await, node(&cluster).await);
        let there = node(&cluster).await;
        let admin = gone.admin();
        let type_id = make_type(&admin).await;
        let fields = json!([{"name": "name", "value": "old"}]);
        let object = json!({"type_id": type_id, "author_id": 1, "fields": fields});
        insert(&admin, "/rest/objects", object).await;
        let body = json!({"filter": {"type_id": type_id}, "total": 1, "append": {"name": "!"}});
        let _ = admin.post("/rest/objects/jobs", body).await.expect(202);
        drop(gone);
        let work = |node: Arc<Service>| async move { node.step(ObjectJobs).await.unwrap() };
        let of_job = "SELECT node FROM object_job";
        Box::pin(one_node_begins(&cluster, of_job, work, [&here, &there])).await;
        let job = here
            .admin()
            .get("/rest/objects/jobs/1")
            .await
            .expect(200)
            .member("result");
        assert_eq!(
            (&job["state"], &job["changed"]),
            (&json!("done"), &json!(1)),
            "{job}"
        );
    });
}

#[test]
fn a_node_takes_the_lease_on_an_undo_before_it_begins_on_postgres() {
    run(async {
        let cluster = cluster();
        let (gone, here) = (node(&cluster).await, node(&cluster).await);
        let there = node(&cluster).await;
        let admin = gone.admin();
        let type_id = make_type(&admin).await;
        let file = "name\na\nb\n".as_bytes().to_vec();
        let path = "/rest/imports?file_name=hosts.csv";
        let import = admin.send(Method::POST, path, &[], file).await;
        let import = format!(
            "/rest/imports/{}",
            import.expect(201).member("result")["id"]
        );
        let body = json!({"type_id": type_id});
        let _ = admin.post(&format!("{import}/run"), body).await.expect(202);
        gone.service().finish(Imports::default()).await.unwrap();
        let undo = format!("{import}/undo");
        let _ = admin.post(&undo, json!({})).await.expect(202);
        drop(gone);
        let work =
            |node: Arc<Service>| async move { node.step(Imports { most: Some(1) }).await.unwrap() };
        let of_import = "SELECT node FROM import";
        Box::pin(one_node_begins(&cluster, of_import, work, [&here, &there])).await;
        let import = here.admin().get(&import).await.expect(200).member("result");
        assert_eq!(import["state"], "undone", "{import}");
    });
}
