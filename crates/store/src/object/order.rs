//! Pages of what the tables decide, in the order of an index, and how many there are.

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{Order as Direction, Sort, SortPath, TEXT_BYTES};

use super::condition::{Condition, Rows, Sql, Table};
use super::index::{Column, MEMBERS, null};
use super::judge::{Judge, Match};
use super::list::in_order;
use super::lower::Lowered;
use super::query::ObjectQuery;
use super::{COLUMNS, ObjectRow, object_row};
use crate::Error;
use crate::catalog::TypeEntry;
use crate::pending::Counts;
use crate::transaction::ReadTx;

/// Columns whose rows are merged while they are read; rows of more are sorted.
const MAX_MERGED: usize = 64;

/// A query that the tables decide.
pub(super) struct Decided {
    types: Vec<Arc<TypeEntry>>,
    of_types: Condition,
    condition: Condition,
    active_only: bool,
    counts: Counts,
    /// Whether there are objects of these types of which the condition may say what is not true; none of them matches.
    irregular: bool,
}

impl Decided {
    pub(super) fn new(
        lowered: &Lowered,
        condition: Condition,
        query: &ObjectQuery,
        counts: Counts,
        irregular: bool,
    ) -> Self {
        Self {
            types: lowered.types.clone(),
            of_types: lowered.of_types(),
            condition,
            active_only: query.active_only && counts.active < counts.total,
            counts,
            irregular,
        }
    }

    /// The whole condition on rows of `object`.
    fn on_objects(&self) -> Condition {
        let mut all = vec![self.of_types.clone(), self.on_index()];
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
    /// The rows of these columns; objects of types without such a column have null.
    Columns {
        columns: Vec<i64>,
        without: Vec<i64>,
        descending: bool,
    },
    /// No index.
    Documents,
}

impl Order {
    pub(super) fn of(sort: &Sort, types: &[Arc<TypeEntry>]) -> Self {
        let descending = sort.order == Direction::Descending;
        let column = |find: &dyn Fn(&TypeEntry) -> Option<Column>| {
            let mut columns = Vec::new();
            let mut without = Vec::new();
            for entry in types {
                match find(entry) {
                    Some(column) if column.text_bytes < TEXT_BYTES => return Self::Documents,
                    Some(column) => columns.push(column.id),
                    None => without.push(entry.record.public_id.get()),
                }
            }
            Self::Columns {
                columns,
                without,
                descending,
            }
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

impl ReadTx<'_> {
    /// How many objects match.
    pub(super) fn count(&mut self, decided: &Decided) -> Result<usize, Error> {
        let total = if decided.condition.is_always() && !decided.irregular {
            if decided.active_only {
                decided.counts.active
            } else {
                decided.counts.total
            }
        } else {
            let sql = count_statement(decided);
            self.first(&sql.text, &sql.params(), |row| row.int(0))?
                .unwrap_or(0)
        };
        Ok(usize::try_from(total).unwrap_or(0))
    }

    /// A page of the matches.
    pub(super) fn page(
        &mut self,
        scope: &Scope,
        decided: &Decided,
        query: &ObjectQuery,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<ObjectRow>, Error> {
        let order = Order::of(&query.sort, &decided.types);
        if let (Some(order), None) = (by_columns(&order), by_index(&order, decided)) {
            let mut sql = on_objects(COLUMNS, decided, order);
            sql.push(" LIMIT ").number(limit);
            sql.push(" OFFSET ").number(offset);
            return self.all(&sql.text, &sql.params(), object_row);
        }
        let ids = self.page_ids(decided, query, offset, limit)?;
        Ok(self.objects(scope, &ids)?.0)
    }

    /// The ids of a page of the matches.
    pub(super) fn page_ids(
        &mut self,
        decided: &Decided,
        query: &ObjectQuery,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<i64>, Error> {
        let order = Order::of(&query.sort, &decided.types);
        let mut sql = match &order {
            Order::Columns {
                columns,
                without,
                descending,
            } => in_columns(
                decided,
                columns,
                without,
                *descending,
                offset.saturating_add(limit),
            ),
            Order::Documents => {
                let ids = in_order(self.collect(decided, query)?, &query.sort);
                return Ok(ids.into_iter().skip(offset).take(limit).collect());
            }
            Order::Id { .. } | Order::Type { .. } => match by_index(&order, decided) {
                Some(sql) => sql,
                None => on_objects("public_id", decided, by_columns(&order).unwrap_or_default()),
            },
        };
        sql.push(" LIMIT ").number(limit);
        sql.push(" OFFSET ").number(offset);
        self.all(&sql.text, &sql.params(), |row| row.int(0))
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

/// The ids of the matches in the order of ids, without asking for those that are not wanted, if the index has them so.
fn by_index(order: &Order, decided: &Decided) -> Option<Sql> {
    let Order::Id { descending } = order else {
        return None;
    };
    let (rows, others) = decided.driver(true)?;
    let mut sql = Sql::new("SELECT object_id FROM object_field WHERE ");
    sql.rows(rows);
    sql.and(&others, Table::Index);
    sql.push(if *descending {
        " ORDER BY object_id DESC"
    } else {
        " ORDER BY object_id"
    });
    Some(sql)
}

fn on_objects(columns: &str, decided: &Decided, order: &str) -> Sql {
    let mut sql = Sql::new("SELECT ");
    sql.push(columns).push(" FROM object WHERE ");
    sql.condition(&decided.on_objects(), Table::Object);
    sql.push(" ORDER BY ").push(order);
    sql
}

/// The ids of the matches in the order of the rows of `columns`; every branch gives its first `most` in that order, and the branches
/// are merged.
fn in_columns(
    decided: &Decided,
    columns: &[i64],
    without: &[i64],
    descending: bool,
    most: usize,
) -> Sql {
    let order = if descending {
        " ORDER BY key DESC, object_id"
    } else {
        " ORDER BY key, object_id"
    };
    let condition = decided.on_index();
    if let ([column], []) = (columns, without) {
        let mut sql = Sql::new("SELECT object_id FROM object_field WHERE field_id = ");
        sql.int(*column).and(&condition, Table::Index);
        sql.push(order);
        return sql;
    }
    let mut sql = Sql::new("SELECT object_id FROM (");
    let merged = if columns.len() > MAX_MERGED {
        vec![columns]
    } else {
        columns.chunks(1).collect()
    };
    for (place, columns) in merged.iter().enumerate() {
        sql.push(if place > 0 { " UNION ALL " } else { "" });
        sql.push("SELECT * FROM (SELECT key, object_id FROM object_field WHERE ");
        sql.among("field_id", columns);
        sql.and(&condition, Table::Index);
        sql.push(order).push(" LIMIT ").number(most);
        sql.push(") AS branch");
    }
    if !without.is_empty() {
        sql.push(if columns.is_empty() {
            ""
        } else {
            " UNION ALL "
        });
        sql.push("SELECT * FROM (SELECT ").bytes(null().as_bytes());
        sql.push(" AS key, public_id AS object_id FROM object WHERE ");
        sql.among("type_id", without);
        sql.and(&decided.on_objects(), Table::Object);
        sql.push(" ORDER BY public_id LIMIT ").number(most);
        sql.push(") AS branch");
    }
    sql.push(") AS merged").push(order);
    sql
}
