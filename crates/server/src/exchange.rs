//! Passes requests of a connection to the service, and its answers back.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use hyper::body::Incoming;
use pin_project_lite::pin_project;

use crate::activity::{Activity, Exchange};
use crate::response_body::ResponseBody;
use crate::{Application, Peer, RequestBody};

/// The service for one connection.
pub(crate) struct ConnectionService<S> {
    pub(crate) service: S,
    pub(crate) peer: Peer,
    pub(crate) activity: Arc<Activity>,
}

impl<S: Application> hyper::service::Service<Request<Incoming>> for ConnectionService<S> {
    type Response = Response<ResponseBody<S::Body>>;
    type Error = Infallible;
    type Future = ResponseFuture<S::Future>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let (mut head, incoming) = request.into_parts();
        let exchange = self.activity.begin(&head);
        head.extensions.insert(self.peer);
        let body = RequestBody::new(incoming, Arc::clone(&self.activity));
        let request = Request::from_parts(head, body);
        ResponseFuture {
            future: self.service.clone().call(request),
            exchange: Some(exchange),
        }
    }
}

pin_project! {
    /// The future of the service's answer to a request.
    pub(crate) struct ResponseFuture<F> {
        #[pin]
        future: F,
        exchange: Option<Exchange>,
    }
}

impl<F, B> Future for ResponseFuture<F>
where
    F: Future<Output = Result<Response<B>, Infallible>>,
{
    type Output = Result<Response<ResponseBody<B>>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let Ok(response) = ready!(this.future.poll(cx));
        match this.exchange.take() {
            Some(exchange) => {
                Poll::Ready(Ok(response.map(|body| ResponseBody::new(body, exchange))))
            }
            // A future is not polled again after it was ready.
            None => Poll::Pending,
        }
    }
}
