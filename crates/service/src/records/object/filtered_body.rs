//! Bodies with a filter of objects.

use stockroom_fair::Requester;
use stockroom_filter::{Checked, Limits, Parsed};
use stockroom_model::body::{Body, Report};
use stockroom_model::json::Value;

use super::list::PATHS;
use crate::{Error, Service};

/// Reads a body, on a blocking thread if its filter needs that. `members` notes all problems.
pub(crate) async fn read_filtered_body<T: Send + 'static>(
    service: &Service,
    requester: Requester,
    body: Value,
    members: fn(&Body<'_>, &Limits) -> Option<T>,
) -> Result<T, Error> {
    let limits = service.limits().clone();
    let is_quick = body
        .get("filter")
        .is_none_or(|filter| Parsed::is_quick(filter, &limits));
    let parse = move || {
        let report = Report::default();
        let read = Body::open(&body, "", &report).and_then(|body| members(&body, &limits));
        Ok(report.finish(read)?)
    };
    if is_quick {
        return parse();
    }
    service.run_blocking(requester, parse).await?
}

/// The filter of a body; all objects if there is none.
pub(crate) fn filter(body: &Body<'_>, limits: &Limits) -> Option<Checked> {
    let Some(filter) = body.given("filter") else {
        return Some(Checked::everything());
    };
    let checked = Parsed::from_value(filter, limits).and_then(|parsed| parsed.check(&PATHS));
    checked
        .map_err(|invalid| {
            let pointer = format!("{}{}", body.at("filter"), invalid.pointer);
            body.problem_at(pointer, invalid.detail);
        })
        .ok()
}
