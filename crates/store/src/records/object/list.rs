//! Lists of objects. Each list passes through stages, one per file:
//!
//! | stage | output |
//! |---|---|
//! | `lower` | the filter as a predicate on index rows, for the types that can match |
//! | `plan` | a [`Plan`](plan::Plan), from the predicate and a few statistics |
//! | `scan` | the statements of a plan that walks tables |
//! | `run` | the page of a plan; `merge` adds objects that index rows do not decide |
//! | `recheck` | the evaluator's decision on documents that the tables cannot decide |
//! | `cache` | totals and `ranks` (positions and the objects between them), for later pages |
//!
//! `aggregate` counts the matches in groups, and `walk` reads whole lists, from the same stages.
//!
//! Every plan gives the same result as the evaluator. `single_statement` is a short cut for whole
//! types, and `column_statement` for one index column.

pub(crate) mod aggregate;
pub(crate) mod cache;
mod column_statement;
mod filter;
mod key_scan;
mod lower;
mod merge;
mod order;
mod page;
mod plan;
mod predicate;
pub(crate) mod query;
mod ranks;
pub(in crate::records::object) mod recheck;
pub(crate) mod referrers;
mod run;
mod scalar_values;
mod scan;
mod single_statement;
mod sql;
mod statistics;
mod undecided;
pub(crate) mod walk;
pub(crate) mod window;

use std::time::{Duration, Instant};

use stockroom_access::Scope;
use stockroom_model::TypeId;

use self::lower::lower;
use self::query::ObjectQuery;
use self::run::PageRequest;
use self::window::{Want, Window};
use crate::Error;
use crate::records::catalog::Catalog;
use crate::transaction::ReadTx;

pub use self::page::ObjectPage;

/// How a list was found, to explain its duration.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The plan in words, which are not part of any interface.
    pub plan: String,
    /// Number of rows that the statements returned.
    pub rows: u64,
    /// The duration, without the time in queues.
    pub elapsed: Duration,
}

impl Catalog {
    /// The types whose objects a list may have; `None` for all types.
    pub fn types_of_list(
        &self,
        scope: &Scope,
        query: &ObjectQuery,
    ) -> Result<Option<Vec<TypeId>>, Error> {
        let lowered = lower(self, scope, query)?;
        Ok((!lowered.all_types).then(|| lowered.type_ids()))
    }
}

impl ReadTx<'_> {
    /// The types whose objects a list may have; `None` for all types.
    pub fn types_of_list(
        &self,
        scope: &Scope,
        query: &ObjectQuery,
    ) -> Result<Option<Vec<TypeId>>, Error> {
        self.catalog().types_of_list(scope, query)
    }

    /// A page of the matching objects that the caller may see, and their total.
    pub fn list(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Result<ObjectPage, Error> {
        let asked = PageRequest {
            scope,
            query,
            window,
            want,
        };
        let lowered = self.lower(scope, query)?;
        // Each query of a plan would be one more round trip to a server.
        if self.is_shared()
            && let Some(statement) = ObjectPage::of_whole_types(&lowered, query, window, want)
            && let Some(page) = self.fetch(&statement)?
        {
            return Ok(page);
        }
        let plan = self.plan(lowered, query, want)?;
        tracing::debug!(%plan, "a list");
        self.run(&plan, asked)
    }

    /// Like [`Self::list`], and how the list was found.
    pub fn list_explained(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Result<(ObjectPage, Explanation), Error> {
        let (began, rows) = (Instant::now(), self.rows_read());
        let asked = PageRequest {
            scope,
            query,
            window,
            want,
        };
        let lowered = self.lower(scope, query)?;
        let plan = self.plan(lowered, query, want)?;
        let page = self.run(&plan, asked)?;
        let explanation = Explanation {
            plan: plan.to_string(),
            rows: self.rows_read() - rows,
            elapsed: began.elapsed(),
        };
        Ok((page, explanation))
    }
}
