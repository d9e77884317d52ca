//! A node of an older release than the one that migrated the database.

use std::time::{Duration, Instant};

use serde_json::json;
use stockroom_testkit::{TestServer, inventory};

use crate::fixture::{cluster, node, run};

const BOUND: Duration = Duration::from_secs(10);

/// What a newer release leaves behind.
const MIGRATE: &str = "BEGIN;
    INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (9999, 'later', 'ab', 5);
    UPDATE catalog_version SET version = 9999 WHERE resource = 'schema'; COMMIT";

async fn unready(node: &TestServer) -> String {
    let since = Instant::now();
    loop {
        let answer = node.anonymous().get("/readyz").await;
        if answer.status == 503 {
            return answer.detail();
        }
        assert!(since.elapsed() < BOUND, "the node is still ready");
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_node_of_an_older_release_only_reads_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let admin = here.admin();
        let small = inventory::small(&admin).await;
        cluster.query(MIGRATE).unwrap();

        let site = inventory::object(small.site_type, &[("name", json!("Graz"))]);
        let batch = json!({"operations": [
            {"method": "POST", "path": "/categories", "body": {"name": "a"}},
        ]});
        let writes = [
            ("/rest/objects", site),
            ("/rest/categories", json!({"name": "racks"})),
            ("/rest/batch", batch),
        ];
        for (path, body) in writes {
            let refused = admin.post(path, body).await.expect(503);
            assert!(refused.detail().contains("release"), "{refused}");
            assert_eq!(refused.header("retry-after"), "1");
        }
        let berlin = format!("/rest/objects/{}", small.berlin);
        let _ = admin.delete(&berlin).await.expect(503);
        for node in [&here, &there] {
            // One of them has not tried to write.
            assert!(unready(node).await.contains("release"));
            let _ = node.admin().get(&berlin).await.expect(200);
            let list = node.admin().get("/rest/objects").await.expect(200);
            assert_eq!(list.member("total"), 4);
            let categories = node.admin().get("/rest/categories").await.expect(200);
            assert_eq!(categories.member("total"), 2);
        }
    });
}
