//! Lists that a single statement answers, which saves a transaction on a server. These are whole
//! types, with a total from the counters.

use stockroom_access::Scope;

use super::filter::Filter;
use super::lower::{Lowered, lower};
use super::order::ListOrder;
use super::page::ObjectPage;
use super::predicate::IndexPredicate;
use super::query::ObjectQuery;
use super::scan;
use super::window::{Want, Window};
use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::engine::statement::Statement;
use crate::records::catalog::Catalog;
use crate::records::object::COLUMNS;

/// Skipping more than this takes long and would delay other reads on a shared connection.
pub(super) const MAX_OFFSET: usize = 1_000;

/// The index of the total, after the columns of an object.
pub(super) const TOTAL: usize = 6;

impl ObjectPage {
    /// The statement for a page; `None` if a single one is not enough. Its result is `None` if the
    /// page is empty and the total is unknown: then the list must be read in a view.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`]
    pub fn statement(
        catalog: &Catalog,
        scope: &Scope,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Result<Option<Statement<Option<Self>>>, Error> {
        let lowered = lower(catalog, scope, query)?;
        let whole = Self::of_whole_types(&lowered, query, window, want);
        Ok(whole.or_else(|| Self::of_columns(&lowered, query, window, want)))
    }

    /// The statement for a page of whole types.
    pub(super) fn of_whole_types(
        lowered: &Lowered,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Option<Statement<Option<Self>>> {
        let Want::Objects { total } = want else {
            return None;
        };
        let order = ListOrder::of(&query.sort, &lowered.types);
        if window.offset() > MAX_OFFSET || !is_of_whole_types(lowered, &order) {
            return None;
        }
        tracing::debug!(%order, "a list of whole types by one statement");
        let sql = page(lowered, query, &order, window, total);
        let is_whole = window.limit > 0 && window.offset() == 0 && window.after().is_none();
        Some(Statement::new(sql, move |rows| {
            let mut found = None;
            let page = Self::read(rows, &order, |row| {
                if total {
                    found = Some(usize::try_from(row.int(TOTAL)?).unwrap_or(0));
                }
                Ok(())
            })?;
            if total && found.is_none() {
                // Without rows, the total is unknown.
                return Ok(is_whole.then(|| Self::of_total(Some(0))));
            }
            Ok(Some(Self {
                total: found,
                ..page
            }))
        }))
    }
}

/// Whether a list consists of whole types, in an order of an index of `object`.
fn is_of_whole_types(lowered: &Lowered, order: &ListOrder) -> bool {
    let is_one_range = lowered.all_types || lowered.types.len() == 1;
    lowered.exact
        && lowered.predicate.is_always()
        && lowered.decided_by_object_table
        && match order {
            ListOrder::Id { .. } => is_one_range,
            ListOrder::Type { .. } => !lowered.types.is_empty(),
            ListOrder::Columns(_) | ListOrder::Documents => false,
        }
}

fn page(
    lowered: &Lowered,
    query: &ObjectQuery,
    order: &ListOrder,
    window: &Window,
    total: bool,
) -> Sql {
    let mut columns = Sql::new("SELECT ");
    columns.push(COLUMNS);
    if total {
        push_total(&mut columns, lowered, query);
    }
    let filter = Filter::uncounted(lowered, query);
    let mut sql = scan::objects(columns, &filter, order, window.after());
    sql.literal_limit_offset(window.limit, window.offset());
    sql
}

/// Appends the column of the total.
fn push_total(sql: &mut Sql, lowered: &Lowered, query: &ObjectQuery) {
    let count = if query.active_only { "active" } else { "total" };
    sql.push(", (SELECT CAST(SUM(").push(count);
    sql.push(") AS BIGINT) FROM object_count");
    if let IndexPredicate::Types(types) = lowered.of_types() {
        sql.push(" WHERE ").among("type_id", &types);
    }
    sql.push(")");
}
