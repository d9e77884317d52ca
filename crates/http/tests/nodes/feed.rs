//! The change feed of three nodes: everything once, in the order of the commits.

use std::cell::Cell;
use std::collections::HashMap;

use fastrand::Rng;
use futures_util::future::join_all;
use serde_json::{Value, json};
use stockroom_testkit::{Client, inventory};

use crate::fixture::{cluster, node, run};

const SEED: u64 = 20_261_123;
const WRITERS: usize = 9;
const WRITES: usize = 60;

/// An acknowledged write: the record and revision, and when it was sent and answered.
struct Acknowledged {
    record: (i64, i64),
    sent: usize,
    answered: usize,
}

#[test]
fn no_change_is_skipped_repeated_or_out_of_order_on_postgres() {
    run(async {
        let cluster = cluster();
        let nodes = [
            node(&cluster).await,
            node(&cluster).await,
            node(&cluster).await,
        ];
        let small = inventory::small(&nodes[0].admin()).await;
        let (ticks, done) = (Cell::new(0), Cell::new(0));
        let writers = (0..WRITERS).map(|number| {
            let client = nodes[number % nodes.len()].admin();
            let (ticks, done) = (&ticks, &done);
            async move {
                let written = write(&client, small.site_type, number as u64, ticks).await;
                done.set(done.get() + 1);
                written
            }
        });
        let readers = nodes.each_ref().map(|node| follow(node.admin(), &done));
        let (written, followed) = tokio::join!(join_all(writers), join_all(readers));

        let written: Vec<Acknowledged> = written.into_iter().flatten().collect();
        for changes in &followed {
            assert_eq!(changes, &followed[0], "nodes have different feeds");
        }
        let mut places = HashMap::new();
        for (place, change) in followed[0].iter().enumerate() {
            assert_eq!(places.insert(change, place), None, "{change:?} came twice");
        }
        let place = |record: (i64, i64)| {
            let known = places.get(&("object".to_owned(), record.0, record.1));
            *known.unwrap_or_else(|| panic!("{record:?} was skipped"))
        };
        for one in &written {
            for other in &written {
                if one.answered < other.sent {
                    assert!(
                        place(one.record) < place(other.record),
                        "{:?} {:?}",
                        one.record,
                        other.record
                    );
                }
            }
        }
        let mut last: HashMap<(&str, i64), i64> = HashMap::new();
        for (resource, id, revision) in &followed[0] {
            let before = last.insert((resource, *id), *revision);
            assert_eq!(before.unwrap_or(0) + 1, *revision, "{resource} {id}");
        }
    });
}

/// Writes objects of its own, and some that all writers share.
async fn write(
    client: &Client,
    type_id: i64,
    number: u64,
    ticks: &Cell<usize>,
) -> Vec<Acknowledged> {
    let tick = || {
        ticks.set(ticks.get() + 1);
        ticks.get()
    };
    let mut random = Rng::with_seed(SEED + number);
    let mut written = Vec::new();
    for round in 0..WRITES {
        let sent = tick();
        let name = format!("{number} {round}");
        let answer = if random.bool() {
            let body = inventory::object(type_id, &[("name", json!(name))]);
            client.post("/rest/objects", body).await
        } else {
            let id = random.i64(1..=2);
            let body = json!({"fields": [{"name": "name", "value": name}]});
            client.patch(&format!("/rest/objects/{id}"), body).await
        };
        let answered = tick();
        let answer = answer.expect(200).json();
        let revision = match answer.get("result_id") {
            Some(id) => (id.as_i64().unwrap(), 1),
            None => continue,
        };
        written.push(Acknowledged {
            record: revision,
            sent,
            answered,
        });
    }
    written
}

/// Follows the feed until all writers are done and nothing is left.
async fn follow(client: Client, done: &Cell<usize>) -> Vec<(String, i64, i64)> {
    let (mut after, mut changes) = (String::new(), Vec::new());
    loop {
        let is_done = done.get() == WRITERS;
        let wait = if is_done { "0" } else { "1" };
        let parameters = [("after", after.as_str()), ("limit", "7"), ("wait", wait)];
        let answer = client
            .query("/rest/changes", &parameters)
            .await
            .expect(200)
            .json();
        let page = answer["results"].as_array().unwrap();
        if page.is_empty() && is_done {
            return changes;
        }
        changes.extend(page.iter().map(entry));
        answer["pager"]["after"]
            .as_str()
            .unwrap()
            .clone_into(&mut after);
    }
}

fn entry(change: &Value) -> (String, i64, i64) {
    let id = change["public_id"].as_i64().unwrap();
    (
        change["resource"].as_str().unwrap().to_owned(),
        id,
        change["revision"].as_i64().unwrap(),
    )
}

#[test]
fn changes_that_were_moved_from_another_server_stay_in_order_on_postgres() {
    run(async {
        let cluster = cluster();
        let server = node(&cluster).await;
        let type_id = inventory::small(&server.admin()).await.site_type;
        let page = |client: Client, after: String| async move {
            let parameters = [("after", after.as_str()), ("limit", "1000")];
            client.query("/rest/changes", &parameters).await
        };
        let before = page(server.admin(), String::new()).await.expect(200).json();
        drop(server);
        // As if a dump of a server with many more transactions had been loaded into this one.
        let moved = "UPDATE change SET transaction_id = transaction_id + 1000000000";
        cluster.query(moved).unwrap();

        let server = node(&cluster).await;
        let admin = server.admin();
        let body = inventory::object(type_id, &[("name", json!("new"))]);
        let id = inventory::insert(&admin, "/rest/objects", body).await;
        let after = page(admin.clone(), String::new()).await.expect(200).json();
        let entries = |page: &Value| {
            let results = page["results"].as_array().unwrap().iter();
            results.map(entry).collect::<Vec<_>>()
        };
        let mut expected = entries(&before);
        expected.push(("object".to_owned(), id, 1));
        assert_eq!(entries(&after), expected);
        let cursor = before["pager"]["after"].as_str().unwrap();
        let _ = page(admin, cursor.to_owned()).await.expect(410);
    });
}
