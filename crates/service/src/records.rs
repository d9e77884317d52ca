//! The use cases of records: a file or folder for each resource, and their history.

pub mod category;
pub mod group;
pub mod history;
pub mod object;
pub mod right;
pub mod setting;
pub mod token;
pub mod r#type;
pub mod user;
pub mod view;
