//! What is known of the route of a request before the router runs. Each router says it where it adds
//! a route ([`Routes`](crate::routing::Routes)); middleware, transactions, batches and the OpenAPI
//! document ask here instead of looking at paths.

use std::collections::HashMap;
use std::sync::OnceLock;

use axum::http::Method;
use stockroom_service::ReserveUse;

/// What is known of a route with a method.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RouteFacts {
    /// How the write may be run; `None` if the route writes no records.
    pub(crate) write: Option<WriteKind>,
    /// Whether the request goes on when the disk is full, or its user has made too many changes: it
    /// makes room, revokes, belongs to a login, or changes a password.
    pub(crate) reserve: ReserveUse,
    /// Whether the route needs no token.
    pub(crate) is_open: bool,
    /// Whether answers may contain tokens or encoded passwords, which must not be cached.
    pub(crate) is_private: bool,
    /// Whether the method is POST only because the parameters of a list can be too long for a URL.
    pub(crate) is_query: bool,
}

/// How the writes of a route may be run. A route of which nothing is said, such as a login, never
/// runs in a transaction of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    /// Alone, or as one of several in a batch or a revert.
    Operation,
    /// Alone.
    Alone,
    /// Alone, and its answer has a secret, which must not be stored.
    Secret,
}

/// The facts of the methods of a path.
pub(crate) type MethodFacts = Vec<(Method, RouteFacts)>;

/// Path → method in lower case → the names of the query parameters.
pub(crate) type ParameterNames = HashMap<String, HashMap<String, Vec<String>>>;

/// The facts of all routes.
pub(crate) struct RouteTable {
    routes: matchit::Router<MethodFacts>,
    /// Made when they are needed, as they take much memory on the way.
    parameters: OnceLock<ParameterNames>,
    make_parameters: fn() -> ParameterNames,
}

impl RouteTable {
    pub(crate) const fn new(
        routes: matchit::Router<MethodFacts>,
        make_parameters: fn() -> ParameterNames,
    ) -> Self {
        Self {
            routes,
            parameters: OnceLock::new(),
            make_parameters,
        }
    }

    /// What is known of the route of a request. `path` is below the base path. Where there is no
    /// such route, only requests below `/rest` need a token.
    pub(crate) fn of(&self, method: &Method, path: &str) -> RouteFacts {
        let Ok(of_path) = self.routes.at(path) else {
            return RouteFacts {
                is_open: !is_below_rest(path),
                ..RouteFacts::default()
            };
        };
        let method = if *method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let mut of_method = of_path.value.iter();
        match of_method.find(|(known, _)| known == method) {
            Some((_, facts)) => *facts,
            // It is refused, which needs a token if the other methods need one.
            None => RouteFacts {
                is_open: of_path.value.iter().all(|(_, facts)| facts.is_open),
                ..RouteFacts::default()
            },
        }
    }

    /// The names of the query parameters that a route takes. `path` is that of the route.
    pub(crate) fn parameters(&self, method: &Method, path: &str) -> &[String] {
        let method = match *method {
            Method::HEAD => "get".to_owned(),
            ref method => method.as_str().to_ascii_lowercase(),
        };
        let parameters = self.parameters.get_or_init(self.make_parameters);
        let of_path = parameters.get(path);
        let of_method = of_path.and_then(|methods| methods.get(&method));
        of_method.map_or(&[], Vec::as_slice)
    }
}

impl WriteKind {
    /// The value of `x-write` in the OpenAPI document.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Alone => "alone",
            Self::Secret => "secret",
        }
    }
}

fn is_below_rest(path: &str) -> bool {
    path == "/rest" || path.starts_with("/rest/")
}
