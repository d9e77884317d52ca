//! Authorization: the table of rights, the rights that a group's rights cover, and the access lists
//! of types. Pure: makes decisions, but neither loads nor stores anything.

pub mod acl;
pub mod ceiling;
pub mod permission;
pub mod right_set;
pub mod rights;
pub mod scope;

pub use acl::{Acl, Operation};
pub use ceiling::Ceiling;
pub use permission::Permission;
pub use right_set::{RightSet, UnknownRights};
pub use rights::{Level, Right};
pub use scope::Scope;
