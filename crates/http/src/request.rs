//! What a request says, and what is known of its route. The order of the extractors in a signature is
//! the order of the checks: no token 401, no right 403, no such path 404, malformed 400.

pub(crate) mod body;
pub(crate) mod conditions;
mod credentials;
mod facts;
pub mod forwarded;
mod info;
pub(crate) mod list;
pub(crate) mod origin;
pub(crate) mod parameters;
pub(crate) mod path;
pub(crate) mod permit;
pub(crate) mod prefer;
mod requester;
mod session_cookie;
mod warnings;

pub(crate) use body::{ChangeBody, JsonBody, SmallJsonBody, field_bytes};
pub(crate) use conditions::{IfMatch, IfNoneMatch};
pub(crate) use credentials::Credentials;
pub(crate) use facts::{MethodFacts, ParameterNames, RouteFacts, RouteTable, WriteKind};
pub(crate) use info::{RequestInfo, Route};
pub(crate) use list::ListQuery;
pub(crate) use origin::{Client, Origin, is_https, own_origin};
pub(crate) use parameters::{NoParameters, Parameters};
pub(crate) use path::{Id, IdAndRevision};
pub(crate) use permit::Permit;
pub(crate) use prefer::Prefer;
pub(crate) use requester::requester;
pub(crate) use session_cookie::{SessionCookie, UsedCookie};
