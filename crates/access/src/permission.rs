//! Permissions as types, so that a route's signature shows the permission that it needs.

use crate::rights::RightId;

/// A permission that a caller must hold. Implemented only by the zero-sized types of this module.
pub trait Permission: sealed::Sealed + Send + Sync + 'static {
    /// The name of the right; empty where a valid token is enough.
    const RIGHT: &'static str;
    /// Whether the caller must have logged in: an API token is then not enough.
    const NEEDS_LOGIN: bool = false;
}

/// No right needed, only a valid token.
#[derive(Debug, Clone, Copy)]
pub struct Authenticated;

impl sealed::Sealed for Authenticated {}

impl Permission for Authenticated {
    const RIGHT: &'static str = "";
}

/// No right needed, only a login. For what an API token must not do: it would outgrow its limits, or
/// outlive its end.
#[derive(Debug, Clone, Copy)]
pub struct LoggedIn;

impl sealed::Sealed for LoggedIn {}

impl Permission for LoggedIn {
    const RIGHT: &'static str = "";
    const NEEDS_LOGIN: bool = true;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! permissions {
    ($($type:ident = $name:literal,)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            #[derive(Debug, Clone, Copy)]
            pub struct $type;

            impl sealed::Sealed for $type {}

            impl Permission for $type {
                const RIGHT: &'static str = {
                    // A misspelt name stops the build.
                    assert!(RightId::named($name).is_some(), concat!("no such right: ", $name));
                    $name
                };
            }
        )*

        #[cfg(test)]
        const ALL: &[&str] = &[$($type::RIGHT),*];
    };
}

permissions! {
    Administration = "base.*",
    ObjectView = "base.framework.object.view",
    ObjectAdd = "base.framework.object.add",
    ObjectEdit = "base.framework.object.edit",
    ObjectDelete = "base.framework.object.delete",
    ObjectActivation = "base.framework.object.activation",
    ObjectImport = "base.import.object.*",
    TypeImport = "base.import.type.*",
    TypeView = "base.framework.type.view",
    TypeAdd = "base.framework.type.add",
    TypeEdit = "base.framework.type.edit",
    TypeDelete = "base.framework.type.delete",
    TypeClean = "base.framework.type.clean",
    CategoryView = "base.framework.category.view",
    CategoryAdd = "base.framework.category.add",
    CategoryEdit = "base.framework.category.edit",
    CategoryDelete = "base.framework.category.delete",
    UserView = "base.user-management.user.view",
    UserAdd = "base.user-management.user.add",
    UserEdit = "base.user-management.user.edit",
    UserDelete = "base.user-management.user.delete",
    LogView = "base.framework.log.view",
    GroupView = "base.user-management.group.view",
    GroupAdd = "base.user-management.group.add",
    GroupEdit = "base.user-management.group.edit",
    GroupDelete = "base.user-management.group.delete",
    SystemEdit = "base.system.edit",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rights::find;

    #[test]
    fn every_permission_needs_a_right_of_the_table() {
        for name in ALL {
            assert!(find(name).is_some(), "{name} is not in the table");
        }
    }
}
