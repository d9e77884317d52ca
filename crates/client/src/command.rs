//! One file per command.

pub(crate) mod apply;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod inventory;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod resource;
pub(crate) mod search;
