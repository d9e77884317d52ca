//! Pages of what the tables decide, in the order of an index, and how many there are.

use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::{Datum, Key, Numeric, Order as Direction, Sort, SortPath, TEXT_BYTES};

use super::COLUMNS;
use super::decided::Decided;
use super::index::{Column, MEMBERS};
use super::judge::{Judge, Match};
use super::list::{cut, in_order};
use super::memo::Asked;
use super::query::ObjectQuery;
use super::read::{Objects, READ_BYTES};
use super::sql::Sql;
use super::statement::{by_columns, by_index, count_statement, in_columns, on_objects};
use super::window::{Position, Start, Window};
use crate::Error;
use crate::catalog::TypeEntry;
use crate::transaction::ReadTx;

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
    pub(super) ids: Vec<i64>,
    /// The types without such a column; their objects have null.
    pub(super) without: Vec<i64>,
    pub(super) descending: bool,
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
        if let Some(asked) = asked
            && self.is_one_snapshot()
        {
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
    ) -> Result<(Objects, Option<Position>), Error> {
        let order = Order::of(&query.sort, &decided.types);
        if decided.passing().is_some()
            || by_index(&order, decided, None).is_some()
            || by_columns(&order).is_none()
            || decided.sorts(&order)
        {
            let places = self.places(decided, query, window, asked)?;
            let ids: Vec<i64> = places.iter().map(|(_, id)| *id).collect();
            let end = places.into_iter().next_back().map(Position::from);
            return Ok((self.objects(scope, &ids, READ_BYTES)?, end));
        }
        let (window, known) = self.nearer(window, asked);
        let mut sql = on_objects(columns(), decided, &order, window.after());
        sql.window(window.limit, window.skipped() + known.between);
        let (objects, end) = self.listed(&sql, &order, |_| Ok(()))?;
        let count = objects.rows.len() + objects.unread.len();
        self.remember(&known, count, end.as_ref(), asked);
        Ok((objects, end))
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
        if let (Order::Id { descending }, Some(ids)) = (&order, decided.passing()) {
            return Ok(cut_ids(ids, *descending, window));
        }
        let (window, known) = self.nearer(window, asked);
        let skipped = window.skipped() + known.between;
        let mut sql = match &order {
            Order::Columns(columns) => {
                let most = skipped.saturating_add(window.limit);
                in_columns(decided, columns, window.after(), most)
            }
            _ => by_index(&order, decided, window.after()).unwrap_or_else(|| {
                let places = Sql::new("SELECT type_id, public_id");
                on_objects(places, decided, &order, window.after())
            }),
        };
        sql.window(window.limit, skipped);
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
        if let (Some(before), Some(end), Some(asked)) = (known.before, end, asked)
            && self.is_one_snapshot()
        {
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

/// What rows of `object` begin with.
pub(super) fn columns() -> Sql {
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS);
    sql
}

/// Where an object stands in an order of rows of `object`.
pub(super) fn place(type_id: i64, id: i64, order: &Order) -> Position {
    Position {
        key: key_of_id(match order {
            Order::Type { .. } => type_id,
            _ => id,
        }),
        id,
    }
}

/// A part of a list of known ids.
fn cut_ids(ids: &[i64], descending: bool, window: &Window) -> Vec<Match> {
    let walk: Box<dyn Iterator<Item = &i64>> = if descending {
        Box::new(ids.iter().rev())
    } else {
        Box::new(ids.iter())
    };
    let is_before = |id: &&i64| {
        window.after().is_some_and(|position| {
            if descending {
                **id >= position.id
            } else {
                **id <= position.id
            }
        })
    };
    walk.skip_while(is_before)
        .skip(window.skipped())
        .take(window.limit)
        .map(|id| (key_of_id(*id), *id))
        .collect()
}

/// What is known of the beginning of a page.
struct Known {
    /// How many objects come before it.
    before: Option<usize>,
    /// How many of them come after the known end of another page.
    between: usize,
}
