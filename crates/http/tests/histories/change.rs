//! A write of a record, as a value.

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_testkit::{Answer, Client};

/// What the history calls the changes of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Insert,
    Update,
    State,
    Clean,
    Delete,
    Restore,
    /// A change of a user that its record does not show.
    Password,
}

impl Kind {
    /// The action of the change of a record, which a write may change only by the way.
    pub(crate) const fn action(self, is_left: bool) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Delete if !is_left => "delete",
            Self::Update | Self::Delete | Self::Password => "update",
            Self::State => "state",
            Self::Clean => "clean",
            Self::Restore => "restore",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) kind: Kind,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Value,
}

impl Write {
    pub(crate) fn insert(list: &str, body: Value) -> Self {
        Self::new(Kind::Insert, Method::POST, list.to_owned(), body)
    }

    pub(crate) fn patch(path: String, body: Value) -> Self {
        Self::new(Kind::Update, Method::PATCH, path, body)
    }

    pub(crate) fn put(path: String, body: Value) -> Self {
        Self::new(Kind::Update, Method::PUT, path, body)
    }

    pub(crate) fn state(path: &str, is_active: bool) -> Self {
        let path = format!("{path}/state");
        Self::new(Kind::State, Method::PUT, path, json!(is_active))
    }

    pub(crate) fn clean(type_id: i64) -> Self {
        let path = format!("/rest/objects/clean/{type_id}");
        Self::new(Kind::Clean, Method::PUT, path, Value::Null)
    }

    pub(crate) fn password(user: &str, password: &str) -> Self {
        let body = json!({"password": password});
        let path = format!("{user}/password");
        Self::new(Kind::Password, Method::PATCH, path, body)
    }

    pub(crate) fn delete(path: String) -> Self {
        Self::new(Kind::Delete, Method::DELETE, path, Value::Null)
    }

    pub(crate) fn restore(path: &str, body: Value) -> Self {
        let path = format!("{path}/restore");
        Self::new(Kind::Restore, Method::POST, path, body)
    }

    const fn new(kind: Kind, method: Method, path: String, body: Value) -> Self {
        Self {
            kind,
            method,
            path,
            body,
        }
    }

    pub(crate) async fn send(&self, client: &Client) -> Answer {
        if self.method == Method::DELETE {
            return client.delete(&self.path).await;
        }
        let headers = [("content-type", "application/json")];
        let body = self.body.to_string().into_bytes();
        client
            .send(self.method.clone(), &self.path, &headers, body)
            .await
    }

    /// The write as an operation of a batch.
    pub(crate) fn operation(&self) -> Value {
        let path = self.path.strip_prefix("/rest").unwrap();
        json!({"method": self.method.as_str(), "path": path, "body": self.body})
    }

    /// The write with the ids that earlier operations gave.
    pub(crate) fn resolved(&self, ids: &[Value]) -> Self {
        let mut resolved = self.clone();
        for member in resolved.body.as_object_mut().into_iter().flatten() {
            if let Some(number) = member.1["$result"].as_u64() {
                *member.1 = ids[usize::try_from(number).unwrap()].clone();
            }
        }
        resolved
    }
}
