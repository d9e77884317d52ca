//! Users with any rights and tokens in any state.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::inventory::insert;
use crate::{Client, TestServer};

const PASSWORD: &str = "a password of a test";

/// A user that a test made.
pub struct Person {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub user_name: String,
    /// Its password.
    pub password: String,
    /// The group made for it.
    pub group_id: i64,
    /// A client with a token of the user.
    pub client: Client,
}

impl TestServer {
    /// Makes a user in a new group with `rights`, and logs in.
    pub async fn user_with(&self, rights: &[&str]) -> Person {
        let number = self.people.fetch_add(1, Ordering::Relaxed) + 1;
        let group = json!({"name": format!("group-{number}"), "label": "Group", "rights": rights});
        let group_id = insert(&self.admin(), "/rest/groups", group).await;
        let user_name = format!("user-{number}");
        let user = json!({"user_name": user_name, "password": PASSWORD, "group_id": group_id, "active": true});
        let id = insert(&self.admin(), "/rest/users", user).await;
        let client = self.login(&user_name, PASSWORD).await;
        Person {
            id,
            user_name,
            password: PASSWORD.to_owned(),
            group_id,
            client,
        }
    }

    /// A client whose user was deactivated after login, and held every right.
    pub async fn inactive(&self) -> Client {
        let person = self.user_with(&["base.*"]).await;
        let path = format!("/rest/users/{}", person.id);
        let change = json!({"active": false});
        let _ = self.admin().patch(&path, change).await.expect(202);
        person.client
    }

    /// A client whose user was deleted after login, and held every right.
    pub async fn deleted(&self) -> Client {
        let person = self.user_with(&["base.*"]).await;
        let path = format!("/rest/users/{}", person.id);
        let _ = self.admin().delete(&path).await.expect(202);
        person.client
    }

    /// A client that has logged out; its user holds every right.
    pub async fn logged_out(&self) -> Client {
        let client = self.login("admin", crate::ADMIN_PASSWORD).await;
        let answer = client.post("/rest/auth/logout", Value::Null).await;
        assert!((200..300).contains(&answer.status), "{answer}");
        client
    }
}

/// Makes an API token as `client`, and returns its secret. `limits` is the body of the request.
pub async fn api_token(client: &Client, limits: Value) -> String {
    let made = client.post("/rest/tokens", limits).await.expect(201);
    made.member("token").as_str().expect("a secret").to_owned()
}
