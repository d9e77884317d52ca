//! `POST /users/{public_id}/restore`

use stockroom_access::permission::{LogView, UserEdit};
use stockroom_model::{Problem, UserId};
use stockroom_store::{RecordKey, Resource};

use super::{insert, placeholder, update};
use crate::auth::Client;
use crate::records::history::RestoreRequest;
use crate::records::history::restore::{Restoration, prepare};
use crate::{Change, Error, Permit, Precondition, Written};

/// Restores an earlier state of a user. Its password stays; a deleted user gets its id back, but
/// needs a new password.
pub async fn restore(
    permit: &Permit<LogView>,
    id: UserId,
    request: RestoreRequest,
    precondition: Precondition,
    client: &Client,
) -> Result<Written, Error> {
    let record = RecordKey::new(Resource::User, id.get());
    match prepare(permit, record, request, precondition).await? {
        Restoration::Update(body, precondition) => {
            // Not even its own: the state may hold another group.
            permit.restoring::<UserEdit>().await?;
            let permit = permit.restoring().await?;
            update(&permit, id, Change::Replace(body), precondition, client).await
        }
        Restoration::Insert(mut body) => {
            let is_service = body["is_service"] == true;
            if !is_service {
                body["password"] = placeholder();
            }
            let mut written = insert(&permit.restoring().await?, &body).await?;
            if is_service {
                return Ok(written);
            }
            written.warnings.push(Problem {
                pointer: "password".to_owned(),
                detail: "is not restored: set a new one before the user can log in".to_owned(),
            });
            Ok(written)
        }
    }
}
