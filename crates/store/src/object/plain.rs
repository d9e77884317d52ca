//! Lists that columns of `object` and the counters answer: a page and the total in one statement, where nothing is known of counts
//! beforehand.

use super::TOTAL;
use super::condition::Condition;
use super::decided::Decided;
use super::list::{ObjectPage, matters};
use super::lower::Lowered;
use super::order::{Order, columns};
use super::query::ObjectQuery;
use super::sql::Sql;
use super::statement::on_objects;
use super::window::Window;
use crate::Error;
use crate::transaction::ReadTx;

/// To skip more than this takes a while, for which those who share a connection must not wait.
const FAR: usize = 1_000;

impl ReadTx<'_> {
    /// A page of a list for which one statement will do; `None` if it will not.
    pub(super) fn plain_page(
        &mut self,
        lowered: &Lowered,
        query: &ObjectQuery,
        window: &Window,
        counted: bool,
    ) -> Result<Option<ObjectPage>, Error> {
        // With counters, or the end of a page before this one, in memory there are cheaper ways.
        let is_known = self.counters().is_some() || (window.skipped() > 0 && self.remembers());
        let order = Order::of(&query.sort, &lowered.types);
        if is_known || !is_plain(lowered, query, &order) {
            return Ok(None);
        }
        if window.skipped() > FAR {
            self.expect_several()?;
        }
        let decided = Decided::plain(lowered, query);
        let mut selected = columns();
        if counted {
            push_total(&mut selected, lowered, query);
        }
        let mut sql = on_objects(selected, &decided, &order, window.after());
        sql.page(window.limit, window.skipped());
        let mut total = None;
        let (objects, end) = self.listed(&sql, &order, |row| {
            if counted {
                total = Some(usize::try_from(row.int(TOTAL)?).unwrap_or(0));
            }
            Ok(())
        })?;
        if counted && end.is_none() {
            // Without a row nobody says how many there are.
            let is_whole = window.limit > 0 && window.skipped() == 0 && window.after().is_none();
            if !is_whole {
                return Ok(None);
            }
            total = Some(0);
        }
        Ok(Some(ObjectPage {
            rows: objects.rows,
            unread: objects.unread,
            total,
            end,
        }))
    }
}

/// Whether a list is made of whole types, in an order of `object` that an index has.
fn is_plain(lowered: &Lowered, query: &ObjectQuery, order: &Order) -> bool {
    let is_one_range = lowered.all_types || lowered.types.len() == 1;
    lowered.exact
        && lowered.condition.is_always()
        && !matters(lowered, query)
        && match order {
            Order::Id { .. } => is_one_range,
            Order::Type { .. } => !lowered.types.is_empty(),
            Order::Columns(_) | Order::Documents => false,
        }
}

/// Appends the column of the total.
fn push_total(sql: &mut Sql, lowered: &Lowered, query: &ObjectQuery) {
    let count = if query.active_only { "active" } else { "total" };
    sql.push(", (SELECT CAST(SUM(").push(count);
    sql.push(") AS BIGINT) FROM object_count");
    if let Condition::Types(types) = lowered.of_types() {
        sql.push(" WHERE ").among("type_id", &types);
    }
    sql.push(")");
}
