//! What happens to views when a record that they name is deleted.

use stockroom_model::view::Visibility;
use stockroom_model::{GroupId, TypeId, UserId, View};
use stockroom_store::{Stored, WriteTx};

use crate::Error;

/// Removes the private views of a user, which nobody else sees. Others work with its other views,
/// so these stay, without an owner.
pub(crate) fn forget_user(tx: &mut WriteTx<'_>, user: UserId) -> Result<(), Error> {
    for stored in tx.views_of_owner(user)? {
        if stored.record.visibility == Visibility::Private {
            tx.delete_view(stored.record.public_id, stored.revision)?;
        } else {
            let ownerless = View {
                owner_id: None,
                ..stored.record.clone()
            };
            tx.update_view(stored, ownerless)?;
        }
    }
    Ok(())
}

/// Removes the views for a group.
pub(crate) fn forget_group(tx: &mut WriteTx<'_>, group: GroupId) -> Result<(), Error> {
    let views = tx.views_of_group(group)?;
    delete_all(tx, &views)
}

/// Removes the views of a type.
pub(crate) fn forget_type(tx: &mut WriteTx<'_>, type_id: TypeId) -> Result<(), Error> {
    let views = tx.views_of_type(type_id)?;
    delete_all(tx, &views)
}

fn delete_all(tx: &mut WriteTx<'_>, views: &[Stored<View>]) -> Result<(), Error> {
    for Stored { record, revision } in views {
        tx.delete_view(record.public_id, *revision)?;
    }
    Ok(())
}
