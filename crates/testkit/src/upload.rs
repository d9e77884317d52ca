//! A request whose body arrives slowly.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::Method;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{Answer, Client};

/// A request whose body the server is waiting for.
pub struct Upload {
    body: oneshot::Sender<Bytes>,
    answer: JoinHandle<Answer>,
}

impl Client {
    /// Sends a request without its body, and returns when the server waits for the body. The test
    /// fails if the server answers before.
    pub async fn begin(&self, method: Method, path: &str) -> Upload {
        let (body, arriving) = oneshot::channel::<Bytes>();
        let (wanted, waiting) = oneshot::channel();
        let stream = futures_util::stream::once(async move {
            let _ = wanted.send(());
            Ok::<Bytes, Infallible>(arriving.await.unwrap_or_default())
        });
        let (client, path) = (self.clone(), path.to_owned());
        let sent = async move {
            client
                .exchange(method, &path, Body::from_stream(stream))
                .await
        };
        let answer = tokio::spawn(sent);
        if waiting.await.is_err() {
            let answer = answer.await.expect("an answer");
            panic!("the body was not waited for\n{answer}");
        }
        Upload { body, answer }
    }
}

impl Upload {
    /// Sends the body and returns the answer.
    pub async fn finish(self, body: &Value) -> Answer {
        let body = Bytes::from(body.to_string());
        self.body.send(body).expect("a server that waits");
        self.answer.await.expect("an answer")
    }
}
