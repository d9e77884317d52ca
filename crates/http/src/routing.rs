//! Routes with their documentation. The documentation is made only when it is asked for: it takes
//! more memory than the rest of the start together.

use axum::Router;
use axum::routing::MethodRouter;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::state::AppState;

/// Routes, and how to document them.
pub(crate) struct Routes {
    router: Router<AppState>,
    documented: Vec<fn() -> UtoipaMethodRouter<AppState>>,
}

/// The handlers of a path.
pub(crate) struct PathRoutes {
    pub(crate) path: String,
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

    /// Adds the handlers of a path; see [`routes!`].
    pub(crate) fn routes(mut self, added: PathRoutes) -> Self {
        self.router = self.router.route(&added.path, added.handlers);
        self.documented.push(added.document);
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
        let documented = self.documented.iter();
        let whole = documented.fold(base, |whole, document| whole.routes(document()));
        whole.into_openapi()
    }
}

/// The documented handlers of a path, each for its methods.
macro_rules! routes {
    ($first:path $(, $handler:path)* $(,)?) => {
        $crate::routing::PathRoutes {
            path: utoipa_axum::paste! { utoipa_axum::routes!(@path [path()] of $first) },
            handlers: $crate::routing::on!(axum::routing::MethodRouter::new(), $first $(, $handler)*),
            document: || utoipa_axum::routes!($first $(, $handler)*),
        }
    };
}

/// Adds handlers to a router of methods.
macro_rules! on {
    ($router:expr $(, $handler:path)*) => {{
        use utoipa_axum::PathItemExt as _;
        let router = $router;
        $(
            let methods = utoipa_axum::paste! {
                utoipa_axum::routes!(@path [methods()] of $handler)
            };
            let router = methods.iter().fold(router, |router: axum::routing::MethodRouter<_>, method| {
                router.on(method.to_method_filter(), $handler)
            });
        )*
        router
    }};
}

pub(crate) use {on, routes};
