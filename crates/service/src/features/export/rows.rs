//! The objects of an export, a few at a time.

use std::collections::VecDeque;

use stockroom_access::Scope;
use stockroom_model::{ObjectId, Timestamp};
use stockroom_store::{ListWalk, ObjectRow, READ_BYTES, ReadTx};

use crate::Error;
use crate::core::caller::Authorization;
use crate::records::object::past::lost;

/// Objects of the past that one read rebuilds.
const PAST_ROWS: usize = 500;

/// The objects that are not read yet.
pub(super) enum Rows {
    Walk(ListWalk),
    Past {
        ids: VecDeque<ObjectId>,
        at: Timestamp,
    },
}

impl Rows {
    pub(super) fn of_past(ids: &[ObjectId], at: Timestamp) -> Self {
        let ids = ids.iter().copied().collect();
        Self::Past { ids, at }
    }

    /// The next objects; none at the end. The caller must have the right and the access still.
    pub(super) fn next(
        &mut self,
        tx: &mut ReadTx<'_>,
        scope: &Scope,
        authorization: &Authorization,
    ) -> Result<Vec<ObjectRow>, Error> {
        let rows = self.read(tx, scope)?;
        // The snapshot is as old as the export, but rights end at once.
        let now = authorization.access_in(&authorization.service().store.catalog())?;
        if rows.iter().all(|row| now.scope.sees(row.type_id)) {
            return Ok(rows);
        }
        let detail = "the access list of a type changed during the export";
        Err(Error::Forbidden(detail.to_owned()))
    }

    fn read(&mut self, tx: &mut ReadTx<'_>, scope: &Scope) -> Result<Vec<ObjectRow>, Error> {
        let (ids, at) = match self {
            Self::Walk(walk) => return Ok(tx.walk_on(scope, walk)?),
            Self::Past { ids, at } => (ids, *at),
        };
        let mut rows = Vec::new();
        // Objects whose type is hidden may fill a read.
        while rows.is_empty() && !ids.is_empty() {
            let wanted: Vec<ObjectId> = ids.drain(..PAST_ROWS.min(ids.len())).collect();
            let found = tx.objects_as_of(scope, &wanted, at, READ_BYTES)?;
            if let Some(id) = found.unknown.first() {
                return Err(lost(*id));
            }
            for id in found.objects.unread.into_iter().rev() {
                ids.push_front(id);
            }
            rows = found.objects.rows;
        }
        Ok(rows)
    }
}
