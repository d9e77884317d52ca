//! Pairs of writes of which each relies on what the other changes: whatever two nodes answer, it is
//! as if one had come after the other.

use std::cell::Cell;

use serde_json::{Value, json};
use stockroom_testkit::inventory::{self, insert, object};
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, TestServer};

use crate::fixture::{cluster, node, run};

/// Rounds of the pairs that only locks of rows keep apart.
const ROUNDS: usize = 100;
/// Rounds of the others.
const FEW_ROUNDS: usize = 30;

const OBJECTS: &str = "/rest/objects";

fn accepted(answer: &Answer) -> bool {
    assert!(answer.status < 500, "{answer}");
    answer.status < 300
}

/// Two nodes, and a type of objects that reference each other.
struct Nodes {
    here: TestServer,
    there: TestServer,
    type_id: i64,
}

impl Nodes {
    async fn start(cluster: &stockroom_testcluster::Cluster) -> Self {
        let (here, there) = (node(cluster).await, node(cluster).await);
        let fields = json!([
            {"type": "text", "name": "name", "label": "Name"},
            {"type": "ref", "name": "next", "label": "Next", "ref_types": []},
            {"type": "ref", "name": "other", "label": "Other", "ref_types": []},
        ]);
        let body = json!({"name": "node", "author_id": 1, "fields": fields});
        let type_id = insert(&here.admin(), "/rest/types", body).await;
        Self {
            here,
            there,
            type_id,
        }
    }

    fn clients(&self) -> (Client, Client) {
        (self.here.admin(), self.there.admin())
    }

    fn body(&self, next: Option<i64>) -> Value {
        let (name, next) = (("name", json!("a")), ("next", json!(next)));
        object(self.type_id, &[name, next, ("other", json!(null))])
    }

    async fn target(&self) -> i64 {
        insert(&self.there.admin(), OBJECTS, self.body(None)).await
    }

    /// The references to an object that is gone.
    async fn dangling(&self, target: i64) -> Value {
        let filter = json!({"fields.next": target}).to_string();
        let list = self
            .here
            .admin()
            .query(OBJECTS, &[("filter", &filter)])
            .await;
        list.expect(200).member("total")
    }
}

/// How something references an object.
#[derive(Debug, Clone, Copy)]
enum Reference {
    Insert,
    Patch,
    Batch,
    DeepBatch,
}

impl Reference {
    const ALL: [Self; 4] = [Self::Insert, Self::Patch, Self::Batch, Self::DeepBatch];

    async fn make(self, nodes: &Nodes, client: &Client, own: i64, target: i64) -> Answer {
        let body = nodes.body(Some(target));
        let insert = json!({"method": "POST", "path": "/objects", "body": body});
        match self {
            Self::Insert => client.post(OBJECTS, body).await,
            Self::Patch => {
                let fields = json!({"fields": [{"name": "next", "value": target}]});
                client.patch(&format!("{OBJECTS}/{own}"), fields).await
            }
            Self::Batch => {
                let body = json!({"operations": [insert]});
                client.post("/rest/batch", body).await
            }
            Self::DeepBatch => {
                let other = nodes.body(None);
                let other = json!({"method": "POST", "path": "/objects", "body": other});
                let body = json!({"operations": [other, insert, other]});
                client.post("/rest/batch", body).await
            }
        }
    }
}

#[test]
fn nobody_references_what_is_deleted_under_protection_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        let (mut deleted, mut referenced) = (0, 0);
        for round in 0..ROUNDS {
            let way = Reference::ALL[round % Reference::ALL.len()];
            let (target, own) = (nodes.target().await, nodes.target().await);
            let path = format!("{OBJECTS}/{target}?references=protect");
            let (made, gone) =
                tokio::join!(way.make(&nodes, &here, own, target), there.delete(&path));
            let (made, gone) = (accepted(&made), accepted(&gone));
            assert!(made != gone, "{way:?}, round {round}: {made} {gone}");
            (deleted, referenced) = (deleted + usize::from(gone), referenced + usize::from(made));
        }
        assert_eq!(deleted + referenced, ROUNDS);
    });
}

#[test]
fn all_references_to_what_is_deleted_are_cleared_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        for round in 0..ROUNDS {
            let way = Reference::ALL[round % Reference::ALL.len()];
            let (target, own) = (nodes.target().await, nodes.target().await);
            let path = format!("{OBJECTS}/{target}?references=clear");
            let (made, gone) =
                tokio::join!(way.make(&nodes, &here, own, target), there.delete(&path));
            accepted(&made);
            assert!(accepted(&gone), "{gone}");
            let left = nodes.dangling(target).await;
            assert_eq!(left, 0, "{way:?}, round {round}: {}", made.status);
        }
    });
}

#[test]
fn a_batch_deletes_what_only_it_referenced_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let admin = nodes.here.admin();
        let target = nodes.target().await;
        let referrer = insert(&admin, OBJECTS, nodes.body(Some(target))).await;
        let other = insert(&admin, OBJECTS, nodes.body(Some(target))).await;
        let delete = |id| {
            let path = format!("/objects/{id}?references=protect");
            json!({"method": "DELETE", "path": path})
        };
        let fields = json!({"fields": [{"name": "next", "value": null}]});
        let patch = json!({"method": "PATCH", "path": format!("/objects/{other}"), "body": fields});
        let body = json!({"operations": [delete(referrer), patch, delete(target)]});
        let _ = admin.post("/rest/batch", body).await.expect(200);
        let _ = admin.get(&format!("{OBJECTS}/{target}")).await.expect(404);
        let _ = admin
            .get(&format!("{OBJECTS}/{referrer}"))
            .await
            .expect(404);
        assert_eq!(nodes.dangling(target).await, 0);
    });
}

#[test]
fn two_that_wait_for_each_other_both_end_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        for round in 0..ROUNDS / 2 {
            let (one, other) = (nodes.target().await, nodes.target().await);
            let insert = |next: i64| json!({"method": "POST", "path": "/objects", "body": nodes.body(Some(next))});
            let delete = |id: i64| {
                let path = format!("/objects/{id}?references=protect");
                json!({"method": "DELETE", "path": path})
            };
            let left = json!({"operations": [insert(one), delete(other)]});
            let right = json!({"operations": [insert(other), delete(one)]});
            let (left, right) = tokio::join!(
                here.post("/rest/batch", left),
                there.post("/rest/batch", right)
            );
            let done = [accepted(&left), accepted(&right)];
            assert_ne!(done[0], done[1], "round {round}: {left} {right}");
        }
    });
}

#[test]
fn a_type_that_is_deleted_has_no_objects_and_no_sources_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        for round in 0..FEW_ROUNDS {
            let mut site = inventory::site();
            site["name"] = json!(format!("site-{round}"));
            let type_id = insert(&here, "/rest/types", site).await;
            let path = format!("/rest/types/{type_id}");
            let (made, gone) = if round % 2 == 0 {
                let body = object(type_id, &[("name", json!("a")), ("street", json!(null))]);
                tokio::join!(here.post(OBJECTS, body), there.delete(&path))
            } else {
                let columns = json!({"Name": "name"});
                let name = format!("source {round}");
                let body = json!({"name": name, "type_id": type_id, "columns": columns});
                tokio::join!(here.post("/rest/sources", body), there.delete(&path))
            };
            let (made, gone) = (accepted(&made), accepted(&gone));
            if round % 2 == 0 {
                assert_ne!(made, gone, "round {round}");
            }
            let sources = here.get("/rest/sources?limit=0").await.expect(200);
            let sources = sources.member("results");
            let mut sources = sources.as_array().unwrap().iter();
            let is_left = sources.any(|source| source["type_id"] == type_id);
            assert!(
                !gone || !is_left,
                "round {round}: a source of a deleted type"
            );
        }
    });
}

#[test]
fn categories_never_make_a_circle_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        for round in 0..FEW_ROUNDS {
            let body = |name: &str| json!({"name": format!("{name} {round}")});
            let one = insert(&here, "/rest/categories", body("a")).await;
            let other = insert(&here, "/rest/categories", body("b")).await;
            let path = |id: i64| format!("/rest/categories/{id}");
            let (one_path, other_path) = (path(one), path(other));
            let (left, right) = tokio::join!(
                here.patch(&one_path, json!({"parent": other})),
                there.patch(&other_path, json!({"parent": one}))
            );
            assert_ne!(accepted(&left), accepted(&right), "round {round}");
            let child = json!({"name": "c", "parent": one});
            let (made, gone) = tokio::join!(
                here.post("/rest/categories", child),
                there.delete(&one_path)
            );
            assert!(accepted(&gone), "{gone}");
            if accepted(&made) {
                let id = made.member("result_id").as_i64().unwrap();
                let child = here.get(&path(id)).await.expect(200);
                assert_eq!(
                    child.member("result")["parent"],
                    json!(null),
                    "round {round}"
                );
            }
        }
    });
}

#[test]
fn a_group_that_is_deleted_has_no_users_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        let mover = nodes.here.user_with(&[]).await;
        for round in 0..FEW_ROUNDS {
            let group = json!({"name": format!("g {round}"), "label": "G", "rights": []});
            let group = insert(&here, "/rest/groups", group).await;
            let path = format!("/rest/groups/{group}");
            let (put, gone) = if round % 2 == 0 {
                let body = json!({"user_name": format!("u {round}"), "password": "a password",
                    "group_id": group});
                tokio::join!(here.post("/rest/users", body), there.delete(&path))
            } else {
                let user = format!("/rest/users/{}", mover.id);
                let body = json!({"group_id": group});
                let both = tokio::join!(here.patch(&user, body), there.delete(&path));
                if both.1.status < 300 || both.0.status < 300 {
                    let back = json!({"group_id": mover.group_id});
                    let _ = here.patch(&user, back).await.expect(202);
                }
                both
            };
            assert_ne!(accepted(&put), accepted(&gone), "round {round}");
        }
    });
}

#[test]
fn an_administrator_is_left_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let other = nodes.there.user_with(&["base.*"]).await;
        let path = |id: i64| format!("/rest/users/{id}");
        let (first_path, second_path) = (path(1), path(other.id));
        for round in 0..FEW_ROUNDS {
            // Who was inactive has no token any more.
            let first = nodes.here.login("admin", ADMIN_PASSWORD).await;
            let second = nodes.there.login(&other.user_name, &other.password).await;
            let inactive = json!({"active": false});
            let (left, right) = tokio::join!(
                first.patch(&second_path, inactive.clone()),
                second.patch(&first_path, inactive)
            );
            assert_ne!(accepted(&left), accepted(&right), "round {round}");
            let (client, path) = if accepted(&left) {
                (first, &second_path)
            } else {
                (second, &first_path)
            };
            let _ = client
                .patch(path, json!({"active": true}))
                .await
                .expect(202);
        }
    });
}

#[test]
fn names_are_taken_once_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        let source = |name: String| json!({"name": name, "type_id": nodes.type_id, "columns": {"Name": "name"}});
        for round in 0..FEW_ROUNDS {
            let name = format!("name-{round}");
            let (path, body) = match round % 5 {
                0 => (
                    "/rest/types",
                    json!({"name": name, "author_id": 1, "fields": []}),
                ),
                1 => (
                    "/rest/users",
                    json!({"user_name": name, "password": "a password"}),
                ),
                2 => (
                    "/rest/groups",
                    json!({"name": name, "label": "G", "rights": []}),
                ),
                3 => ("/rest/tokens", json!({"name": name})),
                _ => ("/rest/sources", source(name)),
            };
            let (left, right) = tokio::join!(here.post(path, body.clone()), there.post(path, body));
            assert_ne!(accepted(&left), accepted(&right), "{path} {left} {right}");
        }
    });
}

#[test]
fn what_belongs_to_a_user_goes_with_it_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        for round in 0..FEW_ROUNDS {
            let body = json!({"user_name": format!("u {round}"), "password": "a password"});
            let user = insert(&here, "/rest/users", body).await;
            let path = format!("/rest/users/{user}");
            let (belonging, body, list) = if round % 2 == 0 {
                let body = json!({"name": format!("t {round}"), "user_id": user});
                (
                    "/rest/tokens".to_owned(),
                    body,
                    "/rest/tokens?limit=0".to_owned(),
                )
            } else {
                let path = format!("/rest/settings/{user}");
                let body = json!({"identifier": "a", "user_id": user, "payload": {},
                    "setting_type": "GLOBAL"});
                (path.clone(), body, path)
            };
            let (made, gone) = tokio::join!(here.post(&belonging, body), there.delete(&path));
            accepted(&made);
            assert!(accepted(&gone), "{gone}");
            let list = here.get(&list).await;
            if list.status == 200 {
                let list = list.member("results");
                let mut list = list.as_array().unwrap().iter();
                assert!(
                    !list.any(|record| record["user_id"] == user),
                    "round {round}"
                );
            }
        }
    });
}

#[test]
fn a_field_becomes_a_password_while_its_objects_change_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = Nodes::start(&cluster).await;
        let (here, there) = nodes.clients();
        let mut objects = Vec::new();
        for _ in 0..50 {
            objects.push(nodes.target().await);
        }
        let is_done = Cell::new(false);
        let keep_writing = async |client: &Client| {
            for (number, id) in objects.iter().cycle().enumerate() {
                if is_done.get() {
                    break;
                }
                let fields = json!({"fields": [{"name": "name", "value": number.to_string()}]});
                let answer = client.patch(&format!("{OBJECTS}/{id}"), fields).await;
                assert!(accepted(&answer), "{answer}");
            }
        };
        let change = async {
            let name = json!({"type": "password", "name": "name", "label": "Name"});
            let path = format!("/rest/types/{}", nodes.type_id);
            let answer = there.patch(&path, json!({"fields": [name]})).await;
            is_done.set(true);
            answer
        };
        let (changed, (), ()) = tokio::join!(change, keep_writing(&here), keep_writing(&there));
        let _ = changed.expect(202);
    });
}
