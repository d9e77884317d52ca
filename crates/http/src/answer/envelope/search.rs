//! The envelope of a search.

use axum::http::StatusCode;
use serde::Serialize;
use stockroom_model::{Problem, Timestamp};
use stockroom_service::search::SearchPage;
use utoipa::ToSchema;

use super::{Answer, Model, to_text, warned};

/// The page of a search
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchPager<'p> {
    /// Results per page
    #[schema(value_type = i64)]
    page_size: usize,
    /// The cursor of the next page; null on the last one
    #[schema(required)]
    after: Option<&'p str>,
}

impl Answer {
    /// A page of search results.
    pub(crate) fn search(
        page: &SearchPage,
        limit: usize,
        warnings: &[Problem],
        now: Timestamp,
    ) -> Self {
        let pager = SearchPager {
            page_size: limit,
            after: page.next.as_deref(),
        };
        let body = format!(
            r#"{{"results":{},"count":{},"total":{},"more":{},"facets":{},"pager":{},{}{}"#,
            to_text(&page.hits),
            page.hits.len(),
            page.total,
            page.has_more,
            to_text(&page.facets),
            to_text(&pager),
            warned(warnings),
            Model::SearchResult.tail("GET", now)
        );
        Self::new(StatusCode::OK, body)
    }
}
