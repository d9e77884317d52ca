//! What works with records of several resources, or in several steps.

pub mod export;
pub mod http_sd;
pub mod import;
pub mod load;
pub mod move_in;
pub mod object_job;
pub mod record_import;
pub mod search;
pub mod source;
