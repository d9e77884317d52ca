//! Which routes write records, and how such a write may be run. Each router says it where it adds
//! a route ([`Routes::writes`](crate::routing::Routes::writes)), and the OpenAPI document shows it.
//! A route of which nothing is said, such as a login, never runs in a transaction of its request.

use utoipa::openapi::path::PathItem;

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

impl WriteKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Alone => "alone",
            Self::Secret => "secret",
        }
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
