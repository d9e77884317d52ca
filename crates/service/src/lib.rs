//! Use cases and the rules across resources. Each use case names the permit it needs.

pub mod auth;
pub mod bootstrap;
mod caller;
mod catalog;
pub mod category;
pub mod change;
pub mod cursor;
pub mod error;
pub mod group;
pub mod history;
mod id;
pub mod list;
pub mod load;
pub mod object;
pub mod open_transaction;
pub mod permit;
mod request_id;
pub mod right;
pub mod rotation;
mod run_blocking;
mod service;
pub mod setting;
mod tree;
pub mod r#type;
pub mod user;
mod warnings;

pub use caller::{Caller, RequestContext, RequestResource};
pub use change::{Change, Document, Precondition, Written};
pub use error::Error;
pub use list::{ListRequest, Page, Total};
pub use permit::Permit;
pub use service::{Config, Service};
pub use stockroom_auth::throttle::Limits as ThrottleLimits;
pub use stockroom_filter::Limits as FilterLimits;
pub use stockroom_model::RecordLimits;
pub use stockroom_store::{CommitToken, Via};
