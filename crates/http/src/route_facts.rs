//! What is known of the route of a request before the router runs. Each router says it where it adds
//! a route ([`Routes`](crate::routing::Routes)).

use std::sync::LazyLock;

use axum::http::Method;

use crate::openapi;
use crate::write_kind::WriteKind;

/// What is known of a route with a method.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RouteFacts {
    /// How the write may be run; `None` if the route writes no records.
    pub(crate) write: Option<WriteKind>,
    /// Whether the request must go on when the disk is full, or its user has made too many changes:
    /// it makes room, revokes, belongs to a login, or changes a password.
    pub(crate) is_vital: bool,
}

/// The facts of the methods of a path.
pub(crate) type MethodFacts = Vec<(Method, RouteFacts)>;

static ROUTES: LazyLock<matchit::Router<MethodFacts>> = LazyLock::new(|| openapi::routes().facts());

impl RouteFacts {
    /// What is known of the route of a request; nothing if there is no such route. `path` is below
    /// the base path.
    pub(crate) fn of(method: &Method, path: &str) -> Self {
        let of_path = ROUTES.at(path).map(|found| found.value);
        let mut of_path = of_path.into_iter().flatten();
        let of_method = of_path.find(|(known, _)| known == method);
        of_method.map(|(_, facts)| *facts).unwrap_or_default()
    }
}
