//! The token of a request: from the header `Authorization`, or from a cookie.

use std::sync::Arc;

use axum::http::header;
use axum::http::request::Parts;
use stockroom_auth::api_token;
use stockroom_auth::token::from_authorization_header;
use stockroom_service::auth;
use stockroom_service::{Caller, Error, RequestContext};

use crate::answer::Problem;
use crate::request::{Client, RequestInfo, SessionCookie, UsedCookie};
use crate::state::AppState;

/// The token of a request. The request itself cannot be borrowed across the await.
pub(crate) struct Credentials {
    token: Token,
    pub(crate) cookie: UsedCookie,
}

enum Token {
    /// There is none.
    Missing,
    Session(String),
    /// An API token, which may be bound to addresses.
    Api(String, auth::Client),
}

impl Credentials {
    /// The credentials of a request; `None` if the route needs no token. The header
    /// `Authorization` comes before a cookie.
    ///
    /// # Errors
    ///
    /// A page of another site may have caused the browser to send the cookie.
    pub(crate) fn of(
        state: &AppState,
        parts: &Parts,
        info: &RequestInfo,
    ) -> Result<Option<Self>, Problem> {
        if info.facts.is_open {
            return Ok(None);
        }
        if let Some(header) = parts.headers.get(header::AUTHORIZATION) {
            let token = match header.to_str().ok().and_then(from_authorization_header) {
                None => Token::Missing,
                Some(token) if api_token::is_one(token) => {
                    let Client(client) = Client::of(parts, state, Arc::clone(&info.request_id));
                    Token::Api(token.to_owned(), client)
                }
                Some(token) => Token::Session(token.to_owned()),
            };
            return Ok(Some(Self {
                token,
                cookie: UsedCookie(None),
            }));
        }
        let cookie = SessionCookie::of(parts, state);
        let token = match cookie.token(&parts.headers) {
            None => Token::Missing,
            Some(token) => {
                cookie.check_site()?;
                Token::Session(token.to_owned())
            }
        };
        Ok(Some(Self {
            token,
            cookie: UsedCookie(Some(Arc::new(cookie))),
        }))
    }

    /// The caller whose token it is.
    pub(crate) async fn check(
        &self,
        state: &AppState,
        context: RequestContext,
    ) -> Result<Caller, Error> {
        let service = &state.service;
        match &self.token {
            Token::Missing => Err(Error::Unauthenticated),
            Token::Session(token) => service.authenticate(token, context).await,
            Token::Api(token, client) => {
                service.authenticate_api_token(token, client, context).await
            }
        }
    }
}
