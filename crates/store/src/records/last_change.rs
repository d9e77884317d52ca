//! Who changed a record last.

use stockroom_model::{Revision, Timestamp};

use crate::Error;
use crate::records::history::RecordKey;
use crate::records::history::past::Past;
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
    /// Whether it changed a password only, which no document shows.
    pub is_password: bool,
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
        let found = self.first(SELECT, &params, |row| Ok((row.int(0)?, row.int(1)?)))?;
        let Some((actor, at)) = found else {
            return Ok(None);
        };
        Ok(Some(LastChange {
            actor,
            at: Timestamp(at),
            is_password: resource == Resource::User && self.is_same_user(id, revision)?,
        }))
    }

    /// Whether a change left the document of a user as it was.
    fn is_same_user(&mut self, id: i64, revision: Revision) -> Result<bool, Error> {
        let user = RecordKey::new(Resource::User, id);
        let mut document = |revision| match self.record_at_revision(&user, revision)? {
            Past::Document { document, .. } => Ok::<_, Error>(Some(document)),
            Past::Missing | Past::Unknown { .. } => Ok(None),
        };
        let before = document(Revision(revision.0 - 1))?;
        Ok(before.is_some() && before == document(revision)?)
    }
}
