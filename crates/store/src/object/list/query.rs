//! What a list of objects can be asked.

use std::collections::BTreeSet;

use stockroom_filter::{Checked, Sort};
use stockroom_model::{ObjectId, TypeId};

/// Which objects, in which order.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectQuery {
    /// What they must match.
    pub filter: Checked,
    /// Their order; ties are broken by id.
    pub sort: Sort,
    /// Leaves out inactive ones.
    pub active_only: bool,
    /// What the route narrows them to.
    pub restriction: Restriction,
}

/// What a route narrows a list to.
#[derive(Debug, Clone, PartialEq)]
pub enum Restriction {
    /// All objects.
    None,
    /// Those with a reference field that names this object.
    References(ObjectId),
    /// Those of a type whose set of field names differs from this one
    /// (`docs/guide/src/objects.md`).
    Unclean(TypeId, BTreeSet<String>),
}
