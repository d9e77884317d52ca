//! Ids: the service never allocates an id that was used before; a client may name any free id
//! (`docs/guide/src/objects.md`).

use stockroom_model::Revision;
use stockroom_model::id::MAX_ID;

use crate::Error;
use crate::resource::Resource;
use crate::transaction::{ReadTx, WriteTx};

/// Ids that clients name raise the next id only up to here, so that no request can exhaust the ids.
pub(crate) const HIGHEST_JUMP: i64 = MAX_ID / 2;

pub(crate) const SELECT_NEXT: &str = "SELECT next_id FROM sequence WHERE resource = ?1";
const SELECT_LAST_REVISION: &str =
    "SELECT MAX(revision) FROM change WHERE record_id = ?1 AND resource = ?2";

impl WriteTx<'_> {
    /// An id that no record of this resource ever had.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfIds`] if none is left.
    pub fn next_id(&mut self, resource: Resource) -> Result<i64, Error> {
        if let Some(id) = self.id_from_block(resource)? {
            return Ok(id);
        }
        let mut id = self.next(resource)?;
        // Ids above the highest jump may be in use, because clients' ids do not raise the next id
        // there.
        while id > HIGHEST_JUMP && self.last_revision(resource, id)?.is_some() {
            id += 1;
        }
        if id > MAX_ID {
            return Err(Error::OutOfIds(resource.as_str()));
        }
        self.sequences().set(resource, id + 1);
        Ok(id)
    }

    /// Claims an id that a client named and returns the first revision of its record. Revisions
    /// continue after those of a deleted record with the same id, so that no entity tag ever names
    /// two states. The caller must check that the id is free.
    pub fn claim_id(&mut self, resource: Resource, id: i64) -> Result<Revision, Error> {
        if id <= HIGHEST_JUMP {
            if let Some(lease) = self.id_lease(resource) {
                lease.claim(id);
            } else if id >= self.next(resource)? {
                self.sequences().set(resource, id + 1);
            }
        }
        Ok(self
            .last_revision(resource, id)?
            .map_or(Revision::FIRST, Revision::next))
    }

    /// The next id of a block, if ids of the resource come from blocks.
    fn id_from_block(&mut self, resource: Resource) -> Result<Option<i64>, Error> {
        loop {
            let Some(lease) = self.id_lease(resource) else {
                return Ok(None);
            };
            let (id, may_be_claimed) = (lease.take()?, lease.may_be_claimed);
            if id > MAX_ID {
                return Err(Error::OutOfIds(resource.as_str()));
            }
            // If two nodes used the same id, the engine detects it before the commit.
            if !may_be_claimed || self.last_revision(resource, id)?.is_none() {
                return Ok(Some(id));
            }
        }
    }

    fn next(&mut self, resource: Resource) -> Result<i64, Error> {
        if let Some(next) = self.sequences().get(resource) {
            return Ok(next);
        }
        let next = self
            .first(SELECT_NEXT, &[resource.as_str().into()], |row| row.int(0))?
            .unwrap_or(1);
        self.sequences().set(resource, next);
        Ok(next)
    }
}

impl ReadTx<'_> {
    /// Whether a record ever had this id, even if it was deleted.
    pub fn was_given(&mut self, resource: Resource, id: i64) -> Result<bool, Error> {
        Ok(self.last_revision(resource, id)?.is_some())
    }

    /// Whether records of this resource had ids above this one, even if they were deleted.
    pub fn were_given_above(&mut self, resource: Resource, id: i64) -> Result<bool, Error> {
        let next = self.first(SELECT_NEXT, &[resource.as_str().into()], |row| row.int(0))?;
        Ok(next.is_some_and(|next| next > id + 1))
    }

    fn last_revision(&mut self, resource: Resource, id: i64) -> Result<Option<Revision>, Error> {
        let revision = self.first(
            SELECT_LAST_REVISION,
            &[id.into(), resource.as_str().into()],
            |row| row.opt_int(0),
        )?;
        Ok(revision.flatten().map(Revision))
    }
}
