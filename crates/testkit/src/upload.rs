//! A request whose body arrives slowly.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::Method;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::{Answer, Client};

/// A request whose body the server is waiting for.
pub struct Upload {
    parts: UnboundedSender<Bytes>,
    /// Whether the server waits for a part.
    wanted: UnboundedReceiver<()>,
    answer: JoinHandle<Answer>,
}

impl Client {
    /// Sends a request without its body, and returns when the server waits for the body. The test
    /// fails if the server answers before.
    pub async fn begin(&self, method: Method, path: &str) -> Upload {
        let (parts, arriving) = unbounded_channel::<Bytes>();
        let (waits, wanted) = unbounded_channel();
        let next = move |mut arriving: UnboundedReceiver<Bytes>| {
            let _ = waits.send(());
            async move {
                let part = arriving.recv().await?;
                Some((Ok::<Bytes, Infallible>(part), arriving))
            }
        };
        let body = Body::from_stream(futures_util::stream::unfold(arriving, next));
        let (client, path) = (self.clone(), path.to_owned());
        let answer = tokio::spawn(async move { client.exchange(method, &path, body).await });
        let upload = Upload {
            parts,
            wanted,
            answer,
        };
        match upload.waited().await {
            Ok(upload) => upload,
            Err(answer) => panic!("the body was not waited for\n{answer}"),
        }
    }
}

impl Upload {
    /// Sends a part of the body, and returns when the server waits for more.
    ///
    /// # Errors
    ///
    /// The answer, if the server answers instead.
    pub async fn part(self, part: impl Into<Bytes>) -> Result<Self, Answer> {
        self.parts.send(part.into()).expect("a server that waits");
        self.waited().await
    }

    /// Sends the body and returns the answer.
    pub async fn finish(self, body: &Value) -> Answer {
        let body = Bytes::from(body.to_string());
        self.parts.send(body).expect("a server that waits");
        drop(self.parts);
        self.answer.await.expect("an answer")
    }

    async fn waited(mut self) -> Result<Self, Answer> {
        match self.wanted.recv().await {
            Some(()) => Ok(self),
            None => Err(self.answer.await.expect("an answer")),
        }
    }
}
