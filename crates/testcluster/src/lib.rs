//! PostgreSQL for tests: clusters that are removed with their owner, a pooler in front of them, and
//! a proxy that breaks connections to them on demand.
//!
//! Nothing here depends on the product. Clusters need Linux (`/proc`) and PostgreSQL 15 or newer.

mod cluster;
mod pooler;
mod programs;
mod proxy;
mod replication;
mod settings;
mod waiting;
mod watchdog;

pub use cluster::{Cluster, Stop};
pub use pooler::Pooler;
pub use programs::dump;
pub use proxy::{Direction, Ending, Proxy};
pub use settings::Settings;
