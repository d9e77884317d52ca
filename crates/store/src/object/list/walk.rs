//! Walks through whole lists in one snapshot, a few objects at a time.

use std::collections::VecDeque;

use stockroom_access::Scope;
use stockroom_model::ObjectId;

use super::lower::lower;
use super::plan::{Plan, Scan, Source};
use super::query::ObjectQuery;
use super::run::Asked;
use super::scan;
use super::window::{Position, Seek, Want, Window};
use crate::Error;
use crate::object::ObjectRow;
use crate::object::read::READ_BYTES;
use crate::transaction::ReadTx;

/// The most objects of one read.
const MOST: usize = if cfg!(test) { 3 } else { 1_000 };

/// The objects of a list that are not read yet.
pub struct ListWalk {
    source: WalkSource,
    /// How many objects to read at once; fewer if they are large.
    limit: usize,
}

enum WalkSource {
    /// Rows of `object` after a position: a walk of any length takes the memory of one read.
    Objects {
        scan: Box<Scan>,
        after: Option<Position>,
    },
    /// Known ids, in the order of the list.
    Ids(VecDeque<ObjectId>),
}

impl ReadTx<'_> {
    /// Begins a walk through the matching objects that the caller may see. Use it in the same
    /// snapshot.
    pub fn walk_list(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<ListWalk, Error> {
        let want = Want::Ids { total: false };
        let lowered = lower(self.catalog(), scope, query)?;
        let source = match self.plan(lowered, query, want)? {
            Plan::Scan(scan) if scan.irregular.is_none() && scan.source == Source::Objects => {
                WalkSource::Objects { scan, after: None }
            }
            Plan::Scan(scan) if scan.irregular.is_none() => {
                let ids = scan::matches(&scan, None, usize::MAX);
                WalkSource::Ids(self.all_of(&ids, |row| row.id(1))?.into())
            }
            plan => {
                let window = &Window::everything();
                let asked = Asked {
                    scope,
                    query,
                    window,
                    want,
                };
                WalkSource::Ids(self.run(&plan, asked)?.unread.into())
            }
        };
        let limit = MOST;
        Ok(ListWalk { source, limit })
    }

    /// The next objects of a walk; none at its end.
    pub fn walk_on(&mut self, scope: &Scope, walk: &mut ListWalk) -> Result<Vec<ObjectRow>, Error> {
        let ListWalk { source, limit } = walk;
        let (rows, is_cut) = match source {
            WalkSource::Objects { scan, after } => {
                let seek = Seek {
                    after: after.take(),
                    skip: 0,
                    limit: *limit,
                };
                let page = self.objects_of(scan, &seek, None)?;
                *after = page.rows.last().map(|last| {
                    let end = scan.order.match_of(last.type_id, last.public_id);
                    Position::from(end)
                });
                (page.rows, !page.unread.is_empty())
            }
            WalkSource::Ids(ids) => {
                let wanted: Vec<ObjectId> = ids.drain(..(*limit).min(ids.len())).collect();
                let found = self.objects(scope, &wanted, READ_BYTES)?;
                let is_cut = !found.unread.is_empty();
                for id in found.unread.into_iter().rev() {
                    ids.push_front(id);
                }
                (found.rows, is_cut)
            }
        };
        *limit = if is_cut {
            rows.len().max(1)
        } else {
            (*limit * 2).min(MOST)
        };
        Ok(rows)
    }
}
