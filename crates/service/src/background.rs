//! Work that no client waits for. A task does it in short steps, and one loop runs each of them.
//!
//! | task | file | what it does |
//! |---|---|---|
//! | `counted_views` | `background/counted_views.rs` | writes how often objects were viewed |
//! | `expired_logins` | `background/expired_logins.rs` | deletes sessions that have expired |
//! | `history_retention` | `records/history/retention.rs` | removes old changes |
//! | `imports` | `features/import/runner.rs` | imports the rows of files |
//! | `object_jobs` | `features/object_job/runner.rs` | changes all objects that match a filter |
//! | `search_index` | `features/search/indexer.rs` | indexes objects for searches |
//! | `token_uses` | `background/token_uses.rs` | writes when API tokens were used last |
//!
//! Nodes that share a database share the work of leased tasks (`core/leased.rs`).

mod counted_views;
mod expired_logins;
mod token_uses;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use self::counted_views::CountedViews;
use self::token_uses::TokenUseTimes;
use crate::Service;
use crate::core::task::repeat;
use crate::records::history::retention::HistoryRetention;

pub use self::expired_logins::ExpiredLogins;
pub use crate::core::task::Task;
pub use crate::features::import::Imports;
pub use crate::features::object_job::ObjectJobs;
pub use crate::features::search::indexer::SearchIndex;

/// All tasks of a node, each of which goes on for as long as it is polled.
pub fn tasks(service: &Arc<Service>) -> Vec<Pin<Box<dyn Future<Output = ()> + Send>>> {
    service.announce();
    vec![
        Box::pin(repeat(Arc::clone(service), ObjectJobs)),
        Box::pin(repeat(Arc::clone(service), Imports::default())),
        Box::pin(repeat(Arc::clone(service), SearchIndex::default())),
        Box::pin(repeat(Arc::clone(service), ExpiredLogins)),
        Box::pin(repeat(Arc::clone(service), HistoryRetention)),
        Box::pin(repeat(Arc::clone(service), CountedViews)),
        Box::pin(repeat(Arc::clone(service), TokenUseTimes)),
    ]
}
