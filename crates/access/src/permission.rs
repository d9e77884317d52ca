//! Permissions as types, so that a route's signature shows the permission that it needs.

use crate::rights::RightId;

/// A permission that a caller must hold. Implemented only by the zero-sized types of this module.
pub trait Permission: sealed::Sealed + Send + Sync + 'static {
    /// The name of the right; empty where a valid token is enough.
    const RIGHT: &'static str;
    /// Whether the caller must have logged in: an API token is then not enough.
    const NEEDS_LOGIN: bool = false;
    /// What an API token for some types may do with it.
    const FOR_TYPES: ForTypes = ForTypes::Nothing;
}

/// What an API token that is only for some types may do with a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForTypes {
    /// Nothing: it is about more than objects of some types.
    Nothing,
    /// Read, because the reads hide the objects of other types. It writes nothing.
    Read,
    /// Read and write, because the use cases refuse objects of other types, and the other types
    /// themselves.
    Write,
}

/// No right needed, only a valid token.
#[derive(Debug, Clone, Copy)]
pub struct Authenticated;

impl sealed::Sealed for Authenticated {}

impl Permission for Authenticated {
    const RIGHT: &'static str = "";
    const FOR_TYPES: ForTypes = ForTypes::Read;
}

/// No right needed, only a valid token, for jobs that the caller started.
#[derive(Debug, Clone, Copy)]
pub struct OwnJob;

impl sealed::Sealed for OwnJob {}

impl Permission for OwnJob {
    const RIGHT: &'static str = "";
    const FOR_TYPES: ForTypes = ForTypes::Write;
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
    ($($type:ident = $name:literal $(for types: $for_types:ident)?,)*) => {
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
                $(const FOR_TYPES: ForTypes = ForTypes::$for_types;)?
            }
        )*

        /// The rights of all permissions, with what a token for some types may do with them.
        pub(crate) const ALL: &[(&str, ForTypes)] = &[$(($type::RIGHT, $type::FOR_TYPES)),*];
    };
}

// Without `for types`, a token for some types is refused.
permissions! {
    Administration = "base.*",
    ObjectView = "base.framework.object.view" for types: Read,
    ObjectAdd = "base.framework.object.add" for types: Write,
    ObjectEdit = "base.framework.object.edit" for types: Write,
    ObjectDelete = "base.framework.object.delete" for types: Write,
    ObjectActivation = "base.framework.object.activation" for types: Write,
    ObjectImport = "base.import.object.*" for types: Write,
    ObjectRestore = "base.framework.log.view" for types: Write,
    SavedViewEdit = "base.framework.object.view",
    TypeImport = "base.import.type.*",
    TypeView = "base.framework.type.view" for types: Read,
    TypeAdd = "base.framework.type.add",
    TypeEdit = "base.framework.type.edit" for types: Write,
    TypeDelete = "base.framework.type.delete" for types: Write,
    TypeClean = "base.framework.type.clean" for types: Write,
    CategoryView = "base.framework.category.view" for types: Read,
    CategoryAdd = "base.framework.category.add",
    CategoryEdit = "base.framework.category.edit",
    CategoryDelete = "base.framework.category.delete",
    UserView = "base.user-management.user.view",
    UserAdd = "base.user-management.user.add",
    UserEdit = "base.user-management.user.edit",
    UserDelete = "base.user-management.user.delete",
    LogView = "base.framework.log.view" for types: Read,
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
        for (name, _) in ALL {
            assert!(find(name).is_some(), "{name} is not in the table");
        }
    }
}
