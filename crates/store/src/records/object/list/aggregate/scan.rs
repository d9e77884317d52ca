//! Adds objects that the tables decide: from counters, from rows of `object`, and from the rows of
//! single index columns.

use std::collections::BTreeMap;

use stockroom_filter::{Datum, Key, TEXT_BYTES};
use stockroom_model::TypeId;

use super::groups::Groups;
use super::origin::{Origin, Origins};
use crate::Error;
use crate::engine::counters::{ByType, Counts};
use crate::engine::driver::sql::Sql;
use crate::records::object::index::null;
use crate::records::object::list::filter::Filter;
use crate::records::object::list::predicate::{IndexPredicate, IndexRows};
use crate::records::object::list::sql::Table;
use crate::transaction::ReadTx;

impl ReadTx<'_> {
    /// Adds the matches of a filter that are of these types.
    pub(super) fn add_scan(
        &mut self,
        filter: &Filter,
        types: &[Origins],
        groups: &mut Groups<'_>,
    ) -> Result<(), Error> {
        let (mut without, mut with_one) = (Vec::new(), Vec::new());
        for origins in types {
            match origins.columns().as_slice() {
                [] => without.push(origins),
                [only] if !origins.need_activity() && self.is_grouped(filter, *only) => {
                    with_one.push((*only, origins));
                }
                columns => self.add_joined(filter, origins, columns, groups)?,
            }
        }
        self.add_columns(filter, &with_one, groups)?;
        let uncounted = self.add_counted(filter, &without, groups)?;
        if uncounted.is_empty() {
            return Ok(());
        }
        let types = uncounted.iter().map(|origins| origins.type_id()).collect();
        let predicate = IndexPredicate::all(vec![
            IndexPredicate::Types(types),
            filter.on_objects_of(IndexPredicate::always()),
        ]);
        self.add_objects(&predicate, uncounted, groups)
    }

    /// Whether the engine groups the rows of a single column. An embedded one takes longer than a
    /// join if it has to look up each of them in a set of ids.
    fn is_grouped(&self, filter: &Filter, column: i64) -> bool {
        let has_others = || !filter.on_columns(&[column]).1.is_always();
        self.is_shared() || filter.leading_rows().is_none() || !has_others()
    }

    /// Adds whole types by their counters; returns the others.
    fn add_counted<'o>(
        &mut self,
        filter: &Filter,
        types: &[&'o Origins],
        groups: &mut Groups<'_>,
    ) -> Result<Vec<&'o Origins>, Error> {
        if types.is_empty() || !filter.is_whole() {
            return Ok(types.to_vec());
        }
        let ids: Vec<TypeId> = types.iter().map(|origins| origins.type_id()).collect();
        let counts = self.counts_by_type(&ids)?;
        let mut uncounted = Vec::new();
        for origins in types {
            let counts = counts.get(&origins.type_id()).copied().unwrap_or_default();
            match counted(filter, counts, origins.need_activity()) {
                None => uncounted.push(*origins),
                Some(numbers) => {
                    for (is_active, count) in numbers {
                        add(groups, origins, is_active, None, count)?;
                    }
                }
            }
        }
        Ok(uncounted)
    }

    /// The counters of these types.
    fn counts_by_type(&mut self, types: &[TypeId]) -> Result<ByType, Error> {
        if let Some(counters) = self.counters() {
            return Ok(counters.clone());
        }
        let mut sums = ByType::new();
        let mut sql = Sql::new("SELECT type_id, total, active, irregular FROM object_count WHERE ");
        sql.among("type_id", types);
        self.each_of(&sql, |row| {
            sums.entry(row.id(0)?).or_default().add(Counts {
                total: row.int(1)?,
                active: row.int(2)?,
                irregular: row.int(3)?,
            });
            Ok(())
        })?;
        Ok(sums)
    }

    /// Adds the objects of these types that satisfy a predicate, from rows of `object`.
    pub(super) fn add_objects<'o>(
        &mut self,
        predicate: &IndexPredicate,
        types: impl IntoIterator<Item = &'o Origins>,
        groups: &mut Groups<'_>,
    ) -> Result<(), Error> {
        let types = types
            .into_iter()
            .map(|origins| (origins.type_id(), origins));
        let types: BTreeMap<TypeId, &Origins> = types.collect();
        let mut sql = Sql::new("SELECT type_id, active, COUNT(*) FROM object WHERE ");
        sql.predicate(predicate, Table::Object);
        sql.push(" GROUP BY type_id, active");
        self.each_of(&sql, |row| {
            let type_id: TypeId = row.id(0)?;
            let Some(origins) = types.get(&type_id) else {
                return Ok(());
            };
            add(groups, origins, row.int(1)? != 0, None, row.int(2)?)
        })
    }

    /// Adds the objects of types whose only values are in one index column.
    fn add_columns(
        &mut self,
        filter: &Filter,
        columns: &[(i64, &Origins)],
        groups: &mut Groups<'_>,
    ) -> Result<(), Error> {
        // A server takes a round trip for each statement. Without one, each column is walked in the
        // order of its keys, so that the engine needs no table of groups.
        let size = if self.is_shared() {
            columns.len().max(1)
        } else {
            1
        };
        for columns in columns.chunks(size) {
            let types: BTreeMap<i64, &Origins> = columns.iter().copied().collect();
            let ids: Vec<i64> = types.keys().copied().collect();
            let (ranges, others) = filter.on_columns(&ids);
            let mut sql = Sql::new("SELECT field_id, key, COUNT(*) FROM object_field WHERE ");
            sql.index_rows(&IndexRows {
                columns: ids,
                may_repeat_objects: false,
                ranges,
                exclude_missing: false,
            });
            sql.and(&others, Table::Index);
            sql.push(" GROUP BY field_id, key");
            self.each_of(&sql, |row| {
                let Some(origins) = types.get(&row.int(0)?) else {
                    return Ok(());
                };
                add(groups, origins, true, Some(row.bytes(1)?), row.int(2)?)
            })?;
        }
        Ok(())
    }
}

/// The numbers of active and of inactive objects that a filter of whole types finds; `None` if the
/// counters do not tell. Activity matters only if it is asked for.
fn counted(filter: &Filter, counts: Counts, by_activity: bool) -> Option<Vec<(bool, i64)>> {
    let Counts {
        total,
        active,
        irregular,
    } = counts;
    let excluded = if filter.undecided().has_irregular {
        irregular
    } else {
        0
    };
    match (by_activity, filter.is_active_only()) {
        // Irregular objects count as active or inactive, too.
        (true, _) | (false, true) if excluded > 0 => None,
        (_, true) => Some(vec![(true, active)]),
        (true, false) => Some(vec![(true, active), (false, total - active)]),
        (false, false) => Some(vec![(true, total - excluded)]),
    }
}

/// Adds objects of a type with the same values: `key` is the one in their only column.
fn add(
    groups: &mut Groups<'_>,
    origins: &Origins,
    is_active: bool,
    key: Option<&[u8]>,
    count: i64,
) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    let activity = Key::of(Datum::Bool(is_active), TEXT_BYTES);
    let null = null();
    let found = |origin: &Origin| match origin {
        Origin::Constant(key) => key.clone(),
        Origin::Activity => activity.clone(),
        Origin::Column(_) | Origin::Document => {
            key.map_or_else(|| null.clone(), |key| Key::from(key.to_vec()))
        }
    };
    let keys: Vec<Key> = origins.groups.iter().map(found).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Key::as_bytes).collect();
    let group = groups.group(&keys)?;
    groups.count(group, count);
    for (index, origin) in origins.measures.iter().enumerate() {
        groups.measure(group, index, found(origin).as_bytes(), count)?;
    }
    Ok(())
}
