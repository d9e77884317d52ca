//! Who changed a record last.

use stockroom_model::{Revision, Timestamp};

use crate::Error;
use crate::resource::Resource;
use crate::transaction::ReadTx;

const SELECT: &str = "SELECT actor, at FROM change WHERE record_id = ?1 AND resource = ?2 AND name = ?3 AND revision = ?4";

/// The change that led to a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastChange {
    /// The user id of who made it; 0 is the service itself.
    pub actor: i64,
    /// When it was made.
    pub at: Timestamp,
}

impl ReadTx<'_> {
    /// The change that led to `revision` of a record; `name` is the identifier of a setting, else
    /// empty.
    pub fn last_change(
        &mut self,
        resource: Resource,
        id: i64,
        name: &str,
        revision: Revision,
    ) -> Result<Option<LastChange>, Error> {
        let params = [
            id.into(),
            resource.as_str().into(),
            name.into(),
            revision.0.into(),
        ];
        self.first(SELECT, &params, |row| {
            Ok(LastChange {
                actor: row.int(0)?,
                at: Timestamp(row.int(1)?),
            })
        })
    }
}
