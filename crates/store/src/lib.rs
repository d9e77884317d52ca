//! All SQL: the engines, the migrations, and one file for each resource.
//!
//! `store.read(|tx| …)` and `store.write(context, |tx| …)` run a closure as a transaction; see
//! [`ReadWork`] and [`WriteWork`].

mod duplicate;
mod engine;
mod error;
mod maintenance;
mod open_transaction;
mod records;
mod resource;
mod runtime;
mod store;
mod transaction;

pub use duplicate::Duplicate;
pub use engine::disk::{DEFAULT_LOG_BYTES, ReserveUse};
pub use engine::driver::meter::Meter;
pub use engine::driver::postgres::PostgresConfig;
pub use engine::driver::sqlite::limit_memory;
pub use engine::driver::{Dialect, READ_BYTES, SQL_TARGET};
pub use engine::migrate::schema;
pub use engine::priority::Priority;
pub use engine::statement::Statement;
pub use error::Error;
pub use maintenance::check::{CheckReport, Finding, FindingKind, check, repair};
pub use maintenance::location::Location;
pub use maintenance::rekey::{RekeyTx, rekey};
pub use maintenance::transfer::{
    Progress, Stage, TransferError, Transferred, backup, restore, transfer,
};
pub use open_transaction::{End, OpenLimits, OpenTransaction};
pub use records::account::{Account, Credentials};
pub use records::catalog::as_of::PastCatalog;
pub use records::catalog::{Catalog, TypeEntry, UserEntry};
pub use records::heartbeat::{LEASE, end_of_lease};
pub use records::history::feed::{FeedPosition, FeedState};
pub use records::history::past::Past;
pub use records::history::retention::Removed;
pub use records::history::{HistoryEntry, HistoryPosition, HistoryRange, RecordKey};
pub use records::idempotency_key::{IdempotencyKey, KeyUsage, StoredAnswer};
pub use records::import::{Import, ImportPhase, ImportState, ImportStep, NewImport, StoredBytes};
pub use records::last_change::LastChange;
pub use records::lease::LeasedWork;
pub use records::login_event::{LoginEvent, LoginResult, LoginVia, StoredLoginEvent};
pub use records::login_session::LoginSession;
pub use records::object::as_of::{ObjectAsOf, PastMatches, PastObject, PastObjects};
pub use records::object::batch::IndexBatch;
pub use records::object::edit::ObjectEdit;
pub use records::object::list::aggregate::{
    Aggregate, Aggregation, Function, Group, GroupOrder, Grouping, Measure,
};
pub use records::object::list::query::{ObjectQuery, Restriction};
pub use records::object::list::referrers::{Referrer, Referrers};
pub use records::object::list::walk::ListWalk;
pub use records::object::list::window::{Position, Start, Want, Window};
pub use records::object::list::{Explanation, ObjectPage};
pub use records::object::prepared::PreparedObject;
pub use records::object::read::{ObjectBatches, Objects, ObjectsOfType};
pub use records::object::write::{NewObject, ObjectInsert};
pub use records::object::{ObjectRow, Visibility};
pub use records::object_job::{JobProgress, JobState, NewObjectJob, ObjectJob};
pub use records::own_change_usage::OwnChanges;
pub use records::search::{
    Decide, GramRequest, MAX_MATCHES, Match, Matches, ObjectSearch, PendingBlock, Rank,
    SearchBatch, StoredGrams, is_left_out,
};
pub use records::setting::SettingUsage;
pub use records::source::KnownSource;
pub use records::source_object::{LinkCounts, SourceLink};
pub use records::stored::Stored;
pub use records::token::UsedToken;
pub use records::r#type::layout::RenamedColumns;
pub use records::unique::rules::SharedValues;
pub use records::view::{ViewReader, ViewUsage};
pub use resource::Resource;
pub use runtime::long_reads::LongRead;
pub use runtime::work::{Answer, Ask, ReadWork, WorkError, WriteWork};
pub use store::Store;
pub use transaction::changes::{Changes, RecordChange};
pub use transaction::{
    Action, CommitToken, FieldWork, ReadContext, ReadTx, Via, WriteContext, WriteTx,
};
