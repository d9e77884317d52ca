//! `POST /users/{public_id}/settings/{identifier}/restore`

use stockroom_access::permission::LogView;
use stockroom_model::UserId;
use stockroom_store::{RecordKey, Resource};

use super::{insert, update};
use crate::records::history::RestoreRequest;
use crate::records::history::restore::{Restoration, prepare};
use crate::{Change, Error, Permit, Precondition, Written};

/// Restores an earlier state of a setting, also of a deleted one.
pub async fn restore(
    permit: &Permit<LogView>,
    user: UserId,
    identifier: String,
    request: RestoreRequest,
    precondition: Precondition,
) -> Result<Written, Error> {
    let record = RecordKey {
        resource: Resource::Setting,
        id: user.get(),
        name: identifier.clone(),
    };
    let prepared = prepare(permit, record, request, precondition).await?;
    let permit = permit.restoring().await?;
    match prepared {
        Restoration::Update(body, precondition) => {
            update(
                &permit,
                user,
                identifier,
                Change::Replace(body),
                precondition,
            )
            .await
        }
        Restoration::Insert(body) => insert(&permit, user, body).await,
    }
}
