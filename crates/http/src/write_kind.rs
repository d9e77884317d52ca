//! Which routes write records, and how such a write may be run. Each router says it where it adds
//! a route ([`Routes::writes`](crate::routing::Routes::writes)), and the OpenAPI document shows it.
//! A route of which nothing is said, such as a login, never runs in a transaction of its request.

use std::sync::LazyLock;

use axum::http::Method;
use utoipa::openapi::path::PathItem;

use crate::openapi;

/// The member of an operation in the OpenAPI document.
pub(crate) const EXTENSION: &str = "x-write";

/// How the writes of a route may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    /// Alone, or as one of several in a batch or a revert.
    Operation,
    /// Alone.
    Alone,
    /// Alone, and its answer has a secret, which must not be stored.
    Secret,
}

/// The kinds of the methods of a path.
pub(crate) type Kinds = Vec<(Method, WriteKind)>;

static ROUTES: LazyLock<matchit::Router<Kinds>> = LazyLock::new(|| openapi::routes().write_kinds());

impl WriteKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Alone => "alone",
            Self::Secret => "secret",
        }
    }

    /// How the write of a request may be run; `None` if its route writes no records. `path` is
    /// below the base path.
    pub(crate) fn of(method: &Method, path: &str) -> Option<Self> {
        let kinds = ROUTES.at(path).ok()?.value;
        let of_method = kinds.iter().find(|(known, _)| known == method);
        of_method.map(|(_, kind)| *kind)
    }

    /// Shows the kind at the operations that write.
    pub(crate) fn document(self, item: &mut PathItem) {
        let operations = [
            &mut item.post,
            &mut item.put,
            &mut item.patch,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            let extensions = operation.extensions.get_or_insert_default();
            extensions.insert(EXTENSION.to_owned(), self.as_str().into());
        }
    }
}
