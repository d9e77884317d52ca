//! Routes with their documentation. The documentation is made only when it is asked for: it takes
//! more memory than the rest of the start together.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::Method;
use axum::routing::MethodRouter;
use utoipa::openapi::{HttpMethod, OpenApi};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::state::AppState;
use crate::write_kind::{Kinds, WriteKind};

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
    document: fn() -> UtoipaMethodRouter<AppState>,
}

/// The handlers of a path.
pub(crate) struct PathRoutes {
    pub(crate) path: String,
    pub(crate) methods: Vec<HttpMethod>,
    pub(crate) handlers: MethodRouter<AppState>,
    pub(crate) document: fn() -> UtoipaMethodRouter<AppState>,
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

    /// How the writes of each path may be run.
    pub(crate) fn write_kinds(&self) -> matchit::Router<Kinds> {
        let mut kinds: BTreeMap<&str, Kinds> = BTreeMap::new();
        for documented in &self.documented {
            let Some(kind) = documented.writes else {
                continue;
            };
            let writing = documented.methods.iter().filter_map(writing_method);
            let of_path = kinds.entry(&documented.path).or_default();
            of_path.extend(writing.map(|method| (method, kind)));
        }
        let mut router = matchit::Router::new();
        for (path, kinds) in kinds {
            // The paths were taken by a router of the same kind, so none is refused.
            let _ = router.insert(path, kinds);
        }
        router
    }
}

fn writing_method(method: &HttpMethod) -> Option<Method> {
    match method {
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
