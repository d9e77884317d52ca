//! What every use case needs: the service, its callers and their permits, lists, errors, ids and
//! tasks. It knows no feature, and no record but the caller.

pub(crate) mod access;
pub(crate) mod answer;
pub(crate) mod caller;
pub(crate) mod catalog;
pub(crate) mod certain_time;
pub mod change;
pub(crate) mod changed_at_once;
pub(crate) mod client_writes;
pub mod cursor;
pub mod error;
pub(crate) mod failed_tokens;
pub(crate) mod feature_states;
pub(crate) mod hash_pool;
pub(crate) mod id;
pub(crate) mod identity;
pub(crate) mod leased;
pub(crate) mod lifecycle;
pub mod list;
pub(crate) mod master_key;
pub mod open_transaction;
pub mod own_changes;
pub(crate) mod own_context;
pub(crate) mod permit;
pub(crate) mod request_id;
pub(crate) mod run_blocking;
pub(crate) mod search_hit;
pub(crate) mod service;
pub(crate) mod task;
pub(crate) mod token_limits;
pub(crate) mod token_uses;
pub(crate) mod tree;
pub(crate) mod type_templates;
pub(crate) mod views;
pub(crate) mod warnings;
pub(crate) mod worker;
