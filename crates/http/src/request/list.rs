//! The parameters of lists and the envelope that echoes them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::num::NonZeroUsize;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::Method;
use axum::http::request::Parts;
use serde_json::json;
use stockroom_fair::Requester;
use stockroom_filter::{Order, Parsed, Projection};
use stockroom_model::Timestamp;
use stockroom_model::json::Value;
use stockroom_service::list::Paging;
use stockroom_service::{ListRequest, Page, Total};

use super::warnings::unsigned_operator;
use super::{JsonBody, Origin, Parameters, requester};
use crate::answer::{Answer, Cursor, ListEnvelope, Model, NextPage, Pager, Problem, to_text};
use crate::budget::{AnswerBudget, AnswerShare};
use crate::state::AppState;

const DEFAULT_LIMIT: usize = 10;

/// The parameters of a list, from the query string of a GET or the body of a query route.
pub(crate) struct ListQuery {
    /// The parameters that every list has.
    pub(crate) request: ListRequest,
    /// All parameters, for those that only some lists have.
    pub(crate) parameters: Parameters,
    origin: Origin,
    order: i64,
    filter: Value,
    projection: Option<Value>,
    view: Option<&'static str>,
    labels: Option<bool>,
    now: Timestamp,
    answers: AnswerBudget,
    requester: Requester,
}

impl FromRequest<AppState> for ListQuery {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let origin = Origin::from_request_parts(&mut parts, state).await?;
        let parameters = if parts.method == Method::POST {
            // With the extensions, which say whose body it is.
            let request = Request::from_parts(parts.clone(), body);
            let JsonBody(body) = JsonBody::from_request(request, state).await?;
            Parameters::read(&parts, Some(body), state)?
        } else {
            Parameters::read(&parts, None, state)?
        };
        Self::read(parameters, origin, &parts, state).await
    }
}

impl ListQuery {
    /// The memory budget of the answer.
    pub(crate) fn answers(&self) -> AnswerShare {
        self.answers.share(self.requester)
    }

    async fn read(
        mut parameters: Parameters,
        origin: Origin,
        parts: &Parts,
        state: &AppState,
    ) -> Result<Self, Problem> {
        let filter = parameters.json("filter")?.map(Cow::into_owned);
        let filter = filter.unwrap_or_else(|| json!({}));
        let parsed = read_filter(&filter, requester(&parts.extensions), state).await?;
        let projection = parameters.json("projection")?.map(Cow::into_owned);
        let order = order(&mut parameters)?;
        if let Some((pointer, detail)) = unsigned_operator(&filter) {
            parameters.doubt(&pointer, detail)?;
        }
        let request = ListRequest {
            filter: parsed,
            sort: parameters.get("sort")?.unwrap_or("public_id").to_owned(),
            is_sorted: parameters.get("sort")?.is_some(),
            order: Order::from(order),
            paging: paging(&parameters)?,
            limit: NonZeroUsize::new(parameters.number("limit", DEFAULT_LIMIT, 0)?),
            active_only: parameters.flag("active")?.unwrap_or(false),
            projection: projection.as_ref().map(read_projection).transpose()?,
            total: match parameters.flag("total")? {
                _ if parts.method == Method::HEAD => Total::Only,
                Some(false) => Total::Skipped,
                Some(true) | None => Total::Counted,
            },
        };
        Ok(Self {
            request,
            parameters,
            origin,
            order,
            filter,
            projection,
            view: None,
            labels: None,
            now: state.service.clock().now(),
            answers: state.answers.clone(),
            requester: requester(&parts.extensions),
        })
    }
}

/// 1 is ascending, every other value descending.
fn order(parameters: &mut Parameters) -> Result<i64, Problem> {
    let sort = parameters.get("sort")?.unwrap_or_default();
    if sort.starts_with(['-', '+']) {
        let detail = "is a path without a sign; order=-1 sorts descending";
        parameters.doubt("sort", detail)?;
    }
    let text = parameters.get("order")?.unwrap_or("1").to_owned();
    let order = text.parse().unwrap_or(-1);
    if !matches!(text.parse(), Ok(1 | -1)) {
        let detail = format!("is 1 (ascending) or -1; {text:?} sorts descending");
        parameters.doubt("order", detail)?;
    }
    Ok(order)
}

/// Compiling regular expressions can take milliseconds, so it must not block other requests.
async fn read_filter(
    value: &Value,
    requester: Requester,
    state: &AppState,
) -> Result<Parsed, Problem> {
    let limits = state.service.limits();
    let parsed = if Parsed::is_quick(value, limits) {
        Parsed::from_value(value, limits)
    } else {
        let (value, limits) = (value.clone(), limits.clone());
        let read = move || Parsed::from_value(&value, &limits);
        state.service.run_blocking(requester, read).await?
    };
    parsed
        .map_err(|invalid| Problem::invalid(&format!("filter{}", invalid.pointer), invalid.detail))
}

/// Reads the page: a number or a cursor.
fn paging(parameters: &Parameters) -> Result<Paging, Problem> {
    if !parameters.has("after") {
        let number = NonZeroUsize::new(parameters.number("page", 1, 1)?);
        return Ok(Paging::Number(number.unwrap_or(NonZeroUsize::MIN)));
    }
    if parameters.get("page")?.is_some() {
        let detail = "cannot stand beside `after`, which says where the page begins";
        return Err(Problem::invalid("page", detail));
    }
    Ok(match parameters.get("after")? {
        None | Some("") => Paging::FirstByCursor,
        Some(cursor) => Paging::After(cursor.to_owned()),
    })
}

fn read_projection(value: &Value) -> Result<Projection, Problem> {
    Projection::from_value(value).map_err(|invalid| {
        Problem::invalid(&format!("projection{}", invalid.pointer), invalid.detail)
    })
}

impl ListQuery {
    /// The filter as JSON text.
    pub(crate) fn filter_text(&self) -> String {
        self.filter.to_string()
    }

    /// Sorts by `path` unless the request has a sort.
    pub(crate) fn default_sort(&mut self, path: &str) {
        if !self.request.is_sorted {
            path.clone_into(&mut self.request.sort);
        }
    }

    /// Sorts by `path`, the newest first, unless the request has a sort.
    pub(crate) fn default_newest(&mut self, path: &str) {
        if !self.request.is_sorted {
            path.clone_into(&mut self.request.sort);
            self.request.order = Order::Descending;
            self.order = -1;
        }
    }

    /// The request of the feed of changes: the oldest first, paged by cursors, never counted.
    pub(crate) fn oldest_first(&mut self) -> ListRequest {
        let mut request = self.newest_first();
        self.request.order = Order::Ascending;
        self.order = 1;
        request.order = Order::Ascending;
        request
    }

    /// The request of a list of changes: the newest first, paged by cursors, never counted.
    pub(crate) fn newest_first(&mut self) -> ListRequest {
        let request = &mut self.request;
        "at".clone_into(&mut request.sort);
        request.order = Order::Descending;
        self.order = -1;
        request.total = Total::Skipped;
        if !request.is_by_cursor() {
            request.paging = Paging::FirstByCursor;
        }
        request.clone()
    }

    /// The cursor of a list that is paged by cursors only, and how many records a page has: at most
    /// so many.
    ///
    /// # Errors
    ///
    /// A page is asked for by its number.
    pub(crate) fn by_cursor(&mut self, most: usize) -> Result<(Option<String>, usize), Problem> {
        let limit = self
            .request
            .limit
            .map_or(most, |limit| limit.get().min(most));
        self.request.limit = NonZeroUsize::new(limit);
        let cursor = match &self.request.paging {
            Paging::After(cursor) => Some(cursor.clone()),
            Paging::Number(page) if page.get() > 1 => {
                let detail =
                    "does not apply here: `after` of the page before leads to the next one";
                return Err(Problem::invalid("page", detail));
            }
            Paging::FirstByCursor | Paging::Number(_) => {
                self.request.paging = Paging::FirstByCursor;
                None
            }
        };
        Ok((cursor, limit))
    }

    /// Disables paging unless the request has a limit, as trees are not paged by default.
    pub(crate) fn default_unpaged(&mut self) -> Result<(), Problem> {
        if self.parameters.get("limit")?.is_none() {
            self.request.limit = None;
        }
        Ok(())
    }

    /// Sets the view to echo.
    pub(crate) const fn echo_view(&mut self, view: &'static str) {
        self.view = Some(view);
    }

    /// Sets whether there are labels, to echo.
    pub(crate) const fn echo_labels(&mut self, labels: bool) {
        self.labels = Some(labels);
    }

    /// The envelope of a list with this total, if known, and this cursor of the next page.
    pub(crate) fn envelope(
        &self,
        model: Model,
        total: Option<usize>,
        next: Option<&str>,
    ) -> ListEnvelope {
        let total_pages = match (self.request.limit, total) {
            (_, None) => None,
            (None, _) => Some(1),
            (Some(limit), Some(total)) => Some(total.div_ceil(limit.get())),
        };
        let next = if self.request.is_by_cursor() {
            NextPage::Cursor(next.map(|cursor| Cursor {
                text: cursor.to_owned(),
                url: self.origin.after(cursor),
            }))
        } else {
            NextPage::Number
        };
        ListEnvelope {
            model,
            total,
            parameters: self.echo(),
            pager: Pager {
                page: self.request.paging.number(),
                page_size: self.page_size(),
                total_pages,
                next,
            },
            current: self.origin.current(),
            pages: self.origin.pages(),
            first_by_cursor: self.origin.after(""),
            warnings: self.parameters.warnings().to_vec(),
            labels: None,
            explain: None,
            now: self.now,
        }
    }

    /// Records per page as answers show it: 0 means all.
    fn page_size(&self) -> usize {
        self.request.limit.map_or(0, NonZeroUsize::get)
    }

    /// The parameters of the request, as JSON text.
    fn echo(&self) -> String {
        let request = &self.request;
        let mut echo = format!(
            r#"{{"limit":{},"sort":{},"order":{},"page":{},"filter":{},"optional":{{{}}}"#,
            self.page_size(),
            to_text(&request.sort),
            self.order,
            request.paging.number(),
            to_text(&self.filter),
            self.optional(),
        );
        if let Some(projection) = &self.projection {
            // Writing to a String cannot fail.
            let _ = write!(echo, r#","projection":{}"#, to_text(projection));
        }
        echo.push('}');
        echo
    }

    /// The members of `parameters.optional`: the view, and the other parameters that were sent.
    fn optional(&self) -> String {
        let request = &self.request;
        let sent = |name| self.parameters.knows(name) && self.parameters.has(name);
        let members = [
            ("view", self.view.map(to_text)),
            (
                "active",
                sent("active").then(|| request.active_only.to_string()),
            ),
            ("after", request.paging.sent_cursor().map(to_text)),
            (
                "total",
                sent("total").then(|| (request.total != Total::Skipped).to_string()),
            ),
            ("projection", self.projection.as_ref().map(to_text)),
            ("q", self.search().map(to_text)),
            ("labels", self.labels.map(|labels| labels.to_string())),
        ];
        let members = members
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        let mut optional = String::new();
        for (name, text) in members {
            let comma = if optional.is_empty() { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(optional, r#"{comma}"{name}":{text}"#);
        }
        optional
    }

    fn search(&self) -> Option<&str> {
        let is_known = self.parameters.knows("q");
        self.parameters.get("q").ok().flatten().filter(|_| is_known)
    }

    /// The answer to a list of a small collection.
    pub(crate) fn answer(&self, model: Model, page: &Page) -> Answer {
        self.envelope(model, page.total, page.next.as_deref())
            .answer(&page.results)
    }
}
