//! Two nodes that share the work on one database.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};
use stockroom_testcluster::{Cluster, Settings};

use crate::client::Client;
use crate::inventory::{object_body, object_change, type_body};
use crate::node::Node;
use crate::waiting::{PATIENCE, eventually};

/// One second is promised; a busy machine may take longer.
const SOON: Duration = Duration::from_secs(5);

const WRITERS: usize = 4;
const WRITES: usize = 25;

struct Neighbours {
    nodes: [Node; 2],
    /// A client of the same user for each node.
    admins: [Client; 2],
    type_id: i64,
    _cluster: Cluster,
}

impl Neighbours {
    fn start() -> Self {
        let cluster = Cluster::create(&Settings::for_tests()).unwrap();
        let nodes = [(), ()].map(|()| Node::start(&cluster.url(), &[]));
        let admin = Client::admin(&nodes[0]);
        let type_id = admin.insert("/rest/types", &type_body("machine", 0));
        Self {
            admins: [admin.at(&nodes[0]), admin.at(&nodes[1])],
            nodes,
            type_id,
            _cluster: cluster,
        }
    }

    fn object(&self, key: &str) -> Value {
        object_body(self.type_id, key, "nobody", 0)
    }

    /// Runs the same work several times on each node concurrently.
    fn everywhere<T: Send>(&self, work: impl Fn(&Client, usize) -> T + Sync) -> Vec<T> {
        std::thread::scope(|threads| {
            let working: Vec<_> = (0..WRITERS)
                .map(|number| {
                    let client = self.admins[number % 2].at(&self.nodes[number % 2]);
                    let work = &work;
                    threads.spawn(move || work(&client, number))
                })
                .collect();
            let done = working.into_iter().map(|thread| thread.join().unwrap());
            done.collect()
        })
    }
}

#[test]
fn what_one_node_takes_away_the_other_refuses_within_a_second() {
    let stage = Neighbours::start();
    let [here, _] = &stage.admins;
    let rights = json!(["base.framework.object.*"]);
    let group = json!({"name": "porters", "label": "Porters", "rights": rights});
    let group = here.insert("/rest/groups", &group);
    let user = json!({"user_name": "paul", "password": "open sesame", "group_id": group});
    let user = here.insert("/rest/users", &user);
    let object = here.insert("/rest/objects", &stage.object("door"));
    let object = format!("/rest/objects/{object}/native");
    let login = |node: &Node| Client::login(node, "paul", "open sesame");
    let (_, took) = eventually("the new user to be let in", SOON, || login(&stage.nodes[1]));
    println!("a new user is known after {took:.0?}");
    let paul = login(&stage.nodes[1]).unwrap();
    let becomes = |what: &str, status: u16| {
        let ((), took) = eventually(what, SOON, || {
            (paul.get(&object).status == status).then_some(())
        });
        println!("{what}: after {took:.0?}");
    };
    becomes("paul sees the door", 200);

    let change = |path: &str, body: Value| {
        let answer = here.patch(path, &body);
        assert_eq!(answer.status, 202, "{answer:?}");
    };
    let group = format!("/rest/groups/{group}");
    change(&group, json!({"rights": ["base.framework.type.view"]}));
    becomes("the group has lost the right", 403);
    change(&group, json!({ "rights": rights }));
    becomes("the group has it again", 200);

    let type_path = format!("/rest/types/{}", stage.type_id);
    let nobody = json!({"acl": {"activated": true, "groups": {"includes": {}}}});
    change(&type_path, nobody);
    becomes("the ACL of the type denies it", 403);
    change(&type_path, json!({"acl": {"activated": false}}));
    becomes("the ACL of the type is off", 200);

    let logout = paul
        .at(&stage.nodes[0])
        .post("/rest/auth/logout", &Value::Null);
    assert_eq!(logout.status, 200, "{logout:?}");
    becomes("the token was ended", 401);

    let paul = login(&stage.nodes[1]).unwrap();
    assert_eq!(paul.get(&object).status, 200);
    change(&format!("/rest/users/{user}"), json!({"active": false}));
    let ((), took) = eventually("the user to be shut out", SOON, || {
        (paul.get(&object).status == 401).then_some(())
    });
    println!("the user was deactivated: after {took:.0?}");
    assert!(login(&stage.nodes[1]).is_none());
}

#[test]
fn ids_that_clients_name_never_meet_those_of_another_node() {
    let stage = Neighbours::start();
    // Both nodes now hold a block of ids, with room for the ids that clients name.
    let [first, second] = [0, 1].map(|number| {
        let body = stage.object(&format!("first of {number}"));
        stage.admins[number].insert("/rest/objects", &body)
    });
    let type_id = stage.type_id;
    let ids = stage.everywhere(|client, number| {
        let mut ids = Vec::new();
        for count in 0..WRITES {
            let mut body = object_body(type_id, &format!("{number}-{count}"), "nobody", 0);
            if number < 2 {
                ids.push(client.insert("/rest/objects", &body));
                continue;
            }
            // An id in the block of the other node.
            let other = if number % 2 == 0 { second } else { first };
            let named = other + 1 + i64::try_from(count).unwrap() * 2;
            body["public_id"] = named.into();
            let answer = client.post("/rest/objects", &body);
            match answer.status {
                200 => {
                    assert_eq!(answer.body["result_id"], named, "{answer:?}");
                    ids.push(named);
                }
                // A refusal is right only if an object has the id.
                400 => {
                    let holder = client.get(&format!("/rest/objects/{named}/native"));
                    assert_eq!(holder.status, 200, "{answer:?}, and {holder:?}");
                }
                _ => panic!("{answer:?}"),
            }
        }
        ids
    });
    let ids: Vec<i64> = ids.into_iter().flatten().chain([first, second]).collect();
    let different: HashSet<i64> = ids.iter().copied().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
    for admin in &stage.admins {
        let list = admin.get("/rest/objects?limit=0");
        let shown = list.body["results"].as_array().unwrap();
        let shown = shown.iter().map(|row| row["public_id"].as_i64().unwrap());
        assert_eq!(shown.collect::<HashSet<i64>>(), different);
    }
}

#[test]
fn an_id_that_a_client_used_up_on_one_node_is_not_given_by_the_other() {
    let stage = Neighbours::start();
    let [here, there] = &stage.admins;
    let first = here.insert("/rest/objects", &stage.object("first"));
    let mut body = stage.object("named");
    body["public_id"] = (first + 1).into();
    let named = there.insert("/rest/objects", &body);
    let deleted = there.send("DELETE", &format!("/rest/objects/{named}"), None, None);
    assert_eq!(deleted.unwrap().status, 200);
    let next = here.insert("/rest/objects", &stage.object("next"));
    assert!(next > named, "{next} after {named}");
}

#[test]
fn writers_on_two_nodes_change_one_object_in_turn() {
    let stage = Neighbours::start();
    let id = stage.admins[0].insert("/rest/objects", &stage.object("wanted"));
    let path = format!("/rest/objects/{id}");
    let revisions = stage.everywhere(|client, number| {
        let change = |count: usize| {
            // A value that differs from the stored one, because a write that changes nothing
            // creates no revision.
            let body = object_change(u32::try_from(number * WRITES + count + 1).unwrap());
            let answer = client.patch(&path, &body);
            assert_eq!(answer.status, 200, "{answer:?}");
            answer.revision.unwrap()
        };
        (0..WRITES).map(change).collect::<Vec<i64>>()
    });
    let mut revisions: Vec<i64> = revisions.into_iter().flatten().collect();
    revisions.sort_unstable();
    let last = 1 + i64::try_from(WRITERS * WRITES).unwrap();
    assert_eq!(revisions, (2..=last).collect::<Vec<i64>>());
    for admin in &stage.admins {
        let shown = admin.get(&format!("{path}/native"));
        assert_eq!(shown.revision, Some(last), "{shown:?}");
    }
}

#[test]
fn of_those_who_name_a_revision_exactly_one_comes_through() {
    let stage = Neighbours::start();
    let id = stage.admins[0].insert("/rest/objects", &stage.object("wanted"));
    let path = format!("/rest/objects/{id}");
    for round in 0..WRITES {
        let revision = i64::try_from(round + 1).unwrap();
        let statuses = stage.everywhere(|client, number| {
            let body = object_change(u32::try_from(round * WRITERS + number + 1).unwrap());
            let answer = client.send("PATCH", &path, Some(revision), Some(&body));
            answer.unwrap().status
        });
        let successes = statuses.iter().filter(|status| **status == 200).count();
        let refusals = statuses.iter().filter(|status| **status == 412).count();
        assert_eq!((successes, refusals), (1, WRITERS - 1), "{statuses:?}");
    }
}

#[test]
fn looks_on_two_nodes_add_up() {
    let stage = Neighbours::start();
    let ids: Vec<i64> = (0..5)
        .map(|number| {
            let body = stage.object(&format!("seen {number}"));
            stage.admins[0].insert("/rest/objects", &body)
        })
        .collect();
    stage.everywhere(|client, _| {
        for _ in 0..WRITES {
            for id in &ids {
                let answer = client.get(&format!("/rest/objects/{id}"));
                assert_eq!(answer.status, 200, "{answer:?}");
            }
        }
    });
    let all = i64::try_from(WRITERS * WRITES).unwrap();
    for id in ids {
        let path = format!("/rest/objects/{id}/native");
        eventually("all views to be written", PATIENCE, || {
            let views = stage.admins[0].get(&path).body["views"].as_i64().unwrap();
            assert!(views <= all, "{views} views of {all}");
            (views == all).then_some(())
        });
    }
}
