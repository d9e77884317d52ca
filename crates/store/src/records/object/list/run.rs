//! Runs a plan.

use stockroom_access::Scope;
use stockroom_filter::Key;
use stockroom_model::ObjectId;

use super::cache::CacheKey;
use super::merge::{merged, window_of_walk};
use super::order::{ListOrder, key_of};
use super::page::ObjectPage;
use super::plan::{Plan, Recheck, Scan, Source, Total};
use super::query::ObjectQuery;
use super::ranks::Ranks;
use super::recheck::{Match, cut};
use super::scan;
use super::window::{Position, Seek, Want, Window};
use crate::Error;
use crate::engine::driver::READ_BYTES;
use crate::engine::driver::Row;
use crate::engine::driver::sql::Sql;
use crate::records::object::COLUMNS;
use crate::records::object::read::Objects;
use crate::transaction::ReadTx;

/// A page that skips more than this number of objects is far.
const FAR_OFFSET: usize = if cfg!(test) { 2 } else { 1_000 };
/// Maximum number of ranks that are taken of a list.
const MAX_RANKS: usize = 2_000;

/// A request for a list.
#[derive(Clone, Copy)]
pub(super) struct PageRequest<'q> {
    pub(super) scope: &'q Scope,
    pub(super) query: &'q ObjectQuery,
    pub(super) window: &'q Window,
    pub(super) want: Want,
}

impl ReadTx<'_> {
    pub(super) fn run(&mut self, plan: &Plan, asked: PageRequest<'_>) -> Result<ObjectPage, Error> {
        let page = self.run_any(plan, asked)?;
        Ok(ObjectPage {
            total: page.total.filter(|_| asked.want.total()),
            ..page
        })
    }

    fn run_any(&mut self, plan: &Plan, asked: PageRequest<'_>) -> Result<ObjectPage, Error> {
        match plan {
            Plan::Empty => Ok(ObjectPage::of_total(Some(0))),
            Plan::Recheck(recheck) => self.run_recheck(recheck, asked),
            Plan::Ids { ids, descending } => {
                let matches = cut_ids(ids, *descending, asked.window);
                self.page_of(matches, Some(ids.len()), asked)
            }
            Plan::Scan(scan) => self.run_scan(scan, asked),
        }
    }

    fn run_recheck(
        &mut self,
        recheck: &Recheck,
        asked: PageRequest<'_>,
    ) -> Result<ObjectPage, Error> {
        let mut found = self.recheck(recheck, asked.query)?;
        let total = Some(found.matches.len());
        let page = cut(&found.matches, &asked.query.sort, asked.window).to_vec();
        if let Want::Objects { .. } = asked.want
            && let Some(rows) = found.take_rows(&page)
        {
            let objects = Objects {
                rows,
                ..Objects::default()
            };
            return Ok(ObjectPage::new(objects, page.last().cloned(), total));
        }
        self.page_of(page, total, asked)
    }

    fn run_scan(&mut self, scan: &Scan, asked: PageRequest<'_>) -> Result<ObjectPage, Error> {
        let undecided = match &scan.undecided {
            Some(recheck) => self.recheck(recheck, asked.query)?.matches,
            None => Vec::new(),
        };
        // Querying the state of a server takes as long as skipping a few objects.
        let near = if self.is_shared() { FAR_OFFSET } else { 0 };
        let skips = asked.want != Want::Total && asked.window.offset() > near;
        let state = match scan.total {
            Total::Known(_) | Total::Unwanted if !skips => None,
            _ => {
                let types = scan.filter.types(self.catalog());
                self.data_state(&types)?
            }
        };
        let whole_types = match state {
            Some(_) => scan.filter.whole_types(asked.query, &scan.order),
            None => None,
        };
        let key = self
            .pages()
            .zip(state.as_ref())
            .map(|(pages, state)| CacheKey {
                pages,
                state,
                hidden: asked.scope.hidden(),
                query: asked.query,
                whole_types: whole_types.as_ref(),
            });
        let total = self.total(scan, undecided.len(), key)?;
        if asked.want == Want::Total {
            return Ok(ObjectPage::of_total(total));
        }
        if undecided.is_empty() {
            // Indexing irregular objects adds rows to a walk in a commit without a number.
            let key = key.filter(|_| scan.undecided.is_none());
            return self.walk(scan, asked, key, total);
        }
        let window = window_of_walk(asked.window, undecided.len());
        let walked = self.matches(scan, &Seek::from(&window))?;
        let matches = merged(walked, &undecided, &asked.query.sort, asked.window);
        self.page_of(matches, total, asked)
    }

    /// The total of matches, including `undecided` ones, if it is wanted.
    fn total(
        &mut self,
        scan: &Scan,
        undecided: usize,
        key: Option<CacheKey<'_>>,
    ) -> Result<Option<usize>, Error> {
        match scan.total {
            Total::Unwanted => return Ok(None),
            Total::Known(total) => return Ok(Some(total + undecided)),
            Total::Counted => {}
        }
        if let Some(total) = key.and_then(|key| key.total()) {
            return Ok(Some(total));
        }
        let total = self.first_of(&scan::count(&scan.filter), |row| row.int(0))?;
        let total = usize::try_from(total.unwrap_or(0)).unwrap_or(0) + undecided;
        if let Some(key) = key.filter(|_| self.is_one_snapshot()) {
            key.set_total(total);
        }
        Ok(Some(total))
    }

    /// Reads a page of a walk, from the nearest cached position before it.
    fn walk(
        &mut self,
        scan: &Scan,
        asked: PageRequest<'_>,
        key: Option<CacheKey<'_>>,
        total: Option<usize>,
    ) -> Result<ObjectPage, Error> {
        let offset = asked.window.offset();
        if total.is_some_and(|total| offset >= total) && asked.window.after().is_none() {
            return Ok(ObjectPage::of_total(total));
        }
        let mut seek = nearest(key, asked.window);
        let far = FAR_OFFSET.max(total.unwrap_or(0) / MAX_RANKS);
        if seek.skip > far
            && let Some(key) = key
        {
            // By id, ranks cost no more than one far page. Otherwise the second far page takes
            // them: more are likely.
            let is_by_id = matches!(scan.order, ListOrder::Id { .. });
            if key.miss() != usize::from(!is_by_id) {
                return self.walk_far(scan, asked, key, &seek, total);
            }
            let ranks = self.ranks(scan, far)?;
            if self.is_one_snapshot() {
                key.set_ranks(ranks);
            }
            seek = nearest(Some(key), asked.window);
        }
        let page = if scan.source == Source::Objects
            && let Want::Objects { .. } = asked.want
        {
            self.objects_of(scan, &seek, total)?
        } else {
            let matches = self.matches(scan, &seek)?;
            self.page_of(matches, total, asked)?
        };
        if let (Some(key), Some(end)) = (key, &page.end)
            && asked.window.after().is_none()
            && self.is_one_snapshot()
        {
            key.add_position(offset + page.len(), end.clone());
        }
        Ok(page)
    }

    /// Reads a page that is far from every cached position. Also reads the last object before it,
    /// so that the page is near the next time.
    fn walk_far(
        &mut self,
        scan: &Scan,
        asked: PageRequest<'_>,
        key: CacheKey<'_>,
        seek: &Seek,
        total: Option<usize>,
    ) -> Result<ObjectPage, Error> {
        let seek = Seek {
            after: seek.after.clone(),
            skip: seek.skip - 1,
            limit: seek.limit.saturating_add(1),
        };
        let mut matches = self.matches(scan, &seek)?.into_iter();
        if let Some(before) = matches.next()
            && self.is_one_snapshot()
        {
            key.add_position(asked.window.offset(), before.into());
        }
        self.page_of(matches.collect(), total, asked)
    }

    /// Takes positions of a walk at even distances.
    fn ranks(&mut self, scan: &Scan, distance: usize) -> Result<Ranks, Error> {
        let mut intervals: Vec<(Position, usize)> = Vec::new();
        let mut before = 0;
        let sql = scan::ranks(scan, distance);
        self.each_of(&sql, |row| {
            let position = usize::try_from(row.int(2)?).unwrap_or(before);
            // Sparse ids give positions that are closer to each other than needed.
            if position - before >= distance / 2 {
                intervals.push((match_of(scan, row)?.into(), position - before));
                before = position;
            }
            Ok(())
        })?;
        Ok(Ranks::new(intervals))
    }

    /// The objects of a walk, up to the byte limit of a read.
    pub(super) fn objects_of(
        &mut self,
        scan: &Scan,
        seek: &Seek,
        total: Option<usize>,
    ) -> Result<ObjectPage, Error> {
        let mut columns = Sql::new("SELECT ");
        columns.push(COLUMNS);
        let mut sql = scan::objects(columns, &scan.filter, &scan.order, seek.after.as_ref());
        sql.limit_offset(seek.limit, seek.skip);
        let page = ObjectPage::read(
            &mut |each| self.each_of(&sql, each),
            &scan.order,
            |_| Ok(()),
        )?;
        Ok(ObjectPage { total, ..page })
    }

    /// Sort keys and ids of a walk.
    fn matches(&mut self, scan: &Scan, seek: &Seek) -> Result<Vec<Match>, Error> {
        let most = seek.skip.saturating_add(seek.limit);
        let mut sql = scan::matches(scan, seek.after.as_ref(), most);
        sql.limit_offset(seek.limit, seek.skip);
        self.all_of(&sql, |row| match_of(scan, row))
    }

    /// The page with these sort keys and ids.
    fn page_of(
        &mut self,
        matches: Vec<Match>,
        total: Option<usize>,
        asked: PageRequest<'_>,
    ) -> Result<ObjectPage, Error> {
        let ids: Vec<ObjectId> = matches.iter().map(|(_, id)| *id).collect();
        let objects = match asked.want {
            Want::Objects { .. } => self.objects(asked.scope, &ids, READ_BYTES)?,
            Want::Ids { .. } => Objects::unread(ids),
            Want::Total => Objects::default(),
        };
        let last = matches.into_iter().next_back();
        Ok(ObjectPage::new(objects, last, total))
    }
}

/// Where to start for a window, from the nearest cached position before it.
fn nearest(key: Option<CacheKey<'_>>, window: &Window) -> Seek {
    let seek = Seek::from(window);
    match key.and_then(|key| key.nearest(seek.skip)) {
        Some((after, skip)) => Seek {
            after: Some(after),
            skip,
            ..seek
        },
        None => seek,
    }
}

/// The sort key and the id in a row of a walk.
fn match_of(scan: &Scan, row: &dyn Row) -> Result<Match, Error> {
    let id: ObjectId = row.id(1)?;
    let key = match scan.order {
        ListOrder::Columns(_) => Key::from(row.bytes(0)?.to_vec()),
        ListOrder::Type { .. } => key_of(row.int(0)?),
        ListOrder::Id { .. } | ListOrder::Documents => key_of(id.get()),
    };
    Ok((key, id))
}

/// The window of a list whose ids are known.
fn cut_ids(ids: &[ObjectId], descending: bool, window: &Window) -> Vec<Match> {
    let (before, rest) = match window.after() {
        Some(position) => {
            let first_after = ids.partition_point(|id| *id <= position.id);
            let first_at = ids.partition_point(|id| *id < position.id);
            (&ids[..first_at], &ids[first_after..])
        }
        None => (ids, ids),
    };
    let to_match = |id: &ObjectId| (key_of(id.get()), *id);
    let (offset, limit) = (window.offset(), window.limit);
    if descending {
        let walk = before.iter().rev().skip(offset).take(limit);
        walk.map(to_match).collect()
    } else {
        rest.iter().skip(offset).take(limit).map(to_match).collect()
    }
}
