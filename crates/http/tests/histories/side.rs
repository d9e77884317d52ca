//! One of the two servers, with its clients.

use serde_json::Value;
use stockroom_testkit::{Client, Engine, Setup, TestServer};

use crate::model::Records;

/// The users who write.
pub(crate) const ACTORS: [i64; 2] = [1, 2];

pub(crate) struct Side {
    pub(crate) server: TestServer,
    clients: [Client; 2],
}

impl Side {
    /// A server with another user who may do everything, and its records before there was one.
    pub(crate) async fn start(engine: Engine) -> (Self, Records) {
        let server = Setup::default().start(engine).await;
        let initial = records(&server.admin()).await;
        let person = server.user_with(&["base.*"]).await;
        assert_eq!(person.id, ACTORS[1]);
        let clients = [server.admin(), person.client];
        (Self { server, clients }, initial)
    }

    pub(crate) fn admin(&self) -> &Client {
        &self.clients[0]
    }

    /// A client of a user whose requests have this id.
    pub(crate) fn client(&self, actor: i64, request: &str) -> Client {
        let place = ACTORS.iter().position(|known| *known == actor).unwrap();
        let client = self.clients[place].clone();
        client.with_header("x-request-id", request)
    }

    pub(crate) async fn records(&self) -> Records {
        records(self.admin()).await
    }
}

/// All records.
async fn records(admin: &Client) -> Records {
    let mut records = Records::new();
    for folder in ["objects", "types", "categories", "views", "users", "groups"] {
        let list = format!("/rest/{folder}");
        for record in listed(admin, &list).await {
            let id = record["public_id"].clone();
            records.insert(format!("{list}/{id}"), without_extras(record));
        }
    }
    let users: Vec<String> = records
        .keys()
        .filter(|path| is_user(path))
        .cloned()
        .collect();
    for user in users {
        for setting in listed(admin, &format!("{user}/settings")).await {
            let path = setting_path(&user, setting["identifier"].as_str().unwrap());
            records.insert(path, setting);
        }
    }
    records
}

fn is_user(path: &str) -> bool {
    path.starts_with("/rest/users/")
}

pub(crate) fn setting_path(user: &str, identifier: &str) -> String {
    format!("{user}/settings/{}", identifier.replace(' ', "%20"))
}

async fn listed(admin: &Client, list: &str) -> Vec<Value> {
    // Hundreds of these lists are read, and other tests validate them.
    let client = admin.clone().unchecked();
    let answer = client.get(&format!("{list}?limit=0")).await.expect(200);
    answer.member("results").as_array().unwrap().clone()
}

/// View counts and passwords have no history.
pub(crate) fn without_extras(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|name, _| !["views", "password"].contains(&name.as_str()));
            for member in members.values_mut() {
                *member = without_extras(member.take());
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_extras(item.take());
            }
        }
        _ => {}
    }
    value
}
