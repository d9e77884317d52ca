//! Lists of objects. Which way an answer is found depends on how many objects could match; all ways lead to what the evaluator says.

use std::collections::BTreeSet;
use std::sync::Arc;

use stockroom_access::Scope;
use stockroom_filter::Sort;
use stockroom_model::Object;

use super::condition::{Condition, Rows, Scan};
use super::decided::Decided;
use super::judge::{Judge, Match, names, type_of};
use super::lower::{Lowered, lower, references};
use super::memo::Asked;
use super::order::Order;
use super::query::ObjectQuery;
use super::read::READ_BYTES;
use super::sql::{Sql, Table};
use super::window::{Position, Start, Window};
use super::{ObjectRow, order};
use crate::Error;
use crate::catalog::TypeEntry;
use crate::pending::Counts;
use crate::transaction::ReadTx;

/// So many documents are looked at rather than asking the index more than one question.
pub(crate) const FEW: usize = 256;

const SELECT_ALL: &str = "SELECT CAST(SUM(total) AS BIGINT) FROM object_count";

/// One page of a list.
pub struct ObjectPage {
    /// The first objects of the page, up to [`READ_BYTES`].
    pub rows: Vec<ObjectRow>,
    /// The ids of the others.
    pub unread: Vec<i64>,
    /// How many match in all, if that was asked.
    pub total: Option<usize>,
    /// Where the last of them stands.
    pub end: Option<Position>,
}

/// One page of a list, to be read.
pub struct ObjectIds {
    /// The ids of its objects.
    pub ids: Vec<i64>,
    /// How many match in all.
    pub total: usize,
    /// Where the last of them stands.
    pub end: Option<Position>,
}

/// The objects that match.
enum Found {
    /// All of them, in the order of the list.
    Matches(Vec<Match>),
    /// Those that the tables decide on.
    Decided(Box<Decided>),
}

impl ReadTx<'_> {
    /// One page of the objects that the caller may see, and how many there are in all if `counted`.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_page(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        window: &Window,
        counted: bool,
    ) -> Result<ObjectPage, Error> {
        let lowered = lower(self.catalog(), scope, query)?;
        if let Some(page) = self.plain_page(&lowered, query, window, counted)? {
            return Ok(page);
        }
        match self.find(&lowered, query)? {
            Found::Matches(matches) => {
                let page = cut(&matches, &query.sort, window);
                let ids: Vec<i64> = page.iter().map(|(_, id)| *id).collect();
                let objects = self.objects(scope, &ids, READ_BYTES)?;
                Ok(ObjectPage {
                    rows: objects.rows,
                    unread: objects.unread,
                    total: counted.then_some(matches.len()),
                    end: page.last().cloned().map(Position::from),
                })
            }
            Found::Decided(decided) => {
                let asked = self.asked(scope, query, &decided, window.skipped())?;
                let total = if counted {
                    Some(self.count(&decided, asked)?)
                } else {
                    None
                };
                let (objects, end) = self.page(scope, &decided, query, window, asked)?;
                Ok(ObjectPage {
                    rows: objects.rows,
                    unread: objects.unread,
                    total,
                    end,
                })
            }
        }
    }

    /// How many objects match that the caller may see.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_count(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<usize, Error> {
        let lowered = lower(self.catalog(), scope, query)?;
        match self.find(&lowered, query)? {
            Found::Matches(matches) => Ok(matches.len()),
            Found::Decided(decided) => {
                let asked = self.asked(scope, query, &decided, 0)?;
                self.count(&decided, asked)
            }
        }
    }

    /// The ids of a page of the objects that the caller may see, in order, and how many there are in all: for pages of so many
    /// objects that they are read bit by bit.
    ///
    /// # Errors
    ///
    /// [`Error::TooExpensive`], or the engine failed.
    pub fn object_ids(
        &mut self,
        scope: &Scope,
        query: &ObjectQuery,
        window: &Window,
    ) -> Result<ObjectIds, Error> {
        let lowered = lower(self.catalog(), scope, query)?;
        let (page, total) = match self.find(&lowered, query)? {
            Found::Matches(matches) => {
                let page = cut(&matches, &query.sort, window).to_vec();
                (page, matches.len())
            }
            Found::Decided(decided) => {
                let asked = self.asked(scope, query, &decided, window.skipped())?;
                let total = self.count(&decided, asked)?;
                (self.places(&decided, query, window, asked)?, total)
            }
        };
        Ok(ObjectIds {
            end: page.last().cloned().map(Position::from),
            ids: page.into_iter().map(|(_, id)| id).collect(),
            total,
        })
    }

    /// How the memo knows the list, if it may.
    fn asked<'q>(
        &mut self,
        scope: &'q Scope,
        query: &'q ObjectQuery,
        decided: &Decided,
        skipped: usize,
    ) -> Result<Option<Asked<'q>>, Error> {
        let is_needed = skipped > 0 || decided.counted().is_none();
        if !is_needed || !self.remembers() || !decided.is_remembered(&query.sort) {
            return Ok(None);
        }
        Ok(Some(Asked {
            commit: self.commit_number()?,
            hidden: scope.hidden(),
            query,
        }))
    }

    /// The ids of the objects that name one of `targets` in a reference field, in their order, with those of their types, whoever
    /// may see them. `types` come in the order of their ids.
    pub(super) fn naming(
        &mut self,
        types: &[Arc<TypeEntry>],
        targets: &BTreeSet<i64>,
    ) -> Result<Vec<(i64, i64)>, Error> {
        let ids: Vec<i64> = targets.iter().copied().collect();
        let mut sql = Sql::new("SELECT public_id, type_id, doc FROM object WHERE ");
        sql.condition(&references(types, &ids), Table::Object);
        sql.push(" OR public_id IN (SELECT object_id FROM object_irregular) ORDER BY public_id");
        let mut naming = Vec::new();
        self.each(&sql.text, &sql.params(), |row| {
            let (id, type_id) = (row.int(0)?, row.int(1)?);
            let object = Object::from_document(serde_json::from_str(row.text(2)?)?);
            if type_of(types, type_id).is_some_and(|entry| names(entry, &object, targets)) {
                naming.push((id, type_id));
            }
            Ok(())
        })?;
        Ok(naming)
    }

    fn find(&mut self, lowered: &Lowered, query: &ObjectQuery) -> Result<Found, Error> {
        self.expect_several()?;
        let counts = self.counts(&lowered.type_ids())?;
        let irregular = matters(lowered, query) && counts.irregular > 0;
        if counts.total == 0 || (lowered.condition.is_never() && !irregular) {
            return Ok(Found::Matches(Vec::new()));
        }
        let judge = Judge::new(query, &lowered.types);
        if let Some(mut ids) = self.few(&lowered.condition)? {
            ids.sort_unstable();
            ids.dedup();
            if !irregular && decides(lowered, query) {
                let matches = ids.into_iter().map(|id| (order::key_of_id(id), id));
                return Ok(Found::Matches(matches.collect()));
            }
            let few = or_irregular(Condition::Ids(ids), lowered, irregular);
            return Ok(Found::Matches(in_order(
                self.judge(&judge, &few)?,
                &query.sort,
            )));
        }
        if !lowered.exact {
            let condition = or_irregular(lowered.condition.clone().widened(), lowered, irregular);
            let rows = Condition::all(vec![lowered.of_types(), condition]);
            return Ok(Found::Matches(in_order(
                self.judge(&judge, &rows)?,
                &query.sort,
            )));
        }
        let others = if irregular {
            let rows = Condition::all(vec![lowered.of_types(), Condition::Irregular]);
            self.judge(&judge, &rows)?
        } else {
            Vec::new()
        };
        let condition = self.resolve(lowered.condition.clone(), &lowered.types)?;
        let all = if lowered.all_types || lowered.types.len() < 2 {
            counts.total
        } else {
            self.count_all()?
        };
        let decided = Decided::new(lowered, condition, query, counts, all, irregular);
        if others.is_empty() {
            return Ok(Found::Decided(Box::new(decided)));
        }
        let mut matches = self.collect(&decided, query)?;
        matches.extend(others);
        matches.sort_by_key(|(_, id)| *id);
        Ok(Found::Matches(in_order(matches, &query.sort)))
    }

    /// The objects that could match, if they are few.
    fn few(&mut self, condition: &Condition) -> Result<Option<Vec<i64>>, Error> {
        match condition {
            Condition::Ids(ids) => Ok((ids.len() <= self.few_documents()).then(|| ids.clone())),
            Condition::Rows(rows) | Condition::Scan(Scan { rows, .. }) => self.few_rows(rows),
            Condition::All(members) => {
                let mut fewest: Option<Vec<i64>> = None;
                for member in members {
                    if let Some(ids) = self.few(member)?
                        && fewest
                            .as_ref()
                            .is_none_or(|fewest| ids.len() < fewest.len())
                    {
                        fewest = Some(ids);
                    }
                }
                Ok(fewest)
            }
            Condition::Any(members) => {
                let mut all = Vec::new();
                for member in members {
                    match self.few(member)? {
                        Some(ids) if all.len() + ids.len() <= self.few_documents() => {
                            all.extend(ids);
                        }
                        _ => return Ok(None),
                    }
                }
                Ok(Some(all))
            }
            _ => Ok(None),
        }
    }

    fn few_rows(&mut self, rows: &Rows) -> Result<Option<Vec<i64>>, Error> {
        let mut sql = Sql::new("SELECT object_id FROM object_field WHERE ");
        sql.rows(rows);
        let few = self.few_documents();
        sql.push(" LIMIT ").number(few + 1);
        let ids = self.all(&sql.text, &sql.params(), |row| row.int(0))?;
        Ok((ids.len() <= few).then_some(ids))
    }

    fn count_all(&mut self) -> Result<i64, Error> {
        if let Some(counters) = self.counters() {
            return Ok(counters.values().map(|counts| counts.total).sum());
        }
        let all = self.first(SELECT_ALL, &[], |row| row.opt_int(0))?;
        Ok(all.flatten().unwrap_or(0))
    }

    /// How many objects of these types there are.
    pub(super) fn counts(&mut self, types: &[i64]) -> Result<Counts, Error> {
        if let Some(counters) = self.counters() {
            let mut sum = Counts::default();
            let known = types.iter().filter_map(|type_id| counters.get(type_id));
            known.for_each(|counts| sum.add(*counts));
            return Ok(sum);
        }
        let mut sql = Sql::new("SELECT total, active, irregular FROM object_count WHERE ");
        sql.among("type_id", types);
        let mut sum = Counts::default();
        self.each(&sql.text, &sql.params(), |row| {
            sum.add(Counts {
                total: row.int(0)?,
                active: row.int(1)?,
                irregular: row.int(2)?,
            });
            Ok(())
        })?;
        Ok(sum)
    }
}

/// Whether the tables could say other things of irregular objects than is true.
pub(super) fn matters(lowered: &Lowered, query: &ObjectQuery) -> bool {
    !lowered.of_columns || !order::is_of_columns(&query.sort)
}

/// Whether the ids that [`ReadTx::few`] finds are the answer, in order.
fn decides(lowered: &Lowered, query: &ObjectQuery) -> bool {
    lowered.exact
        && !query.active_only
        && matches!(lowered.condition, Condition::Rows(_))
        && matches!(
            Order::of(&query.sort, &lowered.types),
            Order::Id { descending: false }
        )
}

fn or_irregular(condition: Condition, lowered: &Lowered, irregular: bool) -> Condition {
    if irregular {
        let others = Condition::all(vec![lowered.of_types(), Condition::Irregular]);
        Condition::any(vec![condition, others])
    } else {
        condition
    }
}

/// The matches in the order of the list; they come in the order of their ids, and ties stay so.
pub(super) fn in_order(mut matches: Vec<Match>, sort: &Sort) -> Vec<Match> {
    matches.sort_by(|(left, _), (right, _)| sort.compare(left, right));
    matches
}

/// A part of a list.
pub(super) fn cut<'m>(matches: &'m [Match], sort: &Sort, window: &Window) -> &'m [Match] {
    let start = match &window.start {
        Start::Offset(offset) => *offset,
        Start::After(position) => matches.partition_point(|(key, id)| {
            let order = sort.compare(key, &position.key);
            order.then(id.cmp(&position.id)).is_le()
        }),
    };
    let rest = matches.get(start..).unwrap_or_default();
    rest.get(..window.limit).unwrap_or(rest)
}
