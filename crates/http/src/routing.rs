//! Routes with their documentation. The documentation is made only when it is asked for: it takes
//! more memory than the rest of the start together.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use utoipa::openapi::{HttpMethod, OpenApi};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::route_facts::{MethodFacts, RouteFacts};
use crate::state::AppState;
use crate::write_kind::WriteKind;

/// Routes, and how to document them.
pub(crate) struct Routes {
    router: Router<AppState>,
    documented: Vec<Documented>,
}

/// What is known of the handlers of a path besides themselves.
struct Documented {
    path: String,
    methods: Vec<HttpMethod>,
    /// How the methods but GET may be run, if they write records.
    writes: Option<WriteKind>,
    is_vital: bool,
    document: fn() -> UtoipaMethodRouter<AppState>,
}

/// The handlers of a path.
pub(crate) struct PathRoutes {
    pub(crate) path: String,
    pub(crate) methods: Vec<HttpMethod>,
    pub(crate) handlers: MethodRouter<AppState>,
    pub(crate) document: fn() -> UtoipaMethodRouter<AppState>,
    pub(crate) is_vital: bool,
}

impl PathRoutes {
    /// Says that requests of this path must go on when the disk is full; see
    /// [`RouteFacts::is_vital`].
    pub(crate) fn vital(self) -> Self {
        Self {
            is_vital: true,
            ..self
        }
    }
}

impl Routes {
    pub(crate) fn new() -> Self {
        Self {
            router: Router::new(),
            documented: Vec::new(),
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

    fn add(mut self, writes: Option<WriteKind>, added: PathRoutes) -> Self {
        self.router = self.router.route(&added.path, added.handlers);
        self.documented.push(Documented {
            path: added.path,
            methods: added.methods,
            writes,
            is_vital: added.is_vital,
            document: added.document,
        });
        self
    }

    /// Adds handlers without documentation.
    pub(crate) fn route(mut self, path: &str, handlers: MethodRouter<AppState>) -> Self {
        self.router = self.router.route(path, handlers);
        self
    }

    pub(crate) fn merge(mut self, others: Self) -> Self {
        self.router = self.router.merge(others.router);
        self.documented.extend(others.documented);
        self
    }

    pub(crate) fn into_router(self) -> Router<AppState> {
        self.router
    }

    /// Completes a document with all routes.
    pub(crate) fn document(&self, base: OpenApi) -> OpenApi {
        let base = OpenApiRouter::with_openapi(base);
        let whole = self.documented.iter().fold(base, |whole, documented| {
            let (schemas, mut paths, methods) = (documented.document)();
            if let Some(kind) = documented.writes {
                let items = paths.paths.values_mut();
                items.for_each(|item| kind.document(item));
            }
            whole.routes((schemas, paths, methods))
        });
        whole.into_openapi()
    }

    /// What is known of each path and its methods.
    pub(crate) fn facts(&self) -> matchit::Router<MethodFacts> {
        let mut facts: BTreeMap<&str, MethodFacts> = BTreeMap::new();
        for documented in &self.documented {
            let of_path = facts.entry(&documented.path).or_default();
            let methods = documented.methods.iter().filter_map(method_of);
            of_path.extend(methods.map(|method| {
                let facts = documented.facts(&method);
                (method, facts)
            }));
        }
        let mut router = matchit::Router::new();
        for (path, facts) in facts {
            // The paths were taken by a router of the same kind, so none is refused.
            let _ = router.insert(path, facts);
        }
        router
    }
}

impl Documented {
    fn facts(&self, method: &Method) -> RouteFacts {
        RouteFacts {
            write: self.writes.filter(|_| method != Method::GET),
            // A delete makes room or revokes.
            is_vital: self.is_vital || method == Method::DELETE,
        }
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
            is_vital: false,
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
