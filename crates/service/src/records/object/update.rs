//! `PUT` and `PATCH /objects/{public_id}`

mod apply;

use std::sync::Arc;

use stockroom_access::permission::ObjectEdit;
use stockroom_model::ObjectId;

pub(super) use self::apply::ObjectUpdate;
use self::apply::UpdatedObject;
use super::precheck::is_large;
use super::{WrittenObject, entry, visible};
use crate::core::change::{Change, Precondition};
use crate::{Error, Permit};

/// Replaces or patches an object; needs READ and UPDATE of the ACL.
pub async fn update(
    permit: &Permit<ObjectEdit>,
    id: ObjectId,
    change: Change,
    precondition: Precondition,
) -> Result<WrittenObject, Error> {
    let change = Arc::new(change);
    let prechecked = if is_large(change.body()) {
        Some(precheck(permit, id, &change).await?)
    } else {
        None
    };
    let update = ObjectUpdate {
        permit: permit.clone(),
        id,
        change,
        precondition,
        prechecked,
    };
    permit.write(move |tx| update.apply(tx)).await
}

/// Checks a body against the stored object, before its write is queued.
async fn precheck(
    permit: &Permit<ObjectEdit>,
    id: ObjectId,
    change: &Arc<Change>,
) -> Result<UpdatedObject, Error> {
    let reader = permit.clone();
    let (row, entry) = permit
        .read(move |tx| {
            let row = visible(tx, &reader.access(tx)?.scope, id)?;
            let entry = Arc::clone(entry(tx.catalog(), &row)?);
            Ok((row, entry))
        })
        .await?;
    let (change, limits) = (Arc::clone(change), permit.service().records().clone());
    let precheck = move || UpdatedObject::new(&row, &entry, &change, &limits);
    permit.caller().run_blocking(precheck).await?
}
