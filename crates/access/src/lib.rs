//! Who may do what: the table of rights, what a group's rights expand to, and the access lists of
//! types. Pure: decisions only, nothing is looked up or stored here.

pub mod acl;
pub mod permission;
pub mod right_set;
pub mod rights;
pub mod scope;

pub use acl::{Acl, Operation};
pub use permission::Permission;
pub use right_set::{RightSet, UnknownRights};
pub use rights::{Level, Right};
pub use scope::Scope;
