//! The query of a list of objects.

use std::collections::BTreeSet;

use stockroom_filter::{Checked, Sort};
use stockroom_model::{ObjectId, TypeId};

/// The query of a list: which objects, in which order.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectQuery {
    /// The filter that the objects must match.
    pub filter: Checked,
    /// Their order; ties are broken by id.
    pub sort: Sort,
    /// Whether to exclude inactive objects.
    pub active_only: bool,
    /// The restriction by the route.
    pub restriction: Restriction,
}

/// How a route or a search restricts a list.
#[derive(Debug, Clone, PartialEq)]
pub enum Restriction {
    /// All objects.
    None,
    /// Objects with a reference field that names this object.
    References(ObjectId),
    /// Objects of a type whose set of field names differs from this one
    /// (`docs/guide/src/objects.md`).
    Unclean(TypeId, BTreeSet<String>),
    /// These objects, in ascending order.
    Ids(Vec<ObjectId>),
}
