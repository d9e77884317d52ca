//! Pages of what the tables decide, in the order of an index, and how many there are.

use std::cmp::Ordering;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{
    Datum, Key, KeyRange, Numeric, Order as Direction, Sort, SortPath, TEXT_BYTES,
};

use super::condition::{Condition, Rows, Sql, Table};
use super::index::{Column, MEMBERS, null};
use super::judge::{Judge, Match};
use super::list::{cut, in_order};
use super::lower::Lowered;
use super::memo::Asked;
use super::query::ObjectQuery;
use super::window::{Position, Start, Window};
use super::{COLUMNS, ObjectRow, object_row};
use crate::Error;
use crate::catalog::TypeEntry;
use crate::pending::Counts;
use crate::transaction::ReadTx;

/// Columns whose rows are merged while they are read; rows of more are sorted.
const MAX_MERGED: usize = 64;

/// One in so many objects is often enough to be met on a walk through all of them.
const MOST: i64 = 20;

/// A query that the tables decide.
pub(super) struct Decided {
    types: Vec<Arc<TypeEntry>>,
    of_types: Condition,
    condition: Condition,
    active_only: bool,
    counts: Counts,
    /// Whether a good part of all objects is of these types.
    are_most: bool,
    /// Whether there are objects of these types of which the condition may say what is not true; none of them matches.
    irregular: bool,
}

impl Decided {
    pub(super) fn new(
        lowered: &Lowered,
        condition: Condition,
        query: &ObjectQuery,
        counts: Counts,
        all: i64,
        irregular: bool,
    ) -> Self {
        Self {
            types: lowered.types.clone(),
            of_types: lowered.of_types(),
            condition,
            active_only: query.active_only && counts.active < counts.total,
            counts,
            are_most: counts.total.saturating_mul(MOST) >= all,
            irregular,
        }
    }

    /// The whole condition on rows of `object`.
    fn on_objects(&self) -> Condition {
        self.on_objects_of(self.of_types.clone())
    }

    /// The same, for rows that are walked in the order of ids.
    fn on_objects_by_id(&self) -> Condition {
        self.on_objects_of(match &self.of_types {
            Condition::Types(types) if types.len() > 1 => Condition::MostTypes(types.clone()),
            other => other.clone(),
        })
    }

    fn on_objects_of(&self, of_types: Condition) -> Condition {
        let mut all = vec![of_types, self.on_index()];
        if self.irregular {
            all.push(Condition::Irregular.negated());
        }
        Condition::all(all)
    }

    /// The condition on rows of the index, which belong to types that the query can find and to regular objects.
    fn on_index(&self) -> Condition {
        let mut all = vec![self.condition.clone()];
        if self.active_only {
            all.push(Condition::Inactive.negated());
        }
        Condition::all(all)
    }

    /// Whether the engine has to sort what it finds: then it should not carry documents along.
    fn sorts(&self, order: &Order) -> bool {
        let several = matches!(&self.of_types, Condition::Types(types) if types.len() > 1);
        several && !self.are_most && matches!(order, Order::Id { .. })
    }

    /// How many match, if the counters say so.
    fn counted(&self) -> Option<i64> {
        let all = self.condition.is_always() && !self.irregular;
        all.then_some(if self.active_only {
            self.counts.active
        } else {
            self.counts.total
        })
    }

    /// Whether totals and ends of pages are remembered: not of sorts that look at documents, whose views change outside of commits.
    pub(super) fn is_remembered(&self, sort: &Sort) -> bool {
        let order = Order::of(sort, &self.types);
        !matches!(order, Order::Documents)
    }

    /// What is asked of the rows of these columns: which keys, and what besides.
    fn on_columns(&self, columns: &[i64]) -> (Option<Vec<KeyRange>>, Condition) {
        let mut wanted = columns.to_vec();
        wanted.sort_unstable();
        let mut others = self.on_index().conjuncts().to_vec();
        let own = others.iter().position(
            |member| matches!(member, Condition::Rows(rows) if rows.columns == wanted && !rows.present),
        );
        match own.map(|place| others.remove(place)) {
            Some(Condition::Rows(rows)) => (rows.ranges, Condition::all(others)),
            _ => (None, Condition::all(others)),
        }
    }

    /// The rows of the index that all matches have, best first, and what is to be asked besides.
    fn driver(&self, ordered: bool) -> Option<(&Rows, Condition)> {
        let conjuncts = self.condition.conjuncts();
        let fits = |rows: &Rows| !ordered || rows.is_ordered_by_id();
        let candidates = conjuncts
            .iter()
            .enumerate()
            .filter_map(|(place, member)| match member {
                Condition::Rows(rows) if fits(rows) => Some((place, rows)),
                _ => None,
            });
        let (place, rows) = candidates.min_by_key(|(_, rows)| !rows.is_point())?;
        let mut others: Vec<Condition> = conjuncts.to_vec();
        others.remove(place);
        if self.active_only {
            others.push(Condition::Inactive.negated());
        }
        Some((rows, Condition::all(others)))
    }
}

/// What gives a list its order.
pub(super) enum Order {
    /// The id.
    Id { descending: bool },
    /// The type, then the id.
    Type { descending: bool },
    /// The rows of columns.
    Columns(Columns),
    /// No index.
    Documents,
}

/// The columns whose rows give an order.
pub(super) struct Columns {
    ids: Vec<i64>,
    /// The types without such a column; their objects have null.
    without: Vec<i64>,
    descending: bool,
}

impl Order {
    pub(super) fn of(sort: &Sort, types: &[Arc<TypeEntry>]) -> Self {
        let descending = sort.order == Direction::Descending;
        let column = |find: &dyn Fn(&TypeEntry) -> Option<Column>| {
            let mut ids = Vec::new();
            let mut without = Vec::new();
            for entry in types {
                match find(entry) {
                    Some(column) if column.text_bytes < TEXT_BYTES => return Self::Documents,
                    Some(column) => ids.push(column.id),
                    None => without.push(entry.record.public_id.get()),
                }
            }
            Self::Columns(Columns {
                ids,
                without,
                descending,
            })
        };
        match &sort.path {
            SortPath::Field(name) => column(&|entry| entry.layout.field(name)),
            SortPath::Path(path) => match path.to_dotted().as_str() {
                "public_id" => Self::Id { descending },
                "type_id" => Self::Type { descending },
                name if MEMBERS.contains(&name) => column(&|entry| entry.layout.member(name)),
                _ => Self::Documents,
            },
            SortPath::Missing => Self::Id { descending: false },
        }
    }
}

/// Whether columns of `object` give the order, so that irregular objects have their place in it too.
pub(super) fn is_of_columns(sort: &Sort) -> bool {
    matches!(Order::of(sort, &[]), Order::Id { .. } | Order::Type { .. })
}

/// The key by which the list of ids is ordered.
pub(super) fn key_of_id(id: i64) -> Key {
    Key::of(Datum::Number(Numeric::Integer(id.into())), TEXT_BYTES)
}

impl ReadTx<'_> {
    /// How many objects match.
    pub(super) fn count(
        &mut self,
        decided: &Decided,
        asked: Option<Asked<'_>>,
    ) -> Result<usize, Error> {
        if let Some(total) = decided.counted() {
            return Ok(usize::try_from(total).unwrap_or(0));
        }
        if let Some(asked) = asked
            && let Some(total) = self.catalog().lists.total(asked)
        {
            return Ok(total);
        }
        let sql = count_statement(decided);
        let total = self.first(&sql.text, &sql.params(), |row| row.int(0))?;
        let total = usize::try_from(total.unwrap_or(0)).unwrap_or(0);
        if let Some(asked) = asked {
            self.catalog().lists.set_total(asked, total);
        }
        Ok(total)
    }

    /// A page of the matches, and where it ends.
    pub(super) fn page(
        &mut self,
        scope: &Scope,
        decided: &Decided,
        query: &ObjectQuery,
        window: &Window,
        asked: Option<Asked<'_>>,
    ) -> Result<(Vec<ObjectRow>, Option<Position>), Error> {
        let order = Order::of(&query.sort, &decided.types);
        if by_index(&order, decided, None).is_some()
            || by_columns(&order).is_none()
            || decided.sorts(&order)
        {
            let places = self.places(decided, query, window, asked)?;
            let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
            let end = places.into_iter().next_back().map(Position::from);
            return Ok((self.objects(scope, &ids)?.0, end));
        }
        let (window, known) = self.nearer(window, asked);
        let mut sql = on_objects(COLUMNS, decided, &order, window.after());
        sql.push(" LIMIT ").number(window.limit);
        sql.push(" OFFSET ")
            .number(window.skipped() + known.between);
        let rows = self.all(&sql.text, &sql.params(), object_row)?;
        let end = rows.last().map(|row| Position {
            key: key_of_id(match order {
                Order::Type { .. } => row.type_id,
                _ => row.public_id,
            }),
            id: row.public_id,
        });
        self.remember(&known, rows.len(), end.as_ref(), asked);
        Ok((rows, end))
    }

    /// The ids of a page of the matches, with their keys.
    pub(super) fn places(
        &mut self,
        decided: &Decided,
        query: &ObjectQuery,
        window: &Window,
        asked: Option<Asked<'_>>,
    ) -> Result<Vec<Match>, Error> {
        let order = Order::of(&query.sort, &decided.types);
        if matches!(order, Order::Documents) {
            let matches = in_order(self.collect(decided, query)?, &query.sort);
            return Ok(cut(&matches, &query.sort, window).to_vec());
        }
        let (window, known) = self.nearer(window, asked);
        let skipped = window.skipped() + known.between;
        let mut sql = match &order {
            Order::Columns(columns) => {
                let most = skipped.saturating_add(window.limit);
                in_columns(decided, columns, window.after(), most)
            }
            _ => match by_index(&order, decided, window.after()) {
                Some(sql) => sql,
                None => on_objects("type_id, public_id", decided, &order, window.after()),
            },
        };
        sql.push(" LIMIT ").number(window.limit);
        sql.push(" OFFSET ").number(skipped);
        let places = self.all(&sql.text, &sql.params(), |row| {
            let id = row.int(1)?;
            Ok(match order {
                Order::Columns(_) => (Key::from(row.bytes(0)?.to_vec()), id),
                Order::Type { .. } => (key_of_id(row.int(0)?), id),
                Order::Id { .. } | Order::Documents => (key_of_id(id), id),
            })
        })?;
        let end = places.last().cloned().map(Position::from);
        self.remember(&known, places.len(), end.as_ref(), asked);
        Ok(places)
    }

    /// The window from the end of a page that is known on, if there is one before it.
    fn nearer(&self, window: &Window, asked: Option<Asked<'_>>) -> (Window, Known) {
        let Start::Offset(offset) = window.start else {
            let known = Known {
                before: None,
                between: 0,
            };
            return (window.clone(), known);
        };
        let end = asked.and_then(|asked| self.catalog().lists.before(asked, offset));
        let known = |between| Known {
            before: Some(offset),
            between,
        };
        match end {
            Some((position, between)) => {
                let window = Window {
                    start: Start::After(position),
                    ..window.clone()
                };
                (window, known(between))
            }
            None => (window.clone(), known(0)),
        }
    }

    /// Notes where a page ended.
    fn remember(
        &self,
        known: &Known,
        rows: usize,
        end: Option<&Position>,
        asked: Option<Asked<'_>>,
    ) {
        if let (Some(before), Some(end), Some(asked)) = (known.before, end, asked) {
            self.catalog()
                .lists
                .set_end(asked, before + rows, end.clone());
        }
    }

    /// All matches with their keys, in the order of their ids.
    pub(super) fn collect(
        &mut self,
        decided: &Decided,
        query: &ObjectQuery,
    ) -> Result<Vec<Match>, Error> {
        let judge = Judge::new(query, &decided.types);
        self.judge(&judge, &decided.on_objects())
    }
}

/// What is known of the beginning of a page.
struct Known {
    /// How many objects come before it.
    before: Option<usize>,
    /// How many of them come after the known end of another page.
    between: usize,
}

fn count_statement(decided: &Decided) -> Sql {
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
fn by_columns(order: &Order) -> Option<&'static str> {
    match order {
        Order::Id { descending: false } => Some("public_id"),
        Order::Id { descending: true } => Some("public_id DESC"),
        Order::Type { descending: false } => Some("type_id, public_id"),
        Order::Type { descending: true } => Some("type_id DESC, public_id"),
        Order::Columns { .. } | Order::Documents => None,
    }
}

/// The matches in the order of ids, without asking for those that are not wanted, if the index has them so.
fn by_index(order: &Order, decided: &Decided, after: Option<&Position>) -> Option<Sql> {
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

fn on_objects(columns: &str, decided: &Decided, order: &Order, after: Option<&Position>) -> Sql {
    let mut sql = Sql::new("SELECT ");
    sql.push(columns).push(" FROM object WHERE ");
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
fn in_columns(decided: &Decided, columns: &Columns, after: Option<&Position>, most: usize) -> Sql {
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
    sql.push("SELECT ").bytes(null.as_bytes());
    sql.push(" AS key, public_id AS object_id FROM object WHERE ");
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
