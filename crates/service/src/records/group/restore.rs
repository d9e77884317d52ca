//! `POST /groups/{public_id}/restore`

use stockroom_access::permission::LogView;
use stockroom_model::GroupId;
use stockroom_store::{RecordKey, Resource};

use super::{insert, update};
use crate::records::history::RestoreRequest;
use crate::records::history::restore::{Restoration, prepare};
use crate::{Change, Error, Permit, Precondition, Written};

/// Restores an earlier state of a group. A deleted one gets its id back.
pub async fn restore(
    permit: &Permit<LogView>,
    id: GroupId,
    request: RestoreRequest,
    precondition: Precondition,
) -> Result<Written, Error> {
    let record = RecordKey::new(Resource::Group, id.get());
    match prepare(permit, record, request, precondition).await? {
        Restoration::Update(body, precondition) => {
            let permit = permit.restoring().await?;
            update(&permit, id, Change::Replace(body), precondition).await
        }
        Restoration::Insert(body) => insert(&permit.restoring().await?, &body).await,
    }
}
