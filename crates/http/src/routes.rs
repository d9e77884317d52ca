//! The routes, one file for each action; a folder for each resource.

pub(crate) mod auth;
pub(crate) mod batch;
pub(crate) mod categories;
pub(crate) mod changes;
pub(crate) mod exports;
pub(crate) mod groups;
pub(crate) mod history;
pub(crate) mod imports;
pub(crate) mod integrations;
pub(crate) mod kinds;
pub(crate) mod objects;
pub(crate) mod rights;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod sources;
pub(crate) mod system;
pub(crate) mod tokens;
pub(crate) mod types;
pub(crate) mod users;
pub(crate) mod views;
pub(crate) mod web;
