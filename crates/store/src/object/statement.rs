//! The statements that count, and that walk through the matches in their order.

use std::cmp::Ordering;

use stockroom_filter::{Datum, Key};

use super::condition::Rows;
use super::decided::Decided;
use super::index::null;
use super::order::{Columns, Order};
use super::sql::{Sql, Table};
use super::window::Position;

/// Columns whose rows are merged while they are read; rows of more are sorted.
const MAX_MERGED: usize = 64;

pub(super) fn count_statement(decided: &Decided) -> Sql {
    if let Some((rows, others)) = decided.driver(false) {
        let mut sql = Sql::new(if rows.repeats {
            "SELECT COUNT(DISTINCT object_id) FROM object_field WHERE "
        } else {
            "SELECT COUNT(*) FROM object_field WHERE "
        });
        sql.rows(rows);
        sql.and(&others, Table::Index);
        return sql;
    }
    let mut sql = Sql::new("SELECT COUNT(*) FROM object WHERE ");
    sql.condition(&decided.on_objects(), Table::Object);
    sql
}

/// The order of the rows of `object`, if that is the order of the list.
pub(super) fn by_columns(order: &Order) -> Option<&'static str> {
    match order {
        Order::Id { descending: false } => Some("public_id"),
        Order::Id { descending: true } => Some("public_id DESC"),
        Order::Type { descending: false } => Some("type_id, public_id"),
        Order::Type { descending: true } => Some("type_id DESC, public_id"),
        Order::Columns { .. } | Order::Documents => None,
    }
}

/// The matches in the order of ids, without asking for those that are not wanted, if the index has them so.
pub(super) fn by_index(order: &Order, decided: &Decided, after: Option<&Position>) -> Option<Sql> {
    let Order::Id { descending } = order else {
        return None;
    };
    let (rows, others) = decided.driver(true)?;
    let mut sql = Sql::new("SELECT field_id, object_id FROM object_field WHERE ");
    sql.rows(rows);
    sql.and(&others, Table::Index);
    after_id(&mut sql, "object_id", *descending, after);
    sql.push(if *descending {
        " ORDER BY object_id DESC"
    } else {
        " ORDER BY object_id"
    });
    Some(sql)
}

fn after_id(sql: &mut Sql, column: &str, descending: bool, after: Option<&Position>) {
    if let Some(position) = after {
        sql.push(" AND ").push(column);
        sql.push(if descending { " < " } else { " > " })
            .int(position.id);
    }
}

/// The rows of `object` that match, from the end of `columns` on.
pub(super) fn on_objects(
    columns: Sql,
    decided: &Decided,
    order: &Order,
    after: Option<&Position>,
) -> Sql {
    let mut sql = columns;
    sql.push(" FROM object WHERE ");
    let condition = match order {
        Order::Id { .. } if decided.are_most => decided.on_objects_by_id(),
        _ => decided.on_objects(),
    };
    sql.condition(&condition, Table::Object);
    match (order, after) {
        (Order::Type { descending }, Some(position)) => {
            if let Some(Datum::Number(number)) = Key::decode(position.key.as_bytes())
                && let Some(type_id) = number.integral().and_then(|id| i64::try_from(id).ok())
            {
                sql.push(if *descending {
                    " AND type_id <= "
                } else {
                    " AND type_id >= "
                })
                .int(type_id);
                sql.push(" AND (type_id <> ").int(type_id);
                sql.push(" OR public_id > ").int(position.id).push(")");
            }
        }
        (Order::Id { descending }, after) => after_id(&mut sql, "public_id", *descending, after),
        _ => {}
    }
    if let Some(order) = by_columns(order) {
        sql.push(" ORDER BY ").push(order);
    }
    sql
}

/// The matches in the order of the rows of columns; every branch gives its first `most` in that order, and the branches are merged.
pub(super) fn in_columns(
    decided: &Decided,
    columns: &Columns,
    after: Option<&Position>,
    most: usize,
) -> Sql {
    let order = if columns.descending {
        " ORDER BY key DESC, object_id"
    } else {
        " ORDER BY key, object_id"
    };
    let (ranges, condition) = decided.on_columns(&columns.ids);
    let branch = |sql: &mut Sql, ids: &[i64]| {
        sql.push("SELECT key, object_id FROM object_field WHERE ");
        sql.rows(&Rows {
            columns: ids.to_vec(),
            repeats: false,
            ranges: ranges.clone(),
            present: false,
        });
        sql.and(&condition, Table::Index);
        after_row(sql, columns.descending, after);
    };
    if let ([_], []) = (columns.ids.as_slice(), columns.without.as_slice()) {
        let mut sql = Sql::default();
        branch(&mut sql, &columns.ids);
        sql.push(order);
        return sql;
    }
    let mut sql = Sql::new("SELECT key, object_id FROM (");
    let ids = columns.ids.as_slice();
    let size = if ids.len() > MAX_MERGED { ids.len() } else { 1 };
    for (place, ids) in ids.chunks(size).enumerate() {
        sql.push(if place > 0 { " UNION ALL " } else { "" });
        sql.push("SELECT * FROM (");
        branch(&mut sql, ids);
        sql.push(order)
            .push(" LIMIT ")
            .number(most)
            .push(") AS branch");
    }
    if !columns.without.is_empty() {
        sql.push(if ids.is_empty() { "" } else { " UNION ALL " });
        sql.push("SELECT * FROM (");
        nulls(&mut sql, decided, columns, after);
        sql.push(" LIMIT ").number(most).push(") AS branch");
    }
    sql.push(") AS merged").push(order);
    sql
}

fn after_row(sql: &mut Sql, descending: bool, after: Option<&Position>) {
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

/// The matches of types without a column, as rows with the key of null.
fn nulls(sql: &mut Sql, decided: &Decided, columns: &Columns, after: Option<&Position>) {
    let null = null();
    // As a table of one row the key has its type on every engine.
    sql.push("SELECT value AS key, public_id AS object_id FROM object CROSS JOIN ");
    sql.table_of_bytes(&null);
    sql.push(" WHERE ");
    sql.among("type_id", &columns.without);
    sql.and(&decided.on_objects(), Table::Object);
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
