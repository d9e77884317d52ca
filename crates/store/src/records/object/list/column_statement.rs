//! Lists that a single statement answers by one index column: the objects of a type that have a
//! value there, or all of them in its order.

use std::sync::Arc;

use stockroom_filter::Key;
use stockroom_model::ObjectId;

use super::filter::Filter;
use super::lower::Lowered;
use super::order::{ListOrder, key_of};
use super::page::ObjectPage;
use super::plan::{Scan, Total, source};
use super::predicate::{IndexPredicate, IndexRows};
use super::query::ObjectQuery;
use super::recheck::Match;
use super::scan;
use super::single_statement::{MAX_OFFSET, TOTAL};
use super::window::{Want, Window};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::Row;
use crate::engine::driver::sql::Sql;
use crate::engine::statement::{Rows, Statement};
use crate::records::catalog::TypeEntry;
use crate::records::object::COLUMNS;
use crate::records::object::read::ObjectReader;

/// Counting more matches costs more than a view, where the total of a list is kept.
const MOST_COUNTED: usize = 256;

/// The columns after the total: the number of irregular objects, and the sort key.
const IRREGULAR: usize = TOTAL + 1;
const KEY: usize = IRREGULAR + 1;

impl ObjectPage {
    /// The statement for a page by one index column; `None` if a single one is not enough. Its
    /// result is `None` if there are irregular objects, or many matches: then the list must be read
    /// in a view.
    pub(super) fn of_column(
        lowered: &Lowered,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Option<Statement<Option<Self>>> {
        let Want::Objects { total } = want else {
            return None;
        };
        let [entry] = lowered.types.as_slice() else {
            return None;
        };
        if !lowered.exact || query.active_only || window.offset() > MAX_OFFSET {
            return None;
        }
        let order = ListOrder::of(&query.sort, &lowered.types);
        let column = Column::of(&lowered.predicate, &order)?;
        let point = column.value().and_then(IndexRows::point);
        if point.is_some_and(|(column, key)| entry.frequent_keys.has(column, key)) {
            return None;
        }
        let filter = Filter::uncounted(lowered, query);
        let scan = Scan {
            source: source(&filter, &order),
            filter,
            order,
            total: Total::Unwanted,
            irregular: None,
        };
        tracing::debug!(%scan, "a list by one statement");
        let sql = page(&scan, entry, &column, window, total);
        let point = point.map(|(column, key)| (column, key.to_vec()));
        let entry = Arc::clone(entry);
        Some(Statement::new(sql, move |rows| {
            let found = read(rows, &scan.order)?;
            let has_many = total && found.total > MOST_COUNTED;
            if let Some((column, key)) = point.as_ref().filter(|_| has_many) {
                entry.frequent_keys.add(*column, key);
                return Ok(None);
            }
            let page = ObjectPage {
                total: total.then_some(found.total),
                ..found.page
            };
            Ok((found.irregular == 0).then_some(page))
        }))
    }
}

/// What the column decides.
enum Column<'l> {
    /// The matches, by one value.
    Value(&'l IndexRows),
    /// The order of all objects.
    Order,
}

impl<'l> Column<'l> {
    fn of(predicate: &'l IndexPredicate, order: &ListOrder) -> Option<Self> {
        match (predicate, order) {
            (IndexPredicate::Rows(rows), ListOrder::Id { .. })
                if rows.is_ordered_by_id() && !rows.may_repeat_objects && !rows.exclude_missing =>
            {
                Some(Self::Value(rows))
            }
            (always, ListOrder::Columns(columns))
                if always.is_always() && columns.ids.len() == 1 && columns.without.is_empty() =>
            {
                Some(Self::Order)
            }
            _ => None,
        }
    }

    const fn value(&self) -> Option<&'l IndexRows> {
        match self {
            Self::Value(rows) => Some(rows),
            Self::Order => None,
        }
    }
}

/// Selects what is known of all matches beside each object of the page, or alone if there is none.
fn page(scan: &Scan, entry: &TypeEntry, column: &Column<'_>, window: &Window, total: bool) -> Sql {
    let mut walk = scan::matches(
        scan,
        window.after(),
        window.offset().saturating_add(window.limit),
    );
    walk.literal_limit_offset(window.limit, window.offset());
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(", matches, irregular");
    let key = match scan.order {
        ListOrder::Columns(_) => ", walk.key",
        _ => "",
    };
    sql.push(key).push(" FROM (");
    sql.append(walk);
    sql.push(") AS walk JOIN object ON public_id = walk.object_id RIGHT JOIN (SELECT ");
    match column {
        _ if !total => drop(sql.push("CAST(0 AS BIGINT)")),
        Column::Value(rows) => {
            sql.push("(SELECT COUNT(*) FROM (SELECT 1 FROM object_field WHERE ");
            sql.index_rows(rows);
            sql.push(" LIMIT ")
                .number(MOST_COUNTED + 1)
                .push(") AS few)");
        }
        Column::Order => of_type(&mut sql, "total", entry),
    }
    sql.push(" AS matches, ");
    of_type(&mut sql, "irregular", entry);
    sql.push(" AS irregular) AS known ON TRUE")
        .push(scan::order(scan));
    sql
}

/// Appends a number of objects of a type.
fn of_type(sql: &mut Sql, number: &str, entry: &TypeEntry) {
    sql.push("(SELECT CAST(COALESCE(SUM(").push(number);
    sql.push("), 0) AS BIGINT) FROM object_count WHERE type_id = ");
    sql.int(entry.record.public_id).push(")");
}

#[derive(Default)]
struct PageResult {
    page: ObjectPage,
    total: usize,
    irregular: i64,
}

fn read(rows: &mut Rows<'_>, order: &ListOrder) -> Result<PageResult, Error> {
    let mut found = PageResult::default();
    let mut reading = ObjectReader::within(READ_BYTES);
    let mut last: Option<Match> = None;
    rows(&mut |row| {
        found.total = usize::try_from(row.int(TOTAL)?).unwrap_or(0);
        found.irregular = row.int(IRREGULAR)?;
        if row.opt_int(0)?.is_some() {
            last = Some(match_of(order, row)?);
            reading.take(row)?;
        }
        Ok(())
    })?;
    found.page = ObjectPage::new(reading.finish(), last, None);
    Ok(found)
}

fn match_of(order: &ListOrder, row: &dyn Row) -> Result<Match, Error> {
    let id: ObjectId = row.id(0)?;
    let key = match order {
        ListOrder::Columns(_) => Key::from(row.bytes(KEY)?.to_vec()),
        _ => key_of(id.get()),
    };
    Ok((key, id))
}
