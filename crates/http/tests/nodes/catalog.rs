//! A node's change of a type holds on the other nodes from its answer on: nobody reads there what
//! was hidden here.

use serde_json::{Value, json};
use stockroom_testkit::{Client, inventory};

use crate::fixture::{cluster, node, run};

const ROUNDS: usize = 20;
const READS: [&str; 1] = ["base.framework.object.view"];

/// Grants a group only these operations.
async fn restrict(admin: &Client, type_id: i64, group: i64, operations: &[&str]) {
    let all = ["CREATE", "READ", "UPDATE", "DELETE"];
    let includes = json!({"1": all, group.to_string(): operations});
    let acl = json!({"acl": {"activated": true, "groups": {"includes": includes}}});
    let path = format!("/rest/types/{type_id}");
    let _ = admin.patch(&path, acl).await.expect(202);
}

/// How many objects of a type a client sees on the first page, and the total.
async fn of_type(client: &Client, type_id: i64, view: &str) -> (usize, Value) {
    let filter = json!({"type_id": type_id}).to_string();
    let parameters = [("filter", filter.as_str()), ("view", view)];
    let answer = client.query("/rest/objects", &parameters).await.expect(200);
    let page = answer.member("results");
    (page.as_array().map_or(0, Vec::len), answer.member("total"))
}

#[test]
fn what_an_access_list_hides_on_one_node_no_other_shows_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let person = there.user_with(&READS).await;
        let client = person.client;
        let paths = ["", "/native", "/references"]
            .map(|way| format!("/rest/objects/{}{way}", small.srv_01));
        for round in 0..ROUNDS {
            // In each round, another kind of read is the first after the change.
            let path = &paths[round % paths.len()];
            let view = ["native", "render"][round % 2];
            restrict(&here.admin(), small.server_type, person.group_id, &[]).await;
            if round % 2 == 0 {
                let _ = client.get(path).await.expect(403);
            }
            let listed = of_type(&client, small.server_type, view).await;
            assert_eq!(listed, (0, json!(0)), "{round}");
            let all = client.get("/rest/objects").await.expect(200);
            assert_eq!(all.ids(), [small.berlin, small.vienna], "{round}");
            let _ = client.get(path).await.expect(403);

            restrict(&here.admin(), small.server_type, person.group_id, &["READ"]).await;
            if round % 2 == 0 {
                let _ = client.get(path).await.expect(200);
            }
            let listed = of_type(&client, small.server_type, view).await;
            assert_eq!(listed, (2, json!(2)), "{round}");
        }
    });
}

#[test]
fn who_lost_a_right_on_one_node_reads_nothing_on_another_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let path = format!("/rest/objects/{}/native", small.berlin);
        for _ in 0..3 {
            let person = there.user_with(&READS).await;
            let _ = person.client.get(&path).await.expect(200);
            let group = format!("/rest/groups/{}", person.group_id);
            let rights = json!({"rights": ["base.framework.type.view"]});
            let _ = here.admin().patch(&group, rights).await.expect(202);
            let _ = person.client.get(&path).await.expect(403);

            let other = there.user_with(&READS).await;
            let _ = other.client.get(&path).await.expect(200);
            let user = format!("/rest/users/{}", other.id);
            let _ = here.admin().delete(&user).await.expect(202);
            let _ = other.client.get(&path).await.expect(401);
        }
    });
}

#[test]
fn a_type_made_on_one_node_is_listed_on_another_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for round in 0..ROUNDS {
            let mut site = inventory::site();
            site["name"] = json!(format!("site-{round}"));
            let type_id = inventory::insert(&here.admin(), "/rest/types", site).await;
            // In every other round, first a type without objects.
            if round % 2 == 0 {
                let listed = of_type(&there.admin(), type_id, "native").await;
                assert_eq!(listed, (0, json!(0)));
            }
            let body = inventory::object(type_id, &[("name", json!("Graz"))]);
            let _ = inventory::insert(&here.admin(), "/rest/objects", body).await;
            let listed = of_type(&there.admin(), type_id, "native").await;
            assert_eq!(listed, (1, json!(1)));
            let all = there.admin().get("/rest/objects?limit=1").await.expect(200);
            assert_eq!(all.member("total"), json!(round + 1));
        }
    });
}

#[test]
fn a_page_and_its_total_belong_together_while_another_node_writes_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let admin = here.admin();
        let writes = async {
            for round in 0..ROUNDS {
                let name = json!(format!("site {round}"));
                let site = inventory::object(small.site_type, &[("name", name)]);
                let id = inventory::insert(&admin, "/rest/objects", site).await;
                if round % 3 == 0 {
                    let path = format!("/rest/objects/{id}");
                    let _ = admin.delete(&path).await;
                }
            }
        };
        let reader = there.admin();
        let filter = json!({"type_id": small.site_type}).to_string();
        let parameters = [("filter", filter.as_str()), ("limit", "500")];
        let reads = async {
            for _ in 0..ROUNDS * 3 {
                let answer = reader.query("/rest/objects", &parameters).await;
                let answer = answer.expect(200);
                assert_eq!(answer.member("total"), json!(answer.ids().len()));
            }
        };
        tokio::join!(writes, reads);
        let left = 2 + ROUNDS - ROUNDS.div_ceil(3);
        let listed = of_type(&reader, small.site_type, "native").await;
        assert_eq!(listed, (10, json!(left)));
    });
}
