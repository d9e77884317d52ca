//! The answers to writes of records that are kept as documents.

use axum::http::StatusCode;
use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_service::Written;

use super::{Answer, Model};

impl Answer {
    /// The answer to an insert. `url` makes the URL of the record from its `public_id` or, for
    /// settings, its `identifier`.
    pub(crate) fn of_insert(
        status: StatusCode,
        model: Model,
        written: &Written,
        now: Timestamp,
        url: impl FnOnce(&Value) -> String,
    ) -> Self {
        let value = &written.document.value;
        let id = value
            .get("public_id")
            .or_else(|| value.get("identifier"))
            .cloned()
            .unwrap_or_default();
        let document = value.to_string();
        Self::inserted(status, model, &id, &document, &written.warnings, now)
            .revision(written.document.revision)
            .location(&url(&id))
    }

    /// The answer to an update of the record at `url`.
    pub(crate) fn of_update(
        status: StatusCode,
        model: Model,
        written: &Written,
        now: Timestamp,
        url: &str,
    ) -> Self {
        let document = written.document.value.to_string();
        Self::updated(status, model, &document, &written.warnings, now)
            .revision(written.document.revision)
            .location(url)
    }

    /// The answer to a delete.
    pub(crate) fn of_delete(
        status: StatusCode,
        model: Model,
        removed: &Written,
        now: Timestamp,
    ) -> Self {
        let document = removed.document.value.to_string();
        Self::deleted(status, model, &document, &removed.warnings, now)
    }
}
