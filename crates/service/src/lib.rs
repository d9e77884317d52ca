//! Use cases and the rules across resources. Each use case names the permit it needs.

pub mod auth;
pub mod background;
pub mod bootstrap;
mod core;
mod features;
mod records;
pub mod rotation;

pub use core::caller::{Caller, RequestContext, RequestResource};
pub use core::change::{Change, Document, Precondition, Written};
pub use core::changed_at_once::MOST_CHANGED_AT_ONCE;
pub use core::error::{self, Error};
pub use core::lifecycle::Lifecycle;
pub use core::list::{self, ListRequest, Page, Total};
pub use core::not_unique::NotUnique;
pub use core::permit::Permit;
pub use core::service::{Config, Service};
pub use core::{change, cursor, open_transaction, own_changes};
pub use features::{
    export, http_sd, import, load, move_in, object_job, record_import, search, source,
};
pub use records::{category, group, history, object, right, setting, token, r#type, user, view};
pub use stockroom_auth::throttle::Limits as ThrottleLimits;
pub use stockroom_filter::Limits as FilterLimits;
pub use stockroom_model::RecordLimits;
pub use stockroom_store::{CommitToken, ReserveUse, Resource, Via};
pub use stockroom_tables::csv;
