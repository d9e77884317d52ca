//! Statements that count the matches or walk through them in the order of the list.

use std::cmp::Ordering;

use stockroom_filter::{Datum, Key, KeyRange};

use super::filter::Filter;
use super::order::{Columns, ListOrder};
use super::plan::{Scan, Source};
use super::predicate::{IndexPredicate, IndexRows};
use super::sql::Table;
use super::window::Position;
use crate::engine::driver::BY_VALUES;
use crate::engine::driver::sql::Sql;
use crate::records::object::index::null;

/// Up to this number of columns, their rows are merged while being read; rows of more are sorted.
const MAX_MERGED: usize = 64;

/// Counts the matches.
pub(super) fn count(filter: &Filter) -> Sql {
    if let Some((rows, others)) = filter.leading_rows() {
        let mut sql = Sql::new(if rows.may_repeat_objects {
            "SELECT COUNT(DISTINCT object_id) FROM object_field WHERE "
        } else {
            "SELECT COUNT(*) FROM object_field WHERE "
        });
        sql.index_rows(rows);
        sql.and(&others, Table::Index);
        return sql;
    }
    let mut sql = Sql::new("SELECT COUNT(*) FROM object WHERE ");
    sql.predicate(&filter.on_objects(), Table::Object);
    sql
}

/// Selects two columns for each match after a position: the sort key, the type or a filler; and the
/// id. Each branch selects its first `most` matches.
pub(super) fn matches(scan: &Scan, after: Option<&Position>, most: usize) -> Sql {
    let mut sql = rows(scan, after, most);
    sql.push(order(scan));
    sql
}

/// Like [`matches()`], for matches at most `distance` apart, each with the number of matches up to
/// it.
pub(super) fn ranks(scan: &Scan, distance: usize) -> Sql {
    match scan.order {
        ListOrder::Id { descending } => ranks_by_id(scan, descending, distance),
        _ => ranks_by_number(scan, distance),
    }
}

/// Ranks by blocks of ids: counting needs no order, so the smallest index suffices.
fn ranks_by_id(scan: &Scan, descending: bool, distance: usize) -> Sql {
    let id = match scan.source {
        Source::Objects | Source::SortedObjects => "public_id",
        Source::IndexRows | Source::Columns => "object_id",
    };
    let (last, order) = if descending {
        ("MIN(", " DESC")
    } else {
        ("MAX(", "")
    };
    let mut sql = Sql::new("SELECT 0, last, CAST(SUM(matches) OVER (ORDER BY last");
    sql.push(order).push(") AS BIGINT) FROM (SELECT ");
    sql.push(last).push(id);
    sql.push(") AS last, COUNT(*) AS matches FROM (");
    sql.append(rows(scan, None, usize::MAX));
    sql.push(") AS walked GROUP BY ").push(id).push(" / ");
    sql.number(distance).push(") AS blocks ORDER BY last");
    sql.push(order);
    sql
}

/// Ranks by numbering all matches.
fn ranks_by_number(scan: &Scan, distance: usize) -> Sql {
    let columns = columns(scan.source);
    let mut sql = Sql::new("SELECT ");
    sql.push(columns).push(", place FROM (SELECT ");
    sql.push(columns).push(", ROW_NUMBER() OVER (");
    sql.push(order(scan)).push(") AS place FROM (");
    sql.append(rows(scan, None, usize::MAX));
    sql.push(") AS walked) AS numbered WHERE place % ");
    sql.number(distance).push(" = 0 ORDER BY place");
    sql
}

/// The columns of a walk: the sort key, the type or nothing, and the id.
const fn columns(source: Source) -> &'static str {
    match source {
        Source::Columns => "key, object_id",
        Source::IndexRows => "field_id, object_id",
        Source::Objects | Source::SortedObjects => "type_id, public_id",
    }
}

/// The `ORDER BY` of a walk.
pub(super) const fn order(scan: &Scan) -> &'static str {
    match (scan.source, &scan.order) {
        (Source::Columns, ListOrder::Columns(Columns { descending, .. })) => by_key(*descending),
        (Source::IndexRows, ListOrder::Id { descending: false }) => " ORDER BY object_id",
        (Source::IndexRows, ListOrder::Id { descending: true }) => " ORDER BY object_id DESC",
        _ => by_columns_of_objects(&scan.order),
    }
}

const fn by_key(descending: bool) -> &'static str {
    if descending {
        " ORDER BY key DESC, object_id"
    } else {
        " ORDER BY key, object_id"
    }
}

const fn by_columns_of_objects(order: &ListOrder) -> &'static str {
    match order {
        ListOrder::Id { descending: false } => " ORDER BY public_id",
        ListOrder::Id { descending: true } => " ORDER BY public_id DESC",
        ListOrder::Type { descending: false } => " ORDER BY type_id, public_id",
        ListOrder::Type { descending: true } => " ORDER BY type_id DESC, public_id",
        ListOrder::Columns(_) | ListOrder::Documents => "",
    }
}

/// The matches after a position, unordered.
fn rows(scan: &Scan, after: Option<&Position>, most: usize) -> Sql {
    match (scan.source, &scan.order) {
        (Source::Columns, ListOrder::Columns(columns)) => {
            by_columns(&scan.filter, columns, after, most)
        }
        (Source::IndexRows, ListOrder::Id { descending }) => {
            by_index_rows(&scan.filter, *descending, after)
        }
        _ => {
            let columns = Sql::new("SELECT type_id, public_id");
            rows_of_objects(columns, &scan.filter, &scan.order, after)
        }
    }
}

/// Matching rows of `object` after a position, in order. `columns` is the start of the statement.
pub(super) fn objects(
    columns: Sql,
    filter: &Filter,
    order: &ListOrder,
    after: Option<&Position>,
) -> Sql {
    let mut sql = rows_of_objects(columns, filter, order, after);
    sql.push(by_columns_of_objects(order));
    sql
}

fn rows_of_objects(
    columns: Sql,
    filter: &Filter,
    order: &ListOrder,
    after: Option<&Position>,
) -> Sql {
    let mut sql = columns;
    sql.push(" FROM object WHERE ");
    let predicate = match order {
        ListOrder::Id { .. } => filter.on_objects_by_id(),
        _ => filter.on_objects(),
    };
    sql.predicate(&predicate, Table::Object);
    match (order, after) {
        (ListOrder::Type { descending }, Some(position)) => {
            after_type(&mut sql, *descending, position);
        }
        (ListOrder::Id { descending }, after) => {
            after_id(&mut sql, "public_id", *descending, after);
        }
        _ => {}
    }
    sql
}

/// The matches by id, from index rows in that order.
fn by_index_rows(filter: &Filter, descending: bool, after: Option<&Position>) -> Sql {
    let mut sql = Sql::new("SELECT field_id, object_id FROM object_field WHERE ");
    if let Some((rows, others)) = filter.leading_rows_by_id() {
        if !rows.is_point() {
            sql.push(BY_VALUES).push(" ");
        }
        sql.index_rows(rows);
        sql.and(&others, Table::Index);
    }
    after_id(&mut sql, "object_id", descending, after);
    sql
}

/// The matches in the order of index columns. Each branch selects its first `most` matches in that
/// order; then the branches are merged.
fn by_columns(filter: &Filter, columns: &Columns, after: Option<&Position>, most: usize) -> Sql {
    let order = by_key(columns.descending);
    let (ranges, others) = filter.on_columns(&columns.ids);
    let branch = Branch {
        ranges,
        others,
        descending: columns.descending,
        after,
        most,
    };
    if let ([_], []) = (columns.ids.as_slice(), columns.without.as_slice()) {
        let mut sql = Sql::default();
        branch.rows(&mut sql, &columns.ids);
        return sql;
    }
    let mut sql = Sql::new("SELECT key, object_id FROM (");
    let ids = columns.ids.as_slice();
    let size = if ids.len() > MAX_MERGED { ids.len() } else { 1 };
    let mut union = "SELECT * FROM (";
    for ids in ids.chunks(size) {
        sql.push(union);
        branch.rows(&mut sql, ids);
        sql.push(order).push(" LIMIT ").number(most);
        sql.push(") AS branch");
        union = " UNION ALL SELECT * FROM (";
    }
    if !columns.without.is_empty() {
        sql.push(union);
        nulls(&mut sql, filter, columns, after);
        sql.push(" LIMIT ").number(most).push(") AS branch");
    }
    sql.push(") AS merged");
    sql
}

/// Rows of index columns that match.
struct Branch<'b> {
    ranges: Option<Vec<KeyRange>>,
    others: IndexPredicate,
    descending: bool,
    after: Option<&'b Position>,
    most: usize,
}

impl Branch<'_> {
    fn rows(&self, sql: &mut Sql, ids: &[i64]) {
        // Another predicate would be evaluated for each part.
        let is_plain = ids.len() == 1 && self.others.is_always();
        if self.descending && is_plain && self.most < usize::MAX {
            self.halves(sql, ids);
        } else {
            self.select(sql, "key, object_id", ids);
        }
    }

    /// The rows above the last key that is needed, and the first ones with this key. Objects with
    /// the same key are in ascending order, against the index: without this, all objects that share
    /// the greatest key would be sorted for a page of them.
    fn halves(&self, sql: &mut Sql, ids: &[i64]) {
        sql.push("SELECT key, object_id FROM (SELECT * FROM (");
        self.select(sql, "key, object_id", ids);
        sql.push(" AND key > COALESCE((");
        self.last_key(sql, ids);
        sql.push("), ").bytes(&[]);
        sql.push(")) AS above UNION ALL SELECT * FROM (");
        self.select(sql, "key, object_id", ids);
        sql.push(" AND key = (");
        self.last_key(sql, ids);
        sql.push(") ORDER BY object_id LIMIT ").number(self.most);
        sql.push(") AS alike) AS halves");
    }

    /// The key of the last row that is needed; no row if there are fewer.
    fn last_key(&self, sql: &mut Sql, ids: &[i64]) {
        self.select(sql, "key", ids);
        sql.push(" ORDER BY key DESC LIMIT 1 OFFSET ");
        sql.number(self.most.saturating_sub(1));
    }

    fn select(&self, sql: &mut Sql, what: &'static str, ids: &[i64]) {
        sql.push("SELECT ").push(what);
        sql.push(" FROM object_field WHERE ");
        sql.index_rows(&IndexRows {
            columns: ids.to_vec(),
            may_repeat_objects: false,
            ranges: self.ranges.clone(),
            exclude_missing: false,
        });
        sql.and(&self.others, Table::Index);
        after_key(sql, self.descending, self.after);
    }
}

/// The matches of types without such a column, as rows with the key of null.
fn nulls(sql: &mut Sql, filter: &Filter, columns: &Columns, after: Option<&Position>) {
    let null = null();
    // As a one-row table, the key has the right type on every engine.
    sql.push("SELECT value AS key, public_id AS object_id FROM object CROSS JOIN ");
    sql.table_of_bytes(null.as_bytes());
    sql.push(" WHERE ");
    sql.among("type_id", &columns.without);
    sql.and(&filter.on_objects(), Table::Object);
    if let Some(Position { key, id }) = after {
        match key.cmp(&null) {
            Ordering::Equal => drop(sql.push(" AND public_id > ").int(*id)),
            Ordering::Less if columns.descending => drop(sql.push(" AND FALSE")),
            Ordering::Greater if !columns.descending => drop(sql.push(" AND FALSE")),
            Ordering::Less | Ordering::Greater => {}
        }
    }
    sql.push(" ORDER BY public_id");
}

pub(super) fn after_id(sql: &mut Sql, column: &str, descending: bool, after: Option<&Position>) {
    if let Some(position) = after {
        sql.push(" AND ").push(column);
        sql.push(if descending { " < " } else { " > " })
            .int(position.id);
    }
}

fn after_type(sql: &mut Sql, descending: bool, position: &Position) {
    let Some(type_id) = type_of(&position.key) else {
        return;
    };
    sql.push(if descending {
        " AND type_id <= "
    } else {
        " AND type_id >= "
    })
    .int(type_id);
    sql.push(" AND (type_id <> ").int(type_id);
    sql.push(" OR public_id > ").int(position.id).push(")");
}

/// The type in a sort key. The cursor of a client may contain any key.
fn type_of(key: &Key) -> Option<i64> {
    match Key::decode(key.as_bytes()) {
        Some(Datum::Number(number)) => i64::try_from(number.integral()?).ok(),
        _ => None,
    }
}

fn after_key(sql: &mut Sql, descending: bool, after: Option<&Position>) {
    if let Some(Position { key, id }) = after {
        let key = key.as_bytes();
        sql.push(if descending {
            " AND key <= "
        } else {
            " AND key >= "
        })
        .bytes(key);
        sql.push(" AND (key <> ").bytes(key);
        sql.push(" OR object_id > ").int(*id).push(")");
    }
}
