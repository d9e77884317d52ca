//! The envelope of a search.

use axum::http::StatusCode;
use serde_json::json;
use stockroom_model::json::Value;
use stockroom_model::{Problem, Timestamp};
use stockroom_service::search::{Facet, Hit, SearchPage};

use super::{Answer, Model, to_text, warned};

impl Answer {
    /// A page of search results.
    pub(crate) fn search(
        page: &SearchPage,
        limit: usize,
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        let hits: Vec<Value> = page.hits.iter().map(hit).collect();
        let facets: Vec<Value> = page.facets.iter().map(facet).collect();
        let body = format!(
            r#"{{"results":{},"count":{},"total":{},"more":{},"facets":{},"pager":{},{}{}"#,
            to_text(&hits),
            hits.len(),
            page.total,
            page.has_more,
            to_text(&facets),
            to_text(&json!({"page_size": limit, "after": page.next})),
            warned(warnings),
            Model::SearchResult.tail("GET", now)
        );
        Self::new(StatusCode::OK, body)
    }
}

fn hit(hit: &Hit) -> Value {
    let field = hit.field.as_ref();
    json!({
        "kind": hit.kind.as_str(),
        "public_id": hit.public_id,
        "type_id": hit.type_id,
        "title": hit.title,
        "field": field.map(|field| json!({"name": field.name, "label": field.label})),
        "value": hit.value,
    })
}

fn facet(facet: &Facet) -> Value {
    json!({"type_id": facet.type_id, "label": facet.label, "count": facet.count})
}
