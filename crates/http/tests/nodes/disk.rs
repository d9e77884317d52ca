//! A server whose disk is full.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::fixture::{cluster, node, run};

const BOUND: Duration = Duration::from_secs(10);

/// Makes writes of `category` and probes for space fail as on a full disk.
const FILL: &str = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$; \
    CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON category EXECUTE FUNCTION no_room(); \
    CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON schema_migration EXECUTE FUNCTION no_room()";
const EMPTY: &str = "DROP FUNCTION no_room CASCADE";

#[test]
fn a_full_disk_is_told_and_ends_by_itself_on_postgres() {
    run(async {
        let cluster = cluster();
        let node = node(&cluster).await;
        let (admin, anybody) = (node.admin(), node.anonymous());
        let category = json!({"name": "racks"});
        let path = "/rest/categories";
        cluster.query(FILL).unwrap();
        let refused = admin.post(path, category.clone()).await.expect(507);
        assert_eq!(refused.header("retry-after"), "10");
        let _ = admin.get(path).await.expect(200);
        let unready = anybody.get("/readyz").await.expect(503);
        assert!(unready.detail().contains("disk"), "{unready}");

        cluster.query(EMPTY).unwrap();
        let since = Instant::now();
        while anybody.get("/readyz").await.status != 200 {
            assert!(since.elapsed() < BOUND, "the disk is still full");
            tokio::task::yield_now().await;
        }
        let _ = admin.post(path, category).await.expect(200);
    });
}
