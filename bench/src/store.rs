//! The store in process: measures lists without HTTP and without queues between threads.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value;
use stockroom_auth::{Clock as _, SystemClock};
use stockroom_filter::{Limits, Order, Parsed, Paths, Sort};
use stockroom_model::GroupId;
use stockroom_store::{Error, Location, ObjectQuery, Restriction, Start, Store, Want, Window};
use tokio::runtime::Runtime;

/// As for lists of objects.
const PATHS: Paths = Paths {
    timestamps: &["creation_time", "last_edit_time"],
    secrets: &[],
};

const fn first_page() -> Window {
    Window {
        start: Start::Offset(0),
        limit: 10,
    }
}

/// What to read for each query.
#[derive(Clone, Copy)]
pub(crate) enum Ask {
    /// The first ten objects and the total.
    Page,
    /// Only the total.
    Total,
}

/// The time and result of one query.
#[derive(Clone, Copy)]
pub(crate) struct Timed {
    pub(crate) elapsed: Duration,
    pub(crate) total: usize,
}

/// A store on a data set.
pub(crate) struct OpenStore {
    store: Store,
    runtime: Runtime,
}

impl OpenStore {
    pub(crate) fn open(location: &Location) -> anyhow::Result<Self> {
        Ok(Self {
            store: Store::open_existing(location, SystemClock.now())?,
            runtime: tokio::runtime::Builder::new_current_thread().build()?,
        })
    }

    /// Runs the queries in order, on one thread and in one snapshot, as an administrator. Stops
    /// after `patience`.
    pub(crate) fn time(
        &self,
        ask: Ask,
        queries: Vec<ObjectQuery>,
        patience: Duration,
    ) -> anyhow::Result<Vec<Timed>> {
        let group = GroupId::new(1).context("no group 1")?;
        let scope = self.store.catalog().scope(group);
        let work = self.store.read(move |tx| {
            let began = Instant::now();
            let mut timed = Vec::with_capacity(queries.len());
            for query in &queries {
                let started = Instant::now();
                let want = match ask {
                    Ask::Page => Want::Objects { total: true },
                    Ask::Total => Want::Total,
                };
                let page = tx.list(&scope, query, &first_page(), want)?;
                let elapsed = started.elapsed();
                let total = page.total.unwrap_or(0);
                timed.push(Timed { elapsed, total });
                if began.elapsed() > patience {
                    break;
                }
            }
            Ok::<_, Error>(timed)
        });
        Ok(self.runtime.block_on(work)?)
    }

    pub(crate) fn close(self) {
        self.store.close();
    }
}

/// The query for a filter, sorted by id.
pub(crate) fn query(filter: &Value) -> anyhow::Result<ObjectQuery> {
    Ok(ObjectQuery {
        filter: Parsed::from_value(filter, &Limits::default())?.check(&PATHS)?,
        sort: Sort::objects("public_id", Order::Ascending),
        active_only: false,
        restriction: Restriction::None,
    })
}
