//! The tables from which the inventory is generated.

pub(crate) mod devices;
pub(crate) mod machines;
pub(crate) mod names;
pub(crate) mod organisation;
pub(crate) mod places;
pub(crate) mod software;
pub(crate) mod suppliers;
