//! The steps of the schema, oldest first.

use super::{name_keys, token_ceiling};
use crate::Error;
use crate::engine::driver::Driver;

/// A step of the schema. Its text never changes after its release.
pub(super) struct Migration {
    pub(super) version: i64,
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    /// Runs after the script, for changes that SQL cannot express.
    pub(super) after: Option<Step>,
    /// Whether it changes stored records, and does not only add tables and columns: the embedded
    /// database is then copied before.
    pub(super) rewrites_records: bool,
}

/// A part of a migration in Rust.
pub(super) type Step = fn(&mut dyn Driver) -> Result<(), Error>;

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "initial",
        script: include_str!("../migrations/0001_initial.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 2,
        name: "login_network",
        script: include_str!("../migrations/0002_login_network.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 3,
        name: "name_keys",
        script: include_str!("../migrations/0003_name_keys.sql"),
        after: Some(name_keys::fill),
        rewrites_records: true,
    },
    Migration {
        version: 4,
        name: "login_session",
        script: include_str!("../migrations/0004_login_session.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 5,
        name: "login_event",
        script: include_str!("../migrations/0005_login_event.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 6,
        name: "history",
        script: include_str!("../migrations/0006_history.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 7,
        name: "idempotency_key",
        script: include_str!("../migrations/0007_idempotency_key.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 8,
        name: "object_job",
        script: include_str!("../migrations/0008_object_job.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 9,
        name: "saved_view",
        script: include_str!("../migrations/0009_saved_view.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 10,
        name: "search",
        script: include_str!("../migrations/0010_search.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 11,
        name: "api_token",
        script: include_str!("../migrations/0011_api_token.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 12,
        name: "import",
        script: include_str!("../migrations/0012_import.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 13,
        name: "import_bytes",
        script: include_str!("../migrations/0013_import_bytes.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 14,
        name: "source",
        script: include_str!("../migrations/0014_source.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 15,
        name: "token_ceiling",
        script: include_str!("../migrations/0015_token_ceiling.sql"),
        after: Some(token_ceiling::fill),
        rewrites_records: false,
    },
    Migration {
        version: 16,
        name: "request_digest",
        script: include_str!("../migrations/0016_request_digest.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 17,
        name: "node_heartbeat",
        script: include_str!("../migrations/0017_node_heartbeat.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 18,
        name: "import_step_user",
        script: include_str!("../migrations/0018_import_step_user.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 19,
        name: "idempotency_token",
        script: include_str!("../migrations/0019_idempotency_token.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 20,
        name: "import_next_row",
        script: include_str!("../migrations/0020_import_next_row.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 21,
        name: "irregular_targets",
        script: include_str!("../migrations/0021_irregular_targets.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 22,
        name: "unknown_fields",
        script: include_str!("../migrations/0022_unknown_fields.sql"),
        after: None,
        rewrites_records: false,
    },
    Migration {
        version: 23,
        name: "unique_values",
        script: include_str!("../migrations/0023_unique_values.sql"),
        after: None,
        rewrites_records: false,
    },
];
