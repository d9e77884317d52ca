//! The parameters of lists and the envelope that echoes them (contract, "Lists").

use std::fmt::Write as _;

use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;
use stockroom_filter::{Order, Parsed, Projection};
use stockroom_model::Timestamp;
use stockroom_model::json::{Value, parse};
use stockroom_service::{ListRequest, Page};

use super::{Origin, Parameters};
use crate::envelope::{Answer, ListEnvelope, Model, Pager, to_text};
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
    order: i64,
    filter: Value,
    projection: Option<Value>,
    optional: Vec<(&'static str, &'static str)>,
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
        let projection = parameters
            .get("projection")?
            .map(|text| parse(text.as_bytes()).unwrap_or_default());
        Ok(Self {
            request,
            parameters,
            origin,
            order,
            filter: filter_value,
            projection,
            optional: Vec::new(),
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
        }
        Ok(())
    }

    /// Everything in one page unless the caller sent a limit: trees are not cut by default.
    pub(crate) fn default_unpaged(&mut self) -> Result<(), Problem> {
        if self.parameters.get("limit")?.is_none() {
            self.request.limit = 0;
        }
        Ok(())
    }

    /// Notes an extra parameter, such as the view, in `parameters.optional`.
    pub(crate) fn echo_optional(&mut self, name: &'static str, value: &'static str) {
        self.optional.push((name, value));
    }

    /// The envelope of a list of so many records, if that is known.
    pub(crate) fn envelope(&self, model: Model, total: Option<usize>) -> ListEnvelope {
        let total_pages = match (self.request.limit, total) {
            (0, _) => Some(1),
            (limit, total) => total.map(|total| total.div_ceil(limit)),
        };
        ListEnvelope {
            model,
            total,
            parameters: self.echo(),
            pager: Pager {
                page: self.request.page,
                page_size: self.request.limit,
                total_pages,
                after: None,
            },
            current: self.origin.current(),
            pages: self.origin.pages(),
            now: self.now,
        }
    }

    /// What was asked, as JSON text.
    fn echo(&self) -> String {
        let request = &self.request;
        let mut echo = format!(
            r#"{{"limit":{},"sort":{},"order":{},"page":{},"filter":{},"optional":{{"#,
            request.limit,
            to_text(&request.sort),
            self.order,
            request.page,
            to_text(&self.filter)
        );
        for (index, (name, value)) in self.optional.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(echo, "{comma}{}:{}", to_text(name), to_text(value));
        }
        echo.push('}');
        if let Some(projection) = &self.projection {
            let _ = write!(echo, r#","projection":{}"#, to_text(projection));
        }
        echo.push('}');
        echo
    }

    /// The answer to a list of a small collection.
    pub(crate) fn answer(&self, model: Model, page: &Page) -> Answer {
        self.envelope(model, Some(page.total)).answer(&page.results)
    }
}
