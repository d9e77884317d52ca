//! A server that lost acknowledged commits, as can happen without synchronous replication.

use std::time::{Duration, Instant};

use serde_json::json;
use stockroom_testkit::{Client, inventory};

use crate::fixture::{cluster, node, run};

/// Removes the newest changes of objects, as if the database had never received them.
const LOSE_CHANGES: &str = "BEGIN; DELETE FROM object WHERE public_id > 4; \
    DELETE FROM change WHERE resource = 'object' AND record_id > 4; COMMIT";

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

/// The cursor after all changes, which are read from `after` on.
async fn cursor(client: &Client, after: &str) -> String {
    let parameters = [("after", after), ("limit", "1000")];
    let answer = client.query("/rest/changes", &parameters).await.expect(200);
    let cursor = answer.json()["pager"]["after"].clone();
    cursor.as_str().unwrap().to_owned()
}

#[test]
fn a_cursor_of_a_lost_change_is_refused_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let admin = here.admin();
        let small = inventory::small(&admin).await;
        let site = || inventory::object(small.site_type, &[("name", json!("Graz"))]);
        let (kept, kept_now) = (cursor(&admin, "").await, cursor(&admin, "now").await);
        assert_eq!(kept, kept_now, "nothing happened in between");
        let _ = inventory::insert(&admin, "/rest/objects", site()).await;
        let lost = [cursor(&admin, &kept).await, cursor(&admin, "now").await];
        cluster.query(LOSE_CHANGES).unwrap();

        for is_overtaken in [false, true] {
            if is_overtaken {
                let _ = inventory::insert(&admin, "/rest/objects", site()).await;
            }
            for cursor in &lost {
                let gone = there
                    .admin()
                    .query("/rest/changes", &[("after", cursor)])
                    .await;
                let gone = gone.expect(410);
                assert!(gone.detail().contains("lost"), "{gone}");
            }
            let left = there
                .admin()
                .query("/rest/changes", &[("after", &kept)])
                .await;
            let left = left.expect(200).member("results");
            assert_eq!(left.as_array().unwrap().len(), usize::from(is_overtaken));
        }
    });
}
