//! Statements that are put together: how conditions read in SQL.

use std::fmt::Write as _;

use stockroom_filter::{Key, KeyRange};

use super::condition::{Condition, Rows, Scan};
use crate::driver::{BY_VALUES, Param, one_of, one_of_bytes, table_of_bytes};

/// A statement in the making.
#[derive(Default)]
pub(super) struct Sql {
    pub(super) text: String,
    bounds: Vec<Bound>,
}

/// A value bound to a parameter.
enum Bound {
    Int(i64),
    Ints(Vec<i64>),
    Bytes(Vec<u8>),
    ManyBytes(Vec<Vec<u8>>),
}

/// The table whose rows a condition is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Object,
    Index,
}

impl Table {
    /// The column with the id of the object.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Object => "public_id",
            Self::Index => "object_id",
        }
    }
}

impl Sql {
    pub(super) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            bounds: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// The values of the parameters, in their order.
    pub(super) fn params(&self) -> Vec<Param<'_>> {
        self.bounds
            .iter()
            .map(|bound| match bound {
                Bound::Int(value) => Param::Int(*value),
                Bound::Ints(values) => Param::Ints(values),
                Bound::Bytes(value) => Param::Bytes(value),
                Bound::ManyBytes(values) => Param::ManyBytes(values),
            })
            .collect()
    }

    /// Appends a parameter.
    pub(super) fn int(&mut self, value: i64) -> &mut Self {
        self.bind(Bound::Int(value))
    }

    /// Appends a parameter.
    pub(super) fn number(&mut self, value: usize) -> &mut Self {
        self.int(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Appends which part of the rows is wanted. Shards are asked for the sum of both, which has to be a number as well.
    pub(super) fn window(&mut self, limit: usize, skipped: usize) -> &mut Self {
        let (limit, skipped) = bounded(limit, skipped);
        self.push(" LIMIT ")
            .int(limit)
            .push(" OFFSET ")
            .int(skipped)
    }

    /// The same with the limit in the text: a server that does not know it makes a plan for each page, which takes longer than to read
    /// one.
    pub(super) fn page(&mut self, limit: usize, skipped: usize) {
        let (limit, skipped) = bounded(limit, skipped);
        // Writing to a String cannot fail.
        let _ = write!(self.text, " LIMIT {limit}");
        if skipped > 0 {
            self.push(" OFFSET ").int(skipped);
        }
    }

    /// Appends a parameter.
    pub(super) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.bind(Bound::Bytes(value.to_vec()))
    }

    /// Appends a table with a row of this key in its column `value`.
    pub(super) fn table_of_bytes(&mut self, key: &Key) {
        self.bounds
            .push(Bound::ManyBytes(vec![key.as_bytes().to_vec()]));
        let table = table_of_bytes(self.bounds.len());
        self.push(&table);
    }

    fn bind(&mut self, bound: Bound) -> &mut Self {
        self.bounds.push(bound);
        // Writing to a String cannot fail.
        let _ = write!(self.text, "?{}", self.bounds.len());
        self
    }

    /// Appends that a column is one of these.
    pub(super) fn among(&mut self, column: &str, values: &[i64]) {
        if let [only] = values {
            self.push(column).push(" = ").int(*only);
            return;
        }
        self.bounds.push(Bound::Ints(values.to_vec()));
        let term = one_of(column, self.bounds.len());
        self.push(&term);
    }

    /// Appends a condition on rows of `table`.
    pub(super) fn condition(&mut self, condition: &Condition, table: Table) {
        match condition {
            Condition::All(members) if members.is_empty() => drop(self.push("TRUE")),
            Condition::Any(members) if members.is_empty() => drop(self.push("FALSE")),
            Condition::All(members) => self.joined(members, " AND ", table),
            Condition::Any(members) => self.joined(members, " OR ", table),
            Condition::Not(inner) => self.negation(inner, table),
            Condition::Rows(rows) | Condition::Scan(Scan { rows, .. }) => {
                self.push(table.id()).push(" IN (").push(BY_VALUES);
                self.push(" SELECT object_id FROM object_field WHERE ");
                self.rows(rows);
                self.push(")");
            }
            Condition::Ids(ids) | Condition::Passing(ids) => self.among(table.id(), ids),
            Condition::IdRange(from, to) => {
                self.push(table.id()).push(" BETWEEN ").int(*from);
                self.push(" AND ").int(*to);
            }
            Condition::Types(types) if table == Table::Object => self.among("type_id", types),
            // The sign keeps engines from going by the index of types, and means nothing else.
            Condition::MostTypes(types) if table == Table::Object => self.among("+type_id", types),
            Condition::Inactive if table == Table::Object => drop(self.push("active = 0")),
            Condition::Irregular => {
                self.push(table.id())
                    .push(" IN (SELECT object_id FROM object_irregular)");
            }
            Condition::Types(_) | Condition::MostTypes(_) | Condition::Inactive => {
                self.push("object_id IN (SELECT public_id FROM object WHERE ");
                self.condition(condition, Table::Object);
                self.push(")");
            }
        }
    }

    /// Appends ` AND` and a condition, unless it always holds.
    pub(super) fn and(&mut self, condition: &Condition, table: Table) {
        if !condition.is_always() {
            self.push(" AND ");
            self.condition(condition, table);
        }
    }

    fn negation(&mut self, inner: &Condition, table: Table) {
        match inner {
            Condition::Rows(_) | Condition::Scan(_) | Condition::Irregular => {
                let start = self.text.len();
                self.condition(inner, table);
                let place = start + table.id().len();
                self.text.insert_str(place, " NOT");
            }
            Condition::Inactive if table == Table::Object => drop(self.push("active = 1")),
            _ => {
                self.push("NOT (");
                self.condition(inner, table);
                self.push(")");
            }
        }
    }

    fn joined(&mut self, members: &[Condition], word: &str, table: Table) {
        self.push("(");
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                self.push(word);
            }
            self.condition(member, table);
        }
        self.push(")");
    }

    /// Appends which rows of the index.
    pub(super) fn rows(&mut self, rows: &Rows) {
        self.among("field_id", &rows.columns);
        if rows.present {
            self.push(" AND (-field_id, object_id) NOT IN (SELECT field_id, object_id FROM object_field WHERE ");
            let absent: Vec<i64> = rows.columns.iter().map(|column| -column).collect();
            self.among("field_id", &absent);
            self.push(")");
        }
        let Some(ranges) = &rows.ranges else {
            return;
        };
        self.push(" AND ");
        let (points, spans): (Vec<&KeyRange>, Vec<&KeyRange>) =
            ranges.iter().partition(|range| range.is_point());
        let alternatives = spans.len() + usize::from(!points.is_empty());
        if alternatives != 1 {
            self.push("(");
        }
        let mut first = true;
        for span in spans {
            if !std::mem::take(&mut first) {
                self.push(" OR ");
            }
            self.push("key >= ").bytes(&span.from);
            self.push(" AND key < ").bytes(&span.to);
        }
        match points.as_slice() {
            [] if first => drop(self.push("FALSE")),
            [] => {}
            [point] => {
                self.push(if first { "key = " } else { " OR key = " })
                    .bytes(&point.from);
            }
            points => {
                let keys = points.iter().map(|point| point.from.clone()).collect();
                self.bounds.push(Bound::ManyBytes(keys));
                let term = one_of_bytes("key", self.bounds.len());
                self.push(if first { "" } else { " OR " }).push(&term);
            }
        }
        if alternatives != 1 {
            self.push(")");
        }
    }
}

/// Limit and offset as numbers whose sum is one.
fn bounded(limit: usize, skipped: usize) -> (i64, i64) {
    let number = |rows| i64::try_from(rows).unwrap_or(i64::MAX);
    let skipped = number(skipped);
    (number(limit).min(i64::MAX - skipped), skipped)
}
