//! Lists that a single statement answers by index columns: the objects that have a value there, or
//! all objects of a type in the order of one.

use std::sync::Arc;

use stockroom_filter::Key;
use stockroom_model::{ObjectId, TypeId};

use super::filter::Filter;
use super::lower::Lowered;
use super::order::{ListOrder, key_of};
use super::page::ObjectPage;
use super::plan::{Scan, Source, Total, source};
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
use crate::records::object::COLUMNS;
use crate::records::object::read::ObjectReader;

/// Counting more matches costs more than a view, where the total of a list is kept.
const MOST_COUNTED: usize = 256;

/// The columns after the total: a number of objects that index rows do not decide, and the sort
/// key.
const UNDECIDED: usize = TOTAL + 1;
const KEY: usize = UNDECIDED + 1;

impl ObjectPage {
    /// The statement for a page by index columns; `None` if a single one is not enough. Its result
    /// is `None` if index rows do not decide on all objects, or if there are many matches: then the
    /// list must be read in a view.
    pub(super) fn of_columns(
        lowered: &Lowered,
        query: &ObjectQuery,
        window: &Window,
        want: Want,
    ) -> Option<Statement<Option<Self>>> {
        let Want::Objects { total } = want else {
            return None;
        };
        let first = lowered.types.first()?;
        if !lowered.exact || query.active_only || window.offset() > MAX_OFFSET {
            return None;
        }
        let order = ListOrder::of(&query.sort, &lowered.types);
        let decisive = Decisive::of(&lowered.predicate, &order)?;
        let point = decisive.value().and_then(IndexRows::point);
        if point.is_some_and(|(columns, key)| first.frequent_keys.has(columns, key)) {
            return None;
        }
        let filter = Filter::uncounted(lowered, query);
        let scan = Scan {
            source: match decisive {
                Decisive::Values(_) => Source::IndexRows,
                Decisive::Value(_) | Decisive::Order => source(&filter, &order),
            },
            filter,
            order,
            total: Total::Unwanted,
            undecided: None,
        };
        tracing::debug!(%scan, "a list by one statement");
        let sql = page(&scan, &decisive, lowered, window, total);
        let counts = total || matches!(decisive, Decisive::Values(_));
        let point = point.map(|(columns, key)| (columns.to_vec(), key.to_vec()));
        let first = Arc::clone(first);
        Some(Statement::new(sql, move |rows| {
            let found = read(rows, &scan.order)?;
            let has_many = counts && found.total > MOST_COUNTED;
            if let Some((columns, key)) = point.as_ref().filter(|_| has_many) {
                first.frequent_keys.add(columns, key);
                return Ok(None);
            }
            let page = ObjectPage {
                total: total.then_some(found.total),
                ..found.page
            };
            Ok((found.undecided == 0).then_some(page))
        }))
    }
}

/// What index columns decide.
enum Decisive<'l> {
    /// The matches, by one value in one column, in the order of the list.
    Value(&'l IndexRows),
    /// The matches, by one value in several columns: each must be read.
    Values(&'l IndexRows),
    /// The order of all objects of a type.
    Order,
}

impl<'l> Decisive<'l> {
    fn of(predicate: &'l IndexPredicate, order: &ListOrder) -> Option<Self> {
        match (predicate, order) {
            (IndexPredicate::Rows(rows), ListOrder::Id { .. })
                if rows.is_point() && !rows.may_repeat_objects && !rows.exclude_missing =>
            {
                Some(if rows.is_ordered_by_id() {
                    Self::Value(rows)
                } else {
                    Self::Values(rows)
                })
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
            Self::Value(rows) | Self::Values(rows) => Some(rows),
            Self::Order => None,
        }
    }
}

/// Selects what is known of all matches beside each object of the page, or alone if there is none.
fn page(
    scan: &Scan,
    decisive: &Decisive<'_>,
    lowered: &Lowered,
    window: &Window,
    total: bool,
) -> Sql {
    let types = &lowered.type_ids();
    let mut sql = Sql::default();
    if let Decisive::Values(rows) = decisive {
        sql.push("WITH few AS (SELECT object_id FROM object_field WHERE ");
        sql.index_rows(rows);
        sql.push(" LIMIT ").number(MOST_COUNTED + 1).push(") ");
    }
    sql.push("SELECT ")
        .push(COLUMNS)
        .push(", matches, undecided");
    if matches!(scan.order, ListOrder::Columns(_)) {
        sql.push(", walk.key");
    }
    sql.push(" FROM (");
    walk(&mut sql, scan, decisive, window);
    sql.push(") AS walk JOIN object ON public_id = walk.object_id RIGHT JOIN (SELECT ");
    match decisive {
        Decisive::Values(_) => drop(sql.push("(SELECT COUNT(*) FROM few)")),
        _ if !total => drop(sql.push("CAST(0 AS BIGINT)")),
        Decisive::Value(rows) => {
            sql.push("(SELECT COUNT(*) FROM (SELECT 1 FROM object_field WHERE ");
            sql.index_rows(rows);
            sql.push(" LIMIT ")
                .number(MOST_COUNTED + 1)
                .push(") AS few)");
        }
        Decisive::Order => of_types(&mut sql, "total", types),
    }
    sql.push(" AS matches, ");
    of_types(&mut sql, "irregular", types);
    if let IndexPredicate::Rows(rows) = lowered.unknown_fields.clone().objects() {
        sql.push(" + (SELECT COUNT(*) FROM (SELECT 1 FROM object_field WHERE ");
        sql.index_rows(&rows);
        sql.push(" LIMIT 1) AS one)");
    }
    sql.push(" AS undecided) AS known ON TRUE")
        .push(scan::order(scan));
    sql
}

/// Appends the walk over the matches of the page. Those of several columns are sorted: there are
/// few, or the page is not used.
fn walk(sql: &mut Sql, scan: &Scan, decisive: &Decisive<'_>, window: &Window) {
    let (limit, offset) = (window.limit, window.offset());
    if let (Decisive::Values(_), ListOrder::Id { descending }) = (decisive, &scan.order) {
        sql.push("SELECT object_id FROM few WHERE TRUE");
        scan::after_id(sql, "object_id", *descending, window.after());
        sql.push(scan::order(scan));
    } else {
        sql.append(scan::matches(
            scan,
            window.after(),
            offset.saturating_add(limit),
        ));
    }
    sql.literal_limit_offset(limit, offset);
}

/// Appends a number of objects of these types.
fn of_types(sql: &mut Sql, number: &str, types: &[TypeId]) {
    sql.push("(SELECT CAST(COALESCE(SUM(").push(number);
    sql.push("), 0) AS BIGINT) FROM object_count WHERE ");
    sql.among("type_id", types);
    sql.push(")");
}

#[derive(Default)]
struct PageResult {
    page: ObjectPage,
    total: usize,
    undecided: i64,
}

fn read(rows: &mut Rows<'_>, order: &ListOrder) -> Result<PageResult, Error> {
    let mut found = PageResult::default();
    let mut reading = ObjectReader::within(READ_BYTES);
    let mut last: Option<Match> = None;
    rows(&mut |row| {
        found.total = usize::try_from(row.int(TOTAL)?).unwrap_or(0);
        found.undecided = row.int(UNDECIDED)?;
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
