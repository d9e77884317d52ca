//! Walks through whole lists in one snapshot, a few objects at a time.

use stockroom_access::Scope;

use super::plan::{Plan, Scan, Source};
use super::query::ObjectQuery;
use super::run::PageRequest;
use super::scan;
use super::window::{Position, Seek, Want, Window};
use crate::Error;
use crate::records::object::ObjectRow;
use crate::records::object::read::{MOST_AT_ONCE, ObjectBatches};
use crate::transaction::ReadTx;

/// The objects of a list that are not read yet.
pub struct ListWalk(WalkSource);

enum WalkSource {
    /// Rows of `object` after a position: a walk of any length takes the memory of one read.
    Objects {
        scan: Box<Scan>,
        after: Option<Position>,
        /// How many to read at once; fewer if they are large.
        limit: usize,
    },
    /// Known ids, in the order of the list.
    Ids(ObjectBatches),
}

impl ReadTx<'_> {
    /// Begins a walk through the matching objects that the caller may see. Use it in the same
    /// snapshot.
    pub fn walk_list(&mut self, scope: &Scope, query: &ObjectQuery) -> Result<ListWalk, Error> {
        let want = Want::Ids { total: false };
        let lowered = self.lower(scope, query)?;
        let source = match self.plan(lowered, query, want)? {
            Plan::Scan(scan) if scan.undecided.is_none() && scan.source == Source::Objects => {
                WalkSource::Objects {
                    scan,
                    after: None,
                    limit: MOST_AT_ONCE,
                }
            }
            Plan::Scan(scan) if scan.undecided.is_none() => {
                let ids = scan::matches(&scan, None, usize::MAX);
                let ids = self.all_of(&ids, |row| row.id(1))?;
                WalkSource::Ids(ObjectBatches::new(ids))
            }
            plan => {
                let window = &Window::everything();
                let asked = PageRequest {
                    scope,
                    query,
                    window,
                    want,
                };
                let ids = self.run(&plan, asked)?.unread;
                WalkSource::Ids(ObjectBatches::new(ids))
            }
        };
        Ok(ListWalk(source))
    }

    /// The next objects of a walk; none at its end.
    pub fn walk_on(&mut self, scope: &Scope, walk: &mut ListWalk) -> Result<Vec<ObjectRow>, Error> {
        match &mut walk.0 {
            WalkSource::Objects { scan, after, limit } => {
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
                *limit = if page.unread.is_empty() {
                    (*limit * 2).min(MOST_AT_ONCE)
                } else {
                    page.rows.len().max(1)
                };
                Ok(page.rows)
            }
            WalkSource::Ids(batches) => {
                while let Some(found) = batches.next(self, scope)? {
                    if !found.rows.is_empty() {
                        return Ok(found.rows);
                    }
                }
                Ok(Vec::new())
            }
        }
    }
}
