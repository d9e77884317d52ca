//! The parameters of lists and the envelope that echoes them (contract, "Lists").

use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;
use serde_json::json;
use stockroom_filter::{Order, Parsed, Projection};
use stockroom_model::Timestamp;
use stockroom_model::json::{Value, parse};
use stockroom_service::{ListRequest, Page};

use super::{Origin, Parameters};
use crate::envelope::{Answer, ListEnvelope, Model};
use crate::problem::Problem;
use crate::state::AppState;

const DEFAULT_LIMIT: usize = 10;

/// What was asked of a list.
pub(crate) struct ListQuery {
    /// For the use case.
    pub(crate) request: ListRequest,
    /// For what only some lists know.
    pub(crate) parameters: Parameters,
    origin: Origin,
    echo: Value,
    now: Timestamp,
}

impl FromRequestParts<AppState> for ListQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let origin = Origin::from_request_parts(parts, state).await?;
        let parameters = Parameters::from_request_parts(parts, state).await?;
        let filter_text = parameters.get("filter")?.unwrap_or("{}");
        let filter_value = parse(filter_text.as_bytes()).map_err(|error| {
            Problem::invalid("filter", format!("is not acceptable JSON: {error}"))
        })?;
        let filter =
            Parsed::from_value(&filter_value, state.service.limits()).map_err(|invalid| {
                Problem::invalid(&format!("filter{}", invalid.pointer), invalid.detail)
            })?;
        let projection = parameters.get("projection")?.map(projection).transpose()?;
        let order = parameters
            .get("order")?
            .unwrap_or("1")
            .parse()
            .unwrap_or(-1);
        let request = ListRequest {
            filter,
            sort: parameters.get("sort")?.unwrap_or("public_id").to_owned(),
            order: Order::from(order),
            page: parameters.number("page", 1, 1)?,
            limit: parameters.number("limit", DEFAULT_LIMIT, 0)?,
            active_only: parameters.flag("active")?.unwrap_or(false),
            projection,
            total_only: parts.method == Method::HEAD,
        };
        let mut echo = json!({
            "limit": request.limit, "sort": request.sort, "order": order, "page": request.page, "filter": filter_value, "optional": {},
        });
        if let Some(text) = parameters.get("projection")? {
            echo["projection"] = parse(text.as_bytes()).unwrap_or_default();
        }
        Ok(Self {
            request,
            parameters,
            origin,
            echo,
            now: state.service.clock().now(),
        })
    }
}

fn projection(text: &str) -> Result<Projection, Problem> {
    Projection::parse(text).map_err(|invalid| {
        Problem::invalid(&format!("projection{}", invalid.pointer), invalid.detail)
    })
}

impl ListQuery {
    /// Sorts by `path` unless the caller named another one.
    pub(crate) fn default_sort(&mut self, path: &str) -> Result<(), Problem> {
        if self.parameters.get("sort")?.is_none() {
            path.clone_into(&mut self.request.sort);
            self.echo["sort"] = Value::from(path);
        }
        Ok(())
    }

    /// Everything in one page unless the caller sent a limit: trees are not cut by default.
    pub(crate) fn default_unpaged(&mut self) -> Result<(), Problem> {
        if self.parameters.get("limit")?.is_none() {
            self.request.limit = 0;
            self.echo["limit"] = Value::from(0);
        }
        Ok(())
    }

    /// Notes an extra parameter, such as the view, in `parameters.optional`.
    pub(crate) fn echo_optional(&mut self, name: &str, value: &str) {
        self.echo["optional"][name] = Value::from(value);
    }

    /// The envelope of a list of so many records.
    pub(crate) fn envelope(self, model: Model, total: usize) -> ListEnvelope {
        let Self {
            request,
            origin,
            echo,
            now,
            ..
        } = self;
        let total_pages = match (request.limit, total) {
            (0, _) => 1,
            (limit, total) => total.div_ceil(limit),
        };
        let last = total_pages.max(1);
        let pager =
            json!({ "page": request.page, "page_size": request.limit, "total_pages": total_pages });
        let pagination = json!({
            "current": origin.current(),
            "first": origin.page(1),
            "prev": origin.page((request.page - 1).clamp(1, last)),
            "next": origin.page(request.page.saturating_add(1).clamp(1, last)),
            "last": origin.page(last),
        });
        ListEnvelope {
            model,
            total,
            parameters: echo,
            pager,
            pagination,
            now,
        }
    }

    /// The answer to a list of a small collection.
    pub(crate) fn answer(self, model: Model, page: &Page) -> Answer {
        self.envelope(model, page.total).answer(&page.results)
    }
}
