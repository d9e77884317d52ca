//! Writes predicates as SQL.

use stockroom_filter::KeyRange;

use super::predicate::{IndexPredicate, IndexRows, KeyScan};
use crate::engine::driver::BY_VALUES;
use crate::engine::driver::sql::Sql;

/// The table whose rows a predicate applies to.
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
    /// Appends a predicate on rows of `table`.
    pub(super) fn predicate(&mut self, predicate: &IndexPredicate, table: Table) {
        match predicate {
            IndexPredicate::All(members) if members.is_empty() => drop(self.push("TRUE")),
            IndexPredicate::Any(members) if members.is_empty() => drop(self.push("FALSE")),
            IndexPredicate::All(members) => self.joined(members, " AND ", table),
            IndexPredicate::Any(members) => self.any(members, table),
            IndexPredicate::Not(inner) => self.negation(inner, table),
            IndexPredicate::Rows(_)
            | IndexPredicate::KeyScan(_)
            | IndexPredicate::Irregular
            | IndexPredicate::Unindexed => self.in_union(&[predicate], table),
            IndexPredicate::Ids(ids) | IndexPredicate::Scanned(ids) => self.among(table.id(), ids),
            IndexPredicate::IdRange(from, to) => {
                self.push(table.id()).push(" BETWEEN ").int(*from);
                self.push(" AND ").int(*to);
            }
            IndexPredicate::Types(types) if table == Table::Object => self.among("type_id", types),
            // The unary plus keeps engines from using the index of types, and has no other effect.
            IndexPredicate::CommonTypes(types) if table == Table::Object => {
                self.among("+type_id", types);
            }
            IndexPredicate::Inactive if table == Table::Object => drop(self.push("active = 0")),
            IndexPredicate::Types(_)
            | IndexPredicate::CommonTypes(_)
            | IndexPredicate::Inactive => {
                self.push("object_id IN (SELECT public_id FROM object WHERE ");
                self.predicate(predicate, Table::Object);
                self.push(")");
            }
        }
    }

    /// Appends ` AND` and a predicate, unless it always holds.
    pub(super) fn and(&mut self, predicate: &IndexPredicate, table: Table) {
        if !predicate.is_always() {
            self.push(" AND ");
            self.predicate(predicate, table);
        }
    }

    fn negation(&mut self, inner: &IndexPredicate, table: Table) {
        match inner {
            IndexPredicate::Rows(_)
            | IndexPredicate::KeyScan(_)
            | IndexPredicate::Irregular
            | IndexPredicate::Unindexed => {
                let start = self.text().len();
                self.predicate(inner, table);
                self.insert(start + table.id().len(), " NOT");
            }
            IndexPredicate::Inactive if table == Table::Object => drop(self.push("active = 1")),
            _ => {
                self.push("NOT (");
                self.predicate(inner, table);
                self.push(")");
            }
        }
    }

    /// Appends a disjunction. Members that are sets of ids become one set: with an `OR` between
    /// them, PostgreSQL reads all of `object`.
    fn any(&mut self, members: &[IndexPredicate], table: Table) {
        let (sets, others): (Vec<_>, Vec<_>) =
            members.iter().partition(|member| is_set_of_ids(member));
        if sets.len() < 2 {
            return self.joined(members, " OR ", table);
        }
        self.push(if others.is_empty() { "" } else { "(" });
        self.in_union(&sets, table);
        for other in &others {
            self.push(" OR ");
            self.predicate(other, table);
        }
        self.push(if others.is_empty() { "" } else { ")" });
    }

    /// Appends a condition: the id is in one of these sets.
    fn in_union(&mut self, sets: &[&IndexPredicate], table: Table) {
        self.push(table.id()).push(" IN (");
        for (index, set) in sets.iter().enumerate() {
            self.push(if index > 0 { " UNION ALL " } else { "" });
            match set {
                IndexPredicate::Rows(rows) | IndexPredicate::KeyScan(KeyScan { rows, .. }) => {
                    self.push(BY_VALUES);
                    self.push(" SELECT object_id FROM object_field WHERE ");
                    self.index_rows(rows);
                }
                IndexPredicate::Ids(ids) | IndexPredicate::Scanned(ids) => self.select_ints(ids),
                IndexPredicate::Unindexed => {
                    self.push("SELECT object_id FROM object_irregular WHERE targets_indexed = 0");
                }
                _ => drop(self.push("SELECT object_id FROM object_irregular")),
            }
        }
        self.push(")");
    }

    fn joined(&mut self, members: &[IndexPredicate], word: &str, table: Table) {
        self.push("(");
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                self.push(word);
            }
            self.predicate(member, table);
        }
        self.push(")");
    }

    /// Appends the condition on index rows.
    pub(super) fn index_rows(&mut self, rows: &IndexRows) {
        self.among("field_id", &rows.columns);
        if rows.exclude_missing {
            self.exclude_missing(rows);
        }
        if let Some(ranges) = &rows.ranges {
            self.push(" AND ");
            self.ranges(ranges);
        }
    }

    /// Appends the condition that the object has the field. For pairs of column and object, `NOT IN`
    /// would be enough, but SQLite reads the whole list for each row.
    fn exclude_missing(&mut self, rows: &IndexRows) {
        if rows.may_repeat_objects {
            self.push(" AND NOT EXISTS (SELECT 1 FROM object_field AS absent WHERE absent.field_id = -object_field.field_id AND absent.key = ");
            self.bytes(&[]);
            self.push(" AND absent.object_id = object_field.object_id)");
        } else {
            let absent: Vec<i64> = rows.columns.iter().map(|column| -column).collect();
            self.push(" AND object_id NOT IN (SELECT object_id FROM object_field WHERE ");
            self.among("field_id", &absent);
            self.push(")");
        }
    }

    /// Appends a condition: the key is in one of these ranges.
    fn ranges(&mut self, ranges: &[KeyRange]) {
        let (points, spans): (Vec<&KeyRange>, Vec<&KeyRange>) =
            ranges.iter().partition(|range| range.is_point());
        let is_one = spans.len() + usize::from(!points.is_empty()) == 1;
        self.push(if is_one { "" } else { "(" });
        let mut or = "";
        for span in spans {
            self.push(or).push("key >= ").bytes(&span.from);
            self.push(" AND key < ").bytes(&span.to);
            or = " OR ";
        }
        match points.as_slice() {
            [] if or.is_empty() => drop(self.push("FALSE")),
            [] => {}
            [point] => drop(self.push(or).push("key = ").bytes(&point.from)),
            points => {
                let keys = points.iter().map(|point| point.from.clone()).collect();
                self.push(or).among_bytes("key", keys);
            }
        }
        self.push(if is_one { "" } else { ")" });
    }
}

/// Whether a predicate is that an object has one of the ids that a statement selects.
const fn is_set_of_ids(predicate: &IndexPredicate) -> bool {
    matches!(
        predicate,
        IndexPredicate::Rows(_)
            | IndexPredicate::KeyScan(_)
            | IndexPredicate::Ids(_)
            | IndexPredicate::Scanned(_)
            | IndexPredicate::Irregular
            | IndexPredicate::Unindexed
    )
}
