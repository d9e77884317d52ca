//! Reads from replicas show their client's writes, however far a replica lags behind.

use serde_json::json;
use stockroom_testcluster::Cluster;
use stockroom_testkit::{Client, PostgresConfig, Setup, TestServer, inventory};

use crate::fixture::{cluster, network, node, run};

const VERSION: &str = "x-store-version";
const PAUSE: &str = "SELECT pg_wal_replay_pause()";
const IS_PAUSED: &str = "SELECT pg_get_wal_replay_pause_state()";
const RESUME: &str = "SELECT pg_wal_replay_resume()";

async fn node_with_replica(primary: &Cluster, replica: &Cluster) -> TestServer {
    let network = PostgresConfig {
        replica_url: Some(replica.url()),
        ..network(primary)
    };
    Setup::default().connect(&network).await
}

#[test]
fn a_client_that_says_what_it_knows_reads_its_own_writes_on_postgres() {
    run(async {
        let primary = cluster();
        let replica = primary.replica().unwrap();
        let server = node_with_replica(&primary, &replica).await;
        let admin = server.admin();
        let small = inventory::small(&admin).await;
        replica.catch_up_with(&primary).unwrap();
        replica.query(PAUSE).unwrap();
        while replica.query(IS_PAUSED).unwrap() != "paused" {}

        let site = inventory::object(small.site_type, &[("name", json!("Graz"))]);
        let made = admin.post("/rest/objects", site).await.expect(200);
        let path = format!("/rest/objects/{}", made.member("result_id"));
        let version = made.header(VERSION).to_owned();
        assert_ne!(version, "0", "the answer to a write tells its version");
        let informed = |client: Client| client.with_header(VERSION, &version);
        let read = informed(admin.clone()).get(&path).await.expect(200);
        assert_eq!(read.header(VERSION), version);
        let sites = json!({"type_id": small.site_type}).to_string();
        let client = informed(admin.clone());
        let list = client.query("/rest/objects", &[("filter", &sites)]).await;
        assert_eq!(list.expect(200).ids().len(), 3);
        // Without the commit token, the replica answers, which does not have the object yet.
        let _ = admin.get(&path).await.expect(404);

        replica.query(RESUME).unwrap();
        replica.catch_up_with(&primary).unwrap();
        let _ = admin.get(&path).await.expect(200);
    });
}

#[test]
fn a_replica_that_is_gone_is_done_without_on_postgres() {
    run(async {
        let primary = cluster();
        let mut replica = primary.replica().unwrap();
        let server = node_with_replica(&primary, &replica).await;
        let admin = server.admin();
        let small = inventory::small(&admin).await;
        replica.catch_up_with(&primary).unwrap();
        let path = format!("/rest/objects/{}", small.berlin);
        let _ = admin.get(&path).await.expect(200);
        replica.kill().unwrap();
        for _ in 0..3 {
            let _ = admin.get(&path).await.expect(200);
        }
    });
}

#[test]
fn without_replicas_nobody_is_told_of_versions_on_postgres() {
    run(async {
        let primary = cluster();
        let server = node(&primary).await;
        let made = server.admin().get("/rest/types").await.expect(200);
        assert_eq!(made.header(VERSION), "");
    });
}
