//! Answers as documents.

use serde::Serialize;
use stockroom_model::json::Value;

/// An answer as filters, projections and envelopes take it.
pub(crate) fn document<T: Serialize>(answer: &T) -> Value {
    // It fails only for maps whose keys are not texts; no answer has one.
    serde_json::to_value(answer).unwrap_or_default()
}
