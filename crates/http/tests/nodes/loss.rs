//! A server that lost acknowledged commits, as can happen without synchronous replication.

use std::time::{Duration, Instant};

use serde_json::json;
use stockroom_testkit::inventory;

use crate::fixture::{cluster, node, run};

const BOUND: Duration = Duration::from_secs(10);

/// Saves the tables of users.
const KEEP: &str = "CREATE TABLE kept_account AS SELECT * FROM user_account; \
    CREATE TABLE kept_version AS SELECT * FROM catalog_version";
/// Restores them, as if the database had never received the later changes.
const LOSE: &str = "BEGIN; UPDATE user_account SET (revision, token_generation, doc) = (kept.revision, kept.token_generation, kept.doc) \
    FROM kept_account AS kept WHERE kept.public_id = user_account.public_id; \
    DELETE FROM change USING kept_account AS kept WHERE resource = 'user' AND record_id = kept.public_id AND change.revision > kept.revision; \
    UPDATE catalog_version SET version = kept.version FROM kept_version AS kept WHERE kept.resource = catalog_version.resource; COMMIT";

#[test]
fn what_the_database_lost_no_node_believes_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let path = format!("/rest/objects/{}/native", small.berlin);
        let person = here.user_with(&["base.framework.object.view"]).await;
        let user = format!("/rest/users/{}", person.id);
        let _ = person.client.get(&path).await.expect(200);
        cluster.query(KEEP).unwrap();

        let inactive = json!({"active": false});
        let _ = here
            .admin()
            .patch(&user, inactive.clone())
            .await
            .expect(202);
        let _ = person.client.get(&path).await.expect(401);
        cluster.query(LOSE).unwrap();
        let since = Instant::now();
        while person.client.get(&path).await.status != 200 {
            assert!(since.elapsed() < BOUND, "the user is still inactive");
        }

        // A later change must not be mistaken for the lost one.
        let _ = there.admin().patch(&user, inactive).await.expect(202);
        let since = Instant::now();
        while person.client.get(&path).await.status != 401 {
            assert!(since.elapsed() < BOUND, "the user is still active");
        }
    });
}
