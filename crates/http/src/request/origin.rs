//! The address of the client, and the absolute URLs of answers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use percent_encoding::percent_decode_str;
use stockroom_service::auth;

use crate::answer::{Pages, Problem};
use crate::request::RequestInfo;
use crate::request::forwarded::client_address;
use crate::state::AppState;

/// Builds absolute URLs as the client sees the service.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// Scheme, host and base path, without a slash at the end.
    root: String,
    /// Path and query of the request, below the base path.
    target: String,
}

impl Origin {
    /// The URL of a path such as `/rest/objects/5`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.root)
    }

    /// The URL of the request.
    pub(crate) fn current(&self) -> String {
        self.url(&self.target)
    }

    /// The URLs of the request with another `page`, in place or at the end.
    pub(crate) fn pages(&self) -> Pages {
        self.with("page", "after")
    }

    /// The URL of the page after a cursor.
    pub(crate) fn after(&self, cursor: &str) -> String {
        let Pages { before, after } = self.with("after", "page");
        format!("{before}{cursor}{}", after.unwrap_or_default())
    }

    /// The URLs of the request with another value of `name`, in place or at the end, and without
    /// `other`, which excludes it. Parameters without a value are left out.
    fn with(&self, name: &str, other: &str) -> Pages {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let most = self.root.len() + self.target.len() + name.len() + "?&=".len();
        let mut before = String::with_capacity(most);
        before.extend([&self.root, path, "?"]);
        let mut pages = Pages {
            before,
            after: None,
        };
        for pair in query.split('&') {
            let key = percent_decode_str(pair.split('=').next().unwrap_or_default());
            if key.clone().eq(name.bytes()) {
                pages.after = Some(String::new());
            } else if pair.is_empty() || !has_value(pair) || key.eq(other.bytes()) {
                // Left out.
            } else if let Some(after) = &mut pages.after {
                after.push('&');
                after.push_str(pair);
            } else {
                pages.before.push_str(pair);
                pages.before.push('&');
            }
        }
        pages.before.push_str(name);
        pages.before.push('=');
        pages
    }
}

/// A parameter without `=` is a flag.
fn has_value(pair: &str) -> bool {
    pair.split_once('=')
        .is_none_or(|(_, value)| !value.is_empty())
}

impl FromRequestParts<AppState> for Origin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let config = &state.config;
        let uri = RequestInfo::of(&parts.extensions).map_or(&parts.uri, |info| &info.target);
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        let target = target
            .strip_prefix(config.base_path.as_str())
            .unwrap_or(target)
            .to_owned();
        let root = match &config.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("{}{}", host(parts, state), config.base_path),
        };
        Ok(Self { root, target })
    }
}

/// Scheme and host that pages of this server have in a browser.
pub(crate) fn own_origin(parts: &Parts, state: &AppState) -> String {
    match &state.config.public_url {
        // Up to the third slash.
        Some(url) => url.split('/').take(3).collect::<Vec<_>>().join("/"),
        None => host(parts, state),
    }
}

/// Whether clients reach this server by HTTPS.
pub(crate) fn is_https(parts: &Parts, state: &AppState) -> bool {
    match &state.config.public_url {
        Some(url) => url.starts_with("https:"),
        None => forwarded(parts, state, "x-forwarded-proto")
            .map_or(state.config.is_encrypted, |scheme| scheme == "https"),
    }
}

/// A header that a trusted proxy sets.
fn forwarded<'h>(parts: &'h Parts, state: &AppState, name: &str) -> Option<&'h str> {
    if is_trusted(parts, state) {
        first(&parts.headers, name)
    } else {
        None
    }
}

/// Scheme and host, as forwarded if the peer is a trusted proxy.
fn host(parts: &Parts, state: &AppState) -> String {
    let scheme = if is_https(parts, state) {
        "https"
    } else {
        "http"
    };
    // The target of HTTP/2, and an absolute one of HTTP/1.1, go before `Host` (RFC 9112, 3.2.2).
    let host = forwarded(parts, state, "x-forwarded-host")
        .or_else(|| parts.uri.authority().map(Authority::as_str))
        .or_else(|| first(&parts.headers, header::HOST.as_str()));
    format!(
        "{scheme}://{}",
        host.filter(|host| is_host(host)).unwrap_or("localhost")
    )
}

fn first<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get(name)?
        .to_str()
        .ok()?
        .split(',')
        .next()
        .map(str::trim)
}

/// Whether a text is safe as host and port in a URL. Otherwise a client could inject text into
/// answers.
fn is_host(host: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]_".contains(&byte);
    host.bytes().all(is_usual) && host.parse::<Authority>().is_ok()
}

fn peer(parts: &Parts) -> IpAddr {
    parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| {
            info.0.ip().to_canonical()
        })
}

fn is_trusted(parts: &Parts, state: &AppState) -> bool {
    is_proxy(peer(parts), state)
}

fn is_proxy(address: IpAddr, state: &AppState) -> bool {
    let proxies = &state.config.trusted_proxies;
    proxies.iter().any(|proxy| proxy.contains(address))
}

/// The client of a request, as sessions show it.
pub(crate) struct Client(pub(crate) auth::Client);

/// Longer user agents are truncated.
const MAX_USER_AGENT: usize = 200;

impl Client {
    /// The address of the client: the peer, or the one that a trusted proxy reports.
    pub(crate) fn address(parts: &Parts, state: &AppState) -> IpAddr {
        let values = parts.headers.get_all("x-forwarded-for").iter();
        // An unreadable value counts like any other entry that is not an address.
        let values = values.map(|value| value.to_str().unwrap_or_default());
        client_address(peer(parts), values, |address| is_proxy(address, state))
    }

    /// The client of the request with this id.
    pub(crate) fn of(parts: &Parts, state: &AppState, request_id: Arc<str>) -> Self {
        let user_agent = parts.headers.get(header::USER_AGENT);
        let user_agent = user_agent.and_then(|value| value.to_str().ok());
        Self(auth::Client {
            address: Self::address(parts, state),
            user_agent: user_agent.map_or_else(String::new, |text| {
                text.chars().take(MAX_USER_AGENT).collect()
            }),
            request_id,
        })
    }
}

impl FromRequestParts<AppState> for Client {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let request_id = RequestInfo::of(&parts.extensions).map(|info| &info.request_id);
        let request_id = request_id.map_or_else(|| Arc::from(""), Arc::clone);
        Ok(Self::of(parts, state, request_id))
    }
}
