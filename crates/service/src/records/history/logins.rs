//! Logins, and attempts to log in.

use serde::Serialize;
use stockroom_access::permission::{LogView, UserView};
use stockroom_filter::Paths;
use stockroom_model::json::Value;
use stockroom_store::{LoginResult, LoginVia, ReadTx, StoredLoginEvent};
use utoipa::ToSchema;

use super::{CHUNK, HistoryPage, MAX_TESTED, page_limit};
use crate::core::answer;
use crate::core::list::{ListRequest, Paging, TimedFilter};
use crate::{Error, Permit};

const PATHS: Paths = Paths {
    timestamps: &["at"],
    secrets: &[],
};

/// The attempts to log in, the newest first. Without the right to view users, only the caller's own.
pub async fn logins(permit: &Permit<LogView>, request: ListRequest) -> Result<HistoryPage, Error> {
    let list = LoginList {
        start: start(&request.paging)?,
        filter: TimedFilter::of(request.checked(&PATHS)?),
        limit: page_limit(&request),
        permit: permit.clone(),
    };
    permit.read(move |tx| list.run(tx)).await
}

/// A list of attempts, run in a view of the store.
struct LoginList {
    permit: Permit<LogView>,
    filter: TimedFilter,
    start: i64,
    limit: usize,
}

impl LoginList {
    fn run(&self, tx: &mut ReadTx<'_>) -> Result<HistoryPage, Error> {
        tx.leave_inline_if(self.filter.may_take_long())?;
        let access = self.permit.access(tx)?;
        let only = if access.owns_itself() && !access.holds::<UserView>() {
            Some(access.user_id.get())
        } else {
            access.check::<UserView>()?;
            None
        };
        let mut results = Vec::new();
        let (mut before, mut tested) = (self.start, 0);
        loop {
            let events = tx.login_events(before, CHUNK)?;
            let is_last = events.len() < CHUNK;
            for event in events {
                if results.len() == self.limit || tested == MAX_TESTED {
                    let next = Some(before.to_string());
                    return Ok(HistoryPage { results, next });
                }
                (before, tested) = (event.seq, tested + 1);
                let is_visible = only.is_none_or(|own| event.user_id == Some(own));
                let shown = document(event);
                if is_visible && self.matches(&shown)? {
                    results.push(shown);
                }
            }
            if is_last {
                return Ok(HistoryPage {
                    results,
                    next: None,
                });
            }
        }
    }

    fn matches(&self, shown: &Value) -> Result<bool, Error> {
        let view = crate::core::list::filterable(shown, &PATHS);
        self.filter.matches(&view)
    }
}

/// A login, or an attempt
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginEvent {
    /// The user with the given name; null if there was none
    #[schema(required)]
    user_id: Option<i64>,
    #[schema(value_type = LoginResult)]
    result: String,
    #[schema(value_type = LoginVia)]
    via: String,
    #[schema(example = "192.0.2.7")]
    address: String,
    #[schema(example = "2026-01-31T12:00:00.000000")]
    at: String,
    request_id: String,
}

fn document(event: StoredLoginEvent) -> Value {
    answer::document(&LoginEvent {
        user_id: event.user_id,
        result: event.result,
        via: event.via,
        address: event.address,
        at: event.at.to_iso(),
        request_id: event.request_id,
    })
}

fn start(paging: &Paging) -> Result<i64, Error> {
    let Paging::After(text) = paging else {
        return Ok(i64::MAX);
    };
    let number = text.parse();
    number.map_err(|_| Error::invalid("after", "is no cursor that this list gave"))
}
