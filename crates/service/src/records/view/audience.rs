//! Who sees and who changes a view.

use stockroom_access::permission::TypeEdit;
use stockroom_model::View;
use stockroom_model::view::Visibility;
use stockroom_store::ViewReader;

use crate::Error;
use crate::core::access::Access;

/// The caller, for queries of views.
pub(super) fn reader(access: &Access) -> ViewReader {
    ViewReader::new(access.user_id, access.group_id, access.scope.hidden())
}

/// Whether a view is for the caller, as queries decide it; its type may still be hidden.
pub(crate) fn is_for(access: &Access, view: &View) -> bool {
    view.owner_id == Some(access.user_id)
        || match view.visibility {
            Visibility::All => true,
            Visibility::Group => view.group_id == Some(access.group_id),
            Visibility::Private => false,
        }
}

/// Whether a caller who sees a view may make, change or remove it. Views for all, for another group,
/// what opens first for a group, and views of others concern other people, so they are for those who
/// design types.
///
/// # Errors
///
/// [`Error::Forbidden`] names the right.
pub(super) fn check_writable(access: &Access, view: &View) -> Result<(), Error> {
    let concerns_others = match view.visibility {
        Visibility::Private => false,
        Visibility::Group => view.is_default || view.group_id != Some(access.group_id),
        Visibility::All => true,
    };
    if view.owner_id == Some(access.user_id) && !concerns_others {
        return Ok(());
    }
    access.check::<TypeEdit>()
}
