//! Locks of objects that others reference.
//!
//! Who makes a reference reads that its target exists; who removes an object reads that nothing
//! references it. Each reads a snapshot that lacks the write of the other, so both lock the target,
//! and one of them runs again. A removal finds out only after its snapshot what it removes, so the
//! lock does not suffice: what was committed in between is looked for outside of the snapshot.
//!
//! On shards, a statement can lock the rows of one object only, and locks end on one server before
//! the commit is visible on another. There, such a removal runs alone.

use std::collections::{BTreeSet, HashMap};

use stockroom_access::Scope;
use stockroom_model::{ObjectId, TypeId};

use crate::Error;
use crate::engine::driver::Param;
use crate::records::object::list::referrers::Referrers;
use crate::transaction::WriteTx;

// In the order of the ids, so that transactions rarely wait for each other in a circle. A lock of
// the key lets others change the object, but not remove it.
const SELECT_TYPES_LOCKED: &str = "SELECT public_id, type_id FROM object WHERE public_id IN (SELECT value FROM rarray(?1)) ORDER BY public_id FOR KEY SHARE";
const LOCK: &str = "SELECT public_id FROM object WHERE public_id IN (SELECT value FROM rarray(?1)) ORDER BY public_id FOR UPDATE";

impl WriteTx<'_> {
    /// Like [`crate::ReadTx::types_of_objects`], for objects that this commit makes references to.
    /// Until its end, no other commit can remove them and rely on the absence of references.
    pub fn types_of_targets(
        &mut self,
        scope: &Scope,
        ids: &[ObjectId],
    ) -> Result<HashMap<ObjectId, TypeId>, Error> {
        if self.is_exclusive() || self.is_sharded() {
            return self.types_of_objects(scope, ids);
        }
        self.types_by(SELECT_TYPES_LOCKED, scope, ids)
    }

    /// At most so many objects that name one of `targets` in a reference field, for a commit that
    /// removes `targets`: until its end, no other commit can make a reference to them. Includes
    /// objects that the caller may not see.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] if the write must be run again, alone.
    pub fn last_referrers(
        &mut self,
        targets: &BTreeSet<ObjectId>,
        most: usize,
    ) -> Result<Referrers, Error> {
        if self.is_sharded() {
            self.require_exclusive()?;
        }
        if self.is_exclusive() {
            return self.referrers(targets, most);
        }
        let ids: Vec<i64> = targets.iter().map(|id| id.get()).collect();
        self.each(LOCK, &[Param::Ints(&ids)], |_| Ok(()))?;
        let known = self.referrer_candidates(targets)?;
        let mut committed = self.committed_candidates(targets)?.into_iter();
        // What this commit has written itself, others show as it was before.
        if committed.any(|id| known.binary_search(&id).is_err() && !self.has_written(id)) {
            self.require_exclusive()?;
        }
        self.referrers_among(known, targets, most)
    }
}
