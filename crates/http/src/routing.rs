//! Routes with their documentation. The documentation is made only when it is asked for: it takes
//! more memory than the rest of the start together.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use stockroom_service::ReserveUse;
use utoipa::openapi::{HttpMethod, OpenApi};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::request::{MethodFacts, RouteFacts, WriteKind};
use crate::state::AppState;

/// The end of the path of a query route: every list also takes its parameters as the body of a POST,
/// for parameters too long for a URL.
pub(crate) const QUERY: &str = "/query";

/// Routes, what is known of them, and how to document them.
pub(crate) struct Routes {
    router: Router<AppState>,
    facts: BTreeMap<String, MethodFacts>,
    documents: Vec<fn() -> UtoipaMethodRouter<AppState>>,
}

/// The handlers of a path.
pub(crate) struct PathRoutes {
    pub(crate) path: String,
    pub(crate) methods: Vec<HttpMethod>,
    pub(crate) handlers: MethodRouter<AppState>,
    pub(crate) document: fn() -> UtoipaMethodRouter<AppState>,
    pub(crate) facts: RouteFacts,
    /// The handlers of the query route, if it is that of a list.
    pub(crate) query: Option<MethodRouter<AppState>>,
}

impl PathRoutes {
    /// Says that requests of this path must go on when the disk is full; see
    /// [`RouteFacts::reserve`].
    pub(crate) const fn vital(mut self) -> Self {
        self.facts.reserve = ReserveUse::All;
        self
    }

    /// Says that requests of this path need no token.
    pub(crate) const fn open(mut self) -> Self {
        self.facts.is_open = true;
        self
    }

    /// Adds the query route of a list.
    pub(crate) fn with_query(self, handlers: MethodRouter<AppState>) -> Self {
        Self {
            query: Some(handlers),
            ..self
        }
    }

    fn facts_of(&self, method: &Method, write: Option<WriteKind>) -> RouteFacts {
        let of_method = if method == Method::DELETE {
            ReserveUse::Most
        } else {
            ReserveUse::None
        };
        RouteFacts {
            write: write.filter(|_| method != Method::GET),
            reserve: self.facts.reserve.max(of_method),
            ..self.facts
        }
    }
}

impl Routes {
    pub(crate) fn new() -> Self {
        Self {
            router: Router::new(),
            facts: BTreeMap::new(),
            documents: Vec::new(),
        }
    }

    /// Adds the handlers of a path that write no records; see [`routes!`].
    pub(crate) fn routes(self, added: PathRoutes) -> Self {
        self.add(None, added)
    }

    /// Adds the handlers of a path whose methods, but for GET, write records.
    pub(crate) fn writes(self, kind: WriteKind, added: PathRoutes) -> Self {
        self.add(Some(kind), added)
    }

    fn add(mut self, write: Option<WriteKind>, added: PathRoutes) -> Self {
        let methods = added.methods.iter().filter_map(method_of);
        let facts = methods.map(|method| {
            let facts = added.facts_of(&method, write);
            (method, facts)
        });
        let of_path = self.facts.entry(added.path.clone()).or_default();
        of_path.extend(facts);
        self.router = self.router.route(&added.path, added.handlers);
        self.documents.push(added.document);
        match added.query {
            Some(handlers) => self.add_query(format!("{}{QUERY}", added.path), handlers),
            None => self,
        }
    }

    /// It is documented from the GET of its list, which has the same handler.
    fn add_query(mut self, path: String, handlers: MethodRouter<AppState>) -> Self {
        let facts = RouteFacts {
            is_query: true,
            ..RouteFacts::default()
        };
        self.router = self.router.route(&path, handlers);
        self.facts
            .entry(path)
            .or_default()
            .push((Method::POST, facts));
        self
    }

    /// Says of the other methods of a query route what is known of them at `other`, a path that would
    /// match without that route.
    pub(crate) fn like(mut self, path: &str, other: &str) -> Self {
        let others = self.facts.get(other).cloned().unwrap_or_default();
        self.facts
            .entry(path.to_owned())
            .or_default()
            .extend(others);
        self
    }

    /// Says that answers of all these routes must not be cached; see [`RouteFacts::is_private`].
    pub(crate) fn private(mut self) -> Self {
        for (_, facts) in self.facts.values_mut().flatten() {
            facts.is_private = true;
        }
        self
    }

    pub(crate) fn merge(mut self, others: Self) -> Self {
        self.router = self.router.merge(others.router);
        self.facts.extend(others.facts);
        self.documents.extend(others.documents);
        self
    }

    pub(crate) fn into_router(self) -> Router<AppState> {
        self.router
    }

    /// Completes a document with all routes.
    pub(crate) fn document(&self, base: OpenApi) -> OpenApi {
        let base = OpenApiRouter::with_openapi(base);
        let documents = self.documents.iter();
        let whole = documents.fold(base, |whole, document| whole.routes(document()));
        whole.into_openapi()
    }

    /// What is known of each path and its methods.
    pub(crate) fn into_facts(self) -> matchit::Router<MethodFacts> {
        let mut router = matchit::Router::new();
        for (path, facts) in self.facts {
            // The paths were taken by a router of the same kind, so none is refused.
            let _ = router.insert(path, facts);
        }
        router
    }
}

fn method_of(method: &HttpMethod) -> Option<Method> {
    match method {
        HttpMethod::Get => Some(Method::GET),
        HttpMethod::Post => Some(Method::POST),
        HttpMethod::Put => Some(Method::PUT),
        HttpMethod::Patch => Some(Method::PATCH),
        HttpMethod::Delete => Some(Method::DELETE),
        _ => None,
    }
}

/// The documented handlers of a path, each for its methods.
macro_rules! routes {
    ($first:path $(, $handler:path)* $(,)?) => {
        $crate::routing::PathRoutes {
            path: utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $first) },
            methods: [$($crate::routing::methods!($handler),)* $crate::routing::methods!($first)].concat(),
            handlers: $crate::routing::on!(axum::routing::MethodRouter::new(), $first $(, $handler)*),
            document: || utoipa_axum::routes!($first $(, $handler)*),
            facts: $crate::request::RouteFacts::default(),
            query: None,
        }
    };
}

/// The documented methods of a handler.
macro_rules! methods {
    ($handler:path) => {
        utoipa_axum::paste! { utoipa_axum::routes!(@path [methods()] of $handler) }
    };
}

/// Adds handlers to a router of methods.
macro_rules! on {
    ($router:expr $(, $handler:path)*) => {{
        use utoipa_axum::PathItemExt as _;
        let router = $router;
        $(
            let methods = $crate::routing::methods!($handler);
            let router = methods.iter().fold(router, |router: axum::routing::MethodRouter<_>, method| {
                router.on(method.to_method_filter(), $handler)
            });
        )*
        router
    }};
}

pub(crate) use {methods, on, routes};
