//! Sessions: a login starts one, refreshing its token prolongs it.

use std::net::IpAddr;
use std::sync::Arc;

use serde::Serialize;
use stockroom_access::permission::{Authenticated, LoggedIn};
use stockroom_auth::Claims;
use stockroom_auth::token::{self, Issued};
use stockroom_model::{Timestamp, UserId};
use stockroom_store::{LoginSession, WriteTx};
use utoipa::ToSchema;

use super::Login;
use crate::{Caller, Error, Permit, Service};

/// A token that expires less than this later is not worth a write.
const LEAST_GAIN_SECONDS: i64 = 60;

/// Where a request comes from.
#[derive(Debug, Clone)]
pub struct Client {
    /// The address of the client: the peer, or the one that a trusted proxy reports.
    pub address: IpAddr,
    /// Its `User-Agent`; empty without one.
    pub user_agent: String,
    /// The id of the request.
    pub request_id: Arc<str>,
}

/// An active login, with its refreshed tokens
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Session {
    #[schema(example = "wZ0PrxAUYRKfHLuHBPZUqw")]
    id: String,
    /// When the session began, in seconds since 1970-01-01 UTC
    started_at: i64,
    /// When its current token was issued, in seconds since 1970-01-01 UTC
    refreshed_at: i64,
    /// When its current token expires, in seconds since 1970-01-01 UTC
    expires_at: i64,
    /// The address that requested the current token
    #[schema(example = "192.0.2.1")]
    address: String,
    /// The client's `User-Agent`, cut to 200 characters
    #[schema(example = "curl/8.14.1")]
    user_agent: String,
    /// Whether this request uses the session
    current: bool,
}

/// The sessions of the caller, most recently refreshed first.
pub async fn sessions(permit: &Permit<LoggedIn>) -> Result<Vec<Session>, Error> {
    let (claims, now) = (permit.caller().claims()?, permit.now().seconds());
    let user = permit.caller().user_id();
    let stored = permit
        .read(move |tx| Ok(tx.login_sessions(user, claims.generation, now)?))
        .await?;
    let current = permit.caller().claims()?;
    let shown = stored.into_iter().rev().map(|session| Session {
        current: session.jti == current.jti,
        id: session.id,
        started_at: session.started_at,
        refreshed_at: session.refreshed_at,
        expires_at: session.expires_at,
        address: session.address,
        user_agent: session.user_agent,
    });
    Ok(shown.collect())
}

/// Ends one session of the caller.
///
/// # Errors
///
/// [`Error::NotFound`] if the caller has no such session.
pub async fn end_session(permit: &Permit<LoggedIn>, id: String) -> Result<(), Error> {
    let (claims, user) = (permit.caller().claims()?, permit.caller().user_id());
    permit
        .write(move |tx| {
            let now = tx.context().now.seconds();
            let sessions = tx.login_sessions(user, claims.generation, now)?;
            let found = sessions.iter().find(|session| session.id == id);
            let session = found.ok_or_else(|| Error::not_found("session", &id))?;
            tx.end_login_session(&session.jti, session.expires_at)?;
            Ok(())
        })
        .await
}

/// Ends all sessions of the caller and every other token; with `keep_current`, only the other
/// sessions. Returns the number of sessions ended.
pub async fn end_sessions(permit: &Permit<LoggedIn>, keep_current: bool) -> Result<usize, Error> {
    let (claims, user) = (permit.caller().claims()?, permit.caller().user_id());
    permit
        .write(move |tx| {
            let now = tx.context().now.seconds();
            // Those that have expired, too: the clock may be ahead.
            let mut sessions = tx.login_sessions(user, claims.generation, 0)?;
            if keep_current {
                sessions.retain(|session| session.jti != claims.jti);
                for session in &sessions {
                    tx.end_login_session(&session.jti, session.expires_at)?;
                }
            } else {
                tx.end_all_tokens(user)?;
            }
            sessions.retain(|session| session.expires_at > now);
            Ok(sessions.len())
        })
        .await
}

/// Ends the token of the request, and with it its session.
pub async fn logout(permit: &Permit<LoggedIn>) -> Result<(), Error> {
    let claims = permit.caller().claims()?;
    permit
        .write(move |tx| {
            tx.end_login_session(&claims.jti, claims.expires_at)?;
            Ok(())
        })
        .await
}

/// Replaces the token of the request by a new one in a single write: a token can be exchanged only
/// once, and never beyond the maximum lifetime of its session.
///
/// # Errors
///
/// [`Error::Unauthenticated`] if the token has ended meanwhile or the session has reached its
/// maximum lifetime.
pub async fn refresh(permit: &Permit<LoggedIn>, client: Client) -> Result<Login, Error> {
    let (claims, id) = (permit.caller().claims()?, permit.caller().user_id());
    let service = Arc::clone(&permit.caller().service);
    let (account, issued) = permit
        .write(move |tx| {
            let account = tx.account(id)?.ok_or(Error::Unauthenticated)?;
            let old = tx.login_session(&claims.jti)?;
            let is_current = account.user.active
                && account.credentials.token_generation == claims.generation
                && tx.end_login_session(&claims.jti, claims.expires_at)?;
            if !is_current {
                return Err(Error::Unauthenticated);
            }
            let now = tx.context().now;
            let started_at = old.as_ref().map_or(claims.issued_at, |old| old.started_at);
            let issued = service.session_token(id, &claims, started_at, now)?;
            let begun = session(id, claims.generation, &issued, &client);
            let session = LoginSession {
                id: old.map_or_else(|| begun.id.clone(), |old| old.id),
                started_at,
                ..begun
            };
            tx.insert_login_session(&session)?;
            Ok((account, issued))
        })
        .await?;
    Ok(permit.service().logged_in(&account, issued))
}

/// Prolongs the session of the request if more than half of its token's life is over. The token
/// keeps its id, so that requests under way stay valid. `None` if nothing is to be done.
///
/// # Errors
///
/// [`Error::Unauthenticated`] if the session has ended meanwhile.
pub async fn renew(caller: &Arc<Caller>) -> Result<Option<Issued>, Error> {
    let (claims, service) = (caller.claims()?, Arc::clone(&caller.service));
    let now = service.clock.now();
    if !claims.is_past_half(now) {
        return Ok(None);
    }
    let permit = Permit::<Authenticated>::new(caller).await?;
    let jti = claims.jti.clone();
    let session = permit.read(move |tx| Ok(tx.login_session(&jti)?)).await?;
    let Some(session) = session else {
        return Ok(None);
    };
    // Another request may have renewed it. Without this, each one with the old token would write.
    let is_renewed = session.expires_at > claims.expires_at;
    let expires_at = if is_renewed {
        session.expires_at
    } else {
        now.seconds() + service.lifetime_left(session.started_at, now)?
    };
    // Near the end of the session there is little to gain.
    if expires_at - claims.expires_at < LEAST_GAIN_SECONDS {
        return Ok(None);
    }
    let lifetime = expires_at - now.seconds();
    let issued = token::renew(&claims, now, lifetime, &service.keys).map_err(Error::internal)?;
    if is_renewed {
        return Ok(Some(issued));
    }
    let refreshed_at = issued.issued_at;
    let is_alive = permit
        .write(move |tx| Ok(tx.renew_login_session(&claims.jti, refreshed_at, expires_at)?))
        .await?;
    Ok(is_alive.then_some(issued))
}

pub(super) fn session(
    user: UserId,
    generation: i64,
    issued: &Issued,
    client: &Client,
) -> LoginSession {
    LoginSession {
        id: issued.jti.clone(),
        user,
        generation,
        jti: issued.jti.clone(),
        started_at: issued.issued_at,
        refreshed_at: issued.issued_at,
        expires_at: issued.expires_at,
        address: client.address.to_string(),
        user_agent: client.user_agent.clone(),
    }
}

/// Makes room for one more session of a user by ending the least recently refreshed ones.
pub(super) fn end_excess_sessions(
    tx: &mut WriteTx<'_>,
    user: UserId,
    generation: i64,
    max_sessions: usize,
) -> Result<(), Error> {
    let now = tx.context().now.seconds();
    let sessions = tx.login_sessions(user, generation, now)?;
    let too_many = (sessions.len() + 1).saturating_sub(max_sessions);
    for session in sessions.iter().take(too_many) {
        tx.end_login_session(&session.jti, session.expires_at)?;
    }
    Ok(())
}

impl Service {
    /// The next token of a session that started at `started_at`, in epoch seconds.
    fn session_token(
        &self,
        user: UserId,
        claims: &Claims,
        started_at: i64,
        now: Timestamp,
    ) -> Result<Issued, Error> {
        let lifetime = self.lifetime_left(started_at, now)?;
        self.token(user, claims.generation, now, lifetime)
    }

    /// How long a new token of a session may be valid, in seconds.
    fn lifetime_left(&self, started_at: i64, now: Timestamp) -> Result<i64, Error> {
        let end = started_at.saturating_add(self.config.session_lifetime_seconds);
        let left = end.saturating_sub(now.seconds());
        if left <= 0 {
            return Err(Error::Unauthenticated);
        }
        Ok(left.min(self.config.token_lifetime_seconds))
    }
}
