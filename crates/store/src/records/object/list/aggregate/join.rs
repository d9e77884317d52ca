//! Adds objects of a type whose values are in several index columns. The rows of a column are in
//! the order of its keys, so columns are joined in memory, by the ids of the objects.

use std::collections::HashMap;

use stockroom_filter::{Datum, Key, TEXT_BYTES};
use stockroom_model::Period;

use super::groups::{Groups, MAX_BYTES, common};
use super::matches::Matches;
use super::origin::{Origin, Origins};
use crate::Error;
use crate::engine::driver::sql::Sql;
use crate::records::object::index::null;
use crate::records::object::list::filter::Filter;
use crate::records::object::list::predicate::IndexRows;
use crate::records::object::list::sql::Table;
use crate::transaction::ReadTx;

/// Up to this number of objects, only their rows are read from further columns.
const MAX_NAMED: usize = if cfg!(test) { 8 } else { 5_000 };
/// The memory of a distinct key, besides its bytes.
const KEY_BYTES: usize = 96;

/// Distinct keys, each with a small number.
#[derive(Default)]
struct Keys {
    numbers: HashMap<Key, u32>,
    all: Vec<Key>,
    bytes: usize,
}

impl ReadTx<'_> {
    /// Adds the matches of a filter that are of a type with values in these columns.
    pub(super) fn add_joined(
        &mut self,
        filter: &Filter,
        origins: &Origins,
        columns: &[i64],
        groups: &mut Groups<'_>,
    ) -> Result<(), Error> {
        let Some(first) = columns.first() else {
            return Ok(());
        };
        let matches = self.matches_of(filter, origins, *first)?;
        if matches.ids().is_empty() {
            return Ok(());
        }
        let mut keys = Keys::default();
        let mut values = Vec::with_capacity(origins.groups.len());
        for (origin, grouping) in origins.groups.iter().zip(&groups.aggregation().group_by) {
            values.push(self.values(&matches, origin, grouping.period, &mut keys)?);
        }
        let group_of_each = groups_of(matches.ids().len(), &values, &keys, groups)?;
        for (measure, origin) in origins.measures.iter().enumerate() {
            let Origin::Column(id) = origin else {
                for group in &group_of_each {
                    groups.measure(*group, measure, origin.constant(), 1)?;
                }
                continue;
            };
            self.each_of(&rows_of(&matches, *id), |row| {
                match matches.index_of(row.id(1)?) {
                    Some(at) => groups.measure(group_of_each[at], measure, row.bytes(0)?, 1),
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// The matches of a filter that are of a type with values in this column.
    fn matches_of(
        &mut self,
        filter: &Filter,
        origins: &Origins,
        column: i64,
    ) -> Result<Matches, Error> {
        let (rows, others) = match filter.leading_rows() {
            Some((rows, others)) => (origins.own(rows), others),
            None => (Some(all_of(column)), filter.on_index()),
        };
        let Some(rows) = rows else {
            return Ok(Matches::default());
        };
        let mut sql = Sql::new("SELECT object_id FROM object_field WHERE ");
        sql.index_rows(&rows);
        sql.and(&others, Table::Index);
        Ok(Matches::new(self.all_of(&sql, |row| row.id(0))?))
    }

    /// The numbers of the keys that the objects have in a grouping.
    fn values(
        &mut self,
        matches: &Matches,
        origin: &Origin,
        period: Option<Period>,
        keys: &mut Keys,
    ) -> Result<Vec<u32>, Error> {
        let fill = |number: u32| vec![number; matches.ids().len()];
        match origin {
            Origin::Constant(_) | Origin::Document => {
                Ok(fill(keys.number(common(origin.constant(), period))?))
            }
            Origin::Activity => {
                let [inactive, active] =
                    [false, true].map(|is| keys.number(Key::of(Datum::Bool(is), TEXT_BYTES)));
                let (number, mut values) = (inactive?, fill(active?));
                self.each_of(&inactive_of(matches), |row| {
                    if let Some(at) = matches.index_of(row.id(0)?) {
                        values[at] = number;
                    }
                    Ok(())
                })?;
                Ok(values)
            }
            Origin::Column(id) => {
                let mut values = fill(keys.number(null())?);
                // Equal keys follow each other.
                let mut last: Option<(Vec<u8>, u32)> = None;
                self.each_of(&rows_of(matches, *id), |row| {
                    let Some(at) = matches.index_of(row.id(1)?) else {
                        return Ok(());
                    };
                    let key = row.bytes(0)?;
                    values[at] = match &last {
                        Some((last, number)) if last == key => *number,
                        _ => {
                            let number = keys.number(common(key, period))?;
                            last = Some((key.to_vec(), number));
                            number
                        }
                    };
                    Ok(())
                })?;
                Ok(values)
            }
        }
    }
}

/// The rows of a column, at least those of these objects.
fn rows_of(matches: &Matches, column: i64) -> Sql {
    let mut sql = Sql::new("SELECT key, object_id FROM object_field WHERE ");
    sql.index_rows(&all_of(column));
    only_named(&mut sql, "object_id", matches);
    sql
}

/// The inactive objects, at least those among these.
fn inactive_of(matches: &Matches) -> Sql {
    let mut sql = Sql::new("SELECT public_id FROM object WHERE active = 0");
    only_named(&mut sql, "public_id", matches);
    sql
}

fn only_named(sql: &mut Sql, column: &str, matches: &Matches) {
    if matches.ids().len() <= MAX_NAMED {
        sql.push(" AND ");
        sql.among(column, matches.ids());
    }
}

/// The group of each object, which is counted there.
fn groups_of(
    objects: usize,
    values: &[Vec<u32>],
    keys: &Keys,
    groups: &mut Groups<'_>,
) -> Result<Vec<usize>, Error> {
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut numbers = Vec::with_capacity(values.len());
    let mut group_of_each = Vec::with_capacity(objects);
    for at in 0..objects {
        numbers.clear();
        numbers.extend(values.iter().map(|values| values[at]));
        let group = if let Some(group) = known.get(&numbers) {
            *group
        } else {
            let key = numbers.iter().map(|number| keys.key(*number));
            let group = groups.group_of(key.collect())?;
            known.insert(numbers.clone(), group);
            group
        };
        groups.count(group, 1);
        group_of_each.push(group);
    }
    Ok(group_of_each)
}

impl Keys {
    fn number(&mut self, key: Key) -> Result<u32, Error> {
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        self.bytes += KEY_BYTES + 2 * key.as_bytes().len();
        let number = u32::try_from(self.all.len()).map_err(|_| Error::TooManyGroups)?;
        if self.bytes > MAX_BYTES {
            return Err(Error::TooManyGroups);
        }
        self.all.push(key.clone());
        self.numbers.insert(key, number);
        Ok(number)
    }

    fn key(&self, number: u32) -> Key {
        let key = usize::try_from(number).ok();
        let key = key.and_then(|number| self.all.get(number));
        key.cloned().unwrap_or_else(null)
    }
}

fn all_of(column: i64) -> IndexRows {
    IndexRows {
        columns: vec![column],
        may_repeat_objects: false,
        ranges: None,
        exclude_missing: false,
    }
}
