//! Nodes that start on an empty database at the same time.

use std::time::Duration;

use serde_json::json;
use stockroom_testcluster::{Cluster, Pooler, Settings};

use crate::client::Client;
use crate::node::Node;
use crate::process::{ADMIN_PASSWORD, run, stockroom};
use crate::waiting::eventually;

#[test]
fn ten_nodes_start_on_an_empty_database_at_once() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    for options in [&["--database-schema", "inventory"][..], &[]] {
        let url = cluster.url();
        let starting: Vec<_> = (0..10)
            .map(|_| {
                let url = url.clone();
                std::thread::spawn(move || Node::start(&url, options))
            })
            .collect();
        let nodes: Vec<Node> = starting
            .into_iter()
            .map(|node| node.join().expect("a node that starts"))
            .collect();
        // All nodes have the same key, so a token of one is valid on all.
        let admin = Client::admin(&nodes[0]);
        for node in &nodes {
            let users = admin.at(node).get("/rest/users");
            assert_eq!(users.body["total"], 1, "{users:?}");
            let groups = admin.at(node).get("/rest/groups");
            assert_eq!(groups.body["total"], 2, "{groups:?}");
        }
        for node in nodes {
            node.stop();
        }
    }
}

#[test]
fn a_node_waits_for_a_server_that_is_still_starting() {
    let mut cluster = Cluster::create(&Settings::for_tests()).unwrap();
    cluster.kill().unwrap();
    let url = cluster.url();
    let node = std::thread::spawn(move || Node::start(&url, &["--database-patience", "60"]));
    cluster.start().unwrap();
    let node = node.join().unwrap();
    let bound = Duration::from_secs(10);
    let admin = Client::admin(&node);
    eventually("an answer", bound, || {
        (admin.get("/rest/users").status == 200).then_some(())
    });
}

#[test]
fn a_node_serves_behind_a_pooler_of_sessions_and_refuses_one_of_transactions() {
    let cluster = Cluster::create(&Settings::for_tests()).unwrap();
    let sessions = Pooler::start(&cluster, "session").unwrap();
    let url = cluster.url_at(sessions.address());
    let node = Node::start(&url, &["--database-schema", "inventory"]);
    let admin = Client::admin(&node);
    admin.insert("/rest/categories", &json!({"name": "new"}));
    let schemas =
        cluster.query("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'object'");
    assert_eq!(schemas.unwrap(), "inventory");
    node.stop();

    let transactions = Pooler::start(&cluster, "transaction").unwrap();
    let mut command = stockroom(&["serve", "--listen", "127.0.0.1:0", "--database"]);
    command
        .arg(cluster.url_at(transactions.address()))
        .env("STOCKROOM_ADMIN_PASSWORD", ADMIN_PASSWORD);
    let said = run(&mut command).failed();
    assert!(said.contains("pool_mode = session"), "{said}");
}
