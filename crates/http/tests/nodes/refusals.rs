//! No node refuses what another node has just made possible.

use serde_json::{Value, json};
use stockroom_testkit::inventory::{self, insert};

use crate::fixture::{cluster, node, run};

/// A node that relied on its regular check of the database would refuse each of them.
const ROUNDS: usize = 5;

#[test]
fn a_user_made_on_one_node_logs_in_on_another_at_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for _ in 0..ROUNDS {
            let person = here.user_with(&[]).await;
            let login =
                |password: &str| json!({"user_name": person.user_name, "password": password});
            let client = there.anonymous();
            let path = "/rest/auth/login";
            let _ = client.post(path, login(&person.password)).await.expect(200);

            let user = format!("/rest/users/{}", person.id);
            let change = json!({"password": "another password"});
            let _ = here.admin().patch(&user, change).await.expect(202);
            let _ = client
                .post(path, login("another password"))
                .await
                .expect(200);
            let _ = client.post(path, login(&person.password)).await.expect(401);
        }
    });
}

#[test]
fn a_token_of_a_user_made_on_another_node_is_good_at_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for _ in 0..ROUNDS {
            let person = here.user_with(&[]).await;
            let token = here.token(&person.user_name, &person.password).await;
            let client = there.with_token(&token);
            let _ = client.get("/rest/rights").await.expect(200);
        }
    });
}

#[test]
fn a_session_that_ends_on_one_node_ends_on_another_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        let small = inventory::small(&here.admin()).await;
        let object = format!("/rest/objects/{}", small.berlin);
        for every in [false, true] {
            let person = here.user_with(&["base.framework.object.view"]).await;
            let mut tokens = Vec::new();
            for _ in 0..2 {
                tokens.push(there.token(&person.user_name, &person.password).await);
            }
            let [ended, other] = [0, 1].map(|at| there.with_token(&tokens[at]));
            let _ = ended.get(&object).await.expect(200);
            let sessions = here.with_token(&tokens[0]).get("/rest/auth/sessions").await;
            let sessions = sessions.expect(200).member("sessions");
            let own = sessions
                .as_array()
                .unwrap()
                .iter()
                .find(|session| session["current"] == true);
            let all = "/rest/auth/sessions".to_owned();
            let one = || format!("{all}/{}", own.unwrap()["id"].as_str().unwrap());
            let path = if every { all.clone() } else { one() };
            let _ = here.with_token(&tokens[1]).delete(&path).await.expect(200);
            // A request that queries the database learns it at once.
            let _ = ended.get(&object).await.expect(401);
            let _ = other
                .get(&object)
                .await
                .expect(if every { 401 } else { 200 });
        }
    });
}

#[test]
fn a_right_given_on_one_node_holds_on_another_at_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for _ in 0..ROUNDS {
            let person = there.user_with(&[]).await;
            let _ = person.client.get("/rest/types").await.expect(403);
            let group = format!("/rest/groups/{}", person.group_id);
            let rights = json!({"rights": ["base.framework.type.view"]});
            let _ = here.admin().patch(&group, rights).await.expect(202);
            let _ = person.client.get("/rest/types").await.expect(200);

            let other = format!("/rest/users/{}", person.id);
            let moved = json!({"group_id": 1});
            let _ = person.client.get("/rest/users").await.expect(403);
            let _ = here.admin().patch(&other, moved).await.expect(202);
            let _ = person.client.get("/rest/users").await.expect(200);
        }
    });
}

#[test]
fn a_type_made_or_opened_on_one_node_is_found_on_another_at_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let (here, there) = (node(&cluster).await, node(&cluster).await);
        for round in 0..ROUNDS {
            let mut site = inventory::site();
            site["name"] = json!(format!("site-{round}"));
            let id = insert(&here.admin(), "/rest/types", site).await;
            // In every other round, another read is the first.
            let paths = [
                format!("/rest/types/{id}"),
                format!("/rest/objects/clean/{id}"),
            ];
            let _ = there.admin().get(&paths[round % 2]).await.expect(200);

            let acl = |granted: Value| json!({"acl": {"activated": true, "groups": {"includes": {"1": granted}}}});
            let _ = here
                .admin()
                .patch(&paths[0], acl(json!([])))
                .await
                .expect(202);
            let _ = here
                .admin()
                .patch(&paths[0], acl(json!(["READ"])))
                .await
                .expect(202);
            let _ = there.admin().get(&paths[1]).await.expect(200);
        }
    });
}
