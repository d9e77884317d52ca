//! `POST /types/{public_id}/restore`

use serde_json::json;
use stockroom_access::permission::{LogView, TypeEdit};
use stockroom_model::TypeId;
use stockroom_store::{RecordKey, Resource};

use super::{insert, update};
use crate::records::history::RestoreRequest;
use crate::records::history::restore::{Restoration, prepare};
use crate::{Change, Error, Permit, Precondition, Written};

/// Restores an earlier state of a type. A deleted one gets its id back.
pub async fn restore(
    permit: &Permit<LogView>,
    id: TypeId,
    request: RestoreRequest,
    precondition: Precondition,
) -> Result<Written, Error> {
    let record = RecordKey::new(Resource::Type, id.get());
    match prepare(permit, record, request, precondition).await? {
        Restoration::Update(mut body, precondition) => {
            // A body without sets of unique fields would keep those of now.
            if let Some(members) = body.as_object_mut() {
                members.entry("unique").or_insert_with(|| json!([]));
            }
            let permit = permit.restoring().await?;
            update(&permit, id, Change::Replace(body), precondition).await
        }
        Restoration::Insert(body) => {
            // Its access list comes back with it, and decides on the history of its objects.
            permit.restoring::<TypeEdit>().await?;
            insert(&permit.restoring().await?, &body).await
        }
    }
}
